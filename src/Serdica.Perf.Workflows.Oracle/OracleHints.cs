namespace Serdica.Perf.Workflows.Oracle;

/// <summary>
/// Hints by way of a queue of their own that lies in memory, one of each process at most: a hint wakes one other process,
/// and work wants one. Lost hints cost a poll, never a signal.
/// </summary>
/// <remarks>AQ waits in whole seconds, so a wait in the database may outlast that of the caller.</remarks>
internal sealed class OracleHints(OracleConnections connections) : IAsyncDisposable
{
    /// <summary>A waiting dequeue cannot be relied on to notice that it is cancelled, and holds a connection.</summary>
    public const int LongestWaitSeconds = 2;

    /// <summary>What the server may take on top of the wait.</summary>
    private static readonly TimeSpan Grace = FromSeconds(15);

    private readonly SharedWait _wait = new();
    private readonly byte[] _sender = OracleText.Raw(Guid.NewGuid());
    private long _left;
    private long _heard;

    /// <summary>Hints that this process has left in the queue.</summary>
    public long Left => Interlocked.Read(ref _left);

    /// <summary>Hints of other processes that this one has taken.</summary>
    public long Heard => Interlocked.Read(ref _heard);

    /// <summary>How long a call may take that waits in the database.</summary>
    public static TimeSpan LimitOf(int seconds) => FromSeconds(seconds) + Grace;

    public Task WaitAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        _wait.WaitAsync(
            left => TakeAsync((int)Math.Clamp(Math.Ceiling(left.TotalSeconds), 1, LongestWaitSeconds)),
            maximum,
            cancellationToken
        );

    public Task NotifyAsync(CancellationToken cancellationToken) =>
        connections.UseAsync(
            async session =>
            {
                var output = await session.ExecuteAsync(OracleStatement.NotifyWork, [_sender], cancellationToken).ConfigureAwait(false);
                return Interlocked.Add(ref _left, output.Number(0));
            },
            cancellationToken
        );

    /// <summary>Waits for the call that is under way. A hint that it has taken is for another process.</summary>
    public async ValueTask DisposeAsync()
    {
        if (!await _wait.EndAsync().ConfigureAwait(false))
            return;
        using var limit = new CancellationTokenSource(FromSeconds(1));
        try
        {
            await NotifyAsync(limit.Token).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // It was only a hint.
        }
    }

    private Task<bool> TakeAsync(int seconds) =>
        connections.UseAsync(
            async session =>
            {
                var output = await session
                    .ExecuteAsync(OracleStatement.AwaitWork, [_sender, seconds], LimitOf(seconds), _wait.Ended)
                    .ConfigureAwait(false);
                Interlocked.Add(ref _heard, output.Number(0));
                return output.Number(0) > 0;
            },
            _wait.Ended
        );
}
