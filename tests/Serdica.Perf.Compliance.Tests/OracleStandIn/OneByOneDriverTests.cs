namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>The commits of a message, on the driver that is as strict as Oracle's: what of them needs no server.</summary>
public sealed class OneByOneDriverTests
{
    private const int Messages = 40;
    private const long Now = 1_700_000_000_000_000;

    private readonly StandInStore _store = new(null, "SERDICA_WF", null);
    private readonly ConcurrentQueue<(string Id, byte[] Content)> _queue = new();
    private readonly ConcurrentQueue<string> _calls = new();
    private readonly TaskCompletionSource _release = new(RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _end = new(RunContinuationsAsynchronously);

    /// <summary>The reference counts two: one of the sender, one of the receiver. Shared commits are the other backend's point.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Message_costs_two_commits_where_none_are_shared(bool isOneByOne)
    {
        _store.Factory.Before = Hold;
        _store.Factory.Answer = Answer;
        var handled = 0;
        var all = new TaskCompletionSource(RunContinuationsAsynchronously);
        await using var backend = new OracleWorkflowBackend(_store.Options() with { OneByOne = isOneByOne });
        await using var pump = new MessagePump(backend, messages =>
        {
            if (Interlocked.Add(ref handled, messages.Received.Messages.Count) == Messages)
                all.SetResult();
        });
        try
        {
            var sending = Range(0, Messages).Select(i => pump.Sender.SendAsync([(byte)i], cancellationToken: Token)).ToList();
            _release.SetResult();
            await Task.WhenAll(sending);
            pump.Start();
            await all.Task.InTime();

            // Hints are still under way: they have committed nothing.
            var commits = _store.Factory.Commits;
            if (isOneByOne)
            {
                Assert.Equal(2 * Messages, commits);
                Assert.Equal(["receive_batch", "write_batch"], _calls.Distinct().Order());
            }
            else
            {
                Assert.InRange(commits, 3, Messages / 4);
            }
        }
        finally
        {
            _release.TrySetResult();
            _end.SetResult();
        }
    }

    private Task Hold(string call, IReadOnlyList<object?> values)
    {
        _calls.Enqueue(call);
        switch (call)
        {
            case "write_batch":
                return _release.Task;
            case "receive_batch":
                return _queue.IsEmpty && values[1] is > 0 ? _end.Task : Task.CompletedTask;
            default:
                return _end.Task;
        }
    }

    private object[] Answer(string call, IReadOnlyList<object?> values)
    {
        switch (call)
        {
            case "write_batch":
                using (var items = JsonDocument.Parse((byte[])values[0]!))
                {
                    var contents = new OracleContentReader((byte[])values[1]!);
                    foreach (var item in items.RootElement.EnumerateArray())
                        _queue.Enqueue((item.GetProperty("id").GetString()!, contents.Next(item)!));
                }

                return [Now, 0L, "[]"u8.ToArray()];
            case "receive_batch":
                var taken = new List<(string Id, byte[] Content)>();
                while (taken.Count < (int)values[0]! && _queue.TryDequeue(out var message))
                    taken.Add(message);
                var json = taken.Select(message => $$"""{"id":"{{message.Id}}","due":{{Now}},"content":{{message.Content.Length}}}""");
                return
                [
                    Now,
                    -1L,
                    0L,
                    Encoding.ASCII.GetBytes($"[{string.Join(',', json)}]"),
                    taken.Count == 0 ? DBNull.Value : taken.SelectMany(message => message.Content).ToArray(),
                ];
            default:
                return [0L];
        }
    }
}
