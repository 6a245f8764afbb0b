using System.Threading.Channels;

namespace Serdica.Perf.Workflows;

/// <summary>
/// Hints closes to other processes: the first at once, and what closes meanwhile together with the next. No worker waits
/// for that.
/// </summary>
internal sealed class CloseHints(IWorkflowBackend backend, TimeProvider time) : IAsyncDisposable
{
    /// <summary>Closes that wait for their hint; when there are more, the oldest are found by a look.</summary>
    private const int MostKept = 10_000;

    /// <summary>After it has turned out that nobody listens.</summary>
    private static readonly TimeSpan NobodyListens = FromSeconds(1);

    private readonly Channel<ClosedInstance> _closed = Channel.CreateBounded<ClosedInstance>(
        new BoundedChannelOptions(MostKept) { FullMode = BoundedChannelFullMode.DropOldest, SingleReader = true }
    );

    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _gate = new();
    private Task? _sending;

    public void Add(ClosedInstance closed)
    {
        if (!backend.Capabilities.HintsCloses)
            return;
        _closed.Writer.TryWrite(closed);
        if (_sending is not null)
            return;
        lock (_gate)
        {
            if (!_stop.IsCancellationRequested)
                _sending ??= Detached.Begin(this, static hints => Task.Run(hints.SendAsync, CancellationToken.None));
        }
    }

    /// <summary>What has not been hinted is found by a look.</summary>
    public async ValueTask DisposeAsync()
    {
        Task? sending;
        lock (_gate)
        {
            _stop.Cancel();
            sending = _sending;
        }

        if (sending is not null)
            await sending.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    private async Task SendAsync()
    {
        var batch = new List<ClosedInstance>();
        while (await _closed.Reader.WaitToReadAsync(_stop.Token).ConfigureAwait(false))
        {
            while (_closed.Reader.TryRead(out var closed))
                batch.Add(closed);
            var isHeard = false;
            try
            {
                isHeard = await backend.NotifyClosesAsync(batch, _stop.Token).ConfigureAwait(false);
            }
            catch (Exception) when (!_stop.IsCancellationRequested)
            {
                // It was only a hint, whatever the error: the others look as well.
            }

            batch.Clear();
            if (!isHeard)
                await Task.Delay(NobodyListens, time, _stop.Token).ConfigureAwait(false);
        }
    }
}
