namespace Serdica.Perf.Workflows.Oracle;

/// <summary>
/// Hints by way of a queue of their own that lies in memory, one of each process at most: a hint wakes one other process,
/// and work wants one. Lost hints cost a poll, never a signal.
/// </summary>
/// <remarks>
/// AQ waits in whole seconds, so a wait in the database may outlast that of the caller: the caller goes on at its deadline,
/// and the next one takes up the wait that is under way, with the hint that it may have taken meanwhile.
/// </remarks>
internal sealed class OracleHints(OracleConnections connections) : IAsyncDisposable
{
    /// <summary>A waiting dequeue cannot be relied on to notice that it is cancelled, and holds a connection.</summary>
    public const int LongestWaitSeconds = 2;

    /// <summary>What the server may take on top of the wait.</summary>
    private static readonly TimeSpan Grace = FromSeconds(15);

    private readonly CancellationTokenSource _stop = new();
    private readonly Lock _gate = new();
    private readonly byte[] _sender = OracleText.Raw(Guid.NewGuid());
    private Task<bool>? _taking;
    private long _left;
    private long _heard;

    /// <summary>Hints that this process has left in the queue.</summary>
    public long Left => Interlocked.Read(ref _left);

    /// <summary>Hints of other processes that this one has taken.</summary>
    public long Heard => Interlocked.Read(ref _heard);

    /// <summary>How long a call may take that waits in the database.</summary>
    public static TimeSpan LimitOf(int seconds) => FromSeconds(seconds) + Grace;

    public async Task WaitAsync(TimeSpan maximum, CancellationToken cancellationToken)
    {
        if (_stop.IsCancellationRequested)
        {
            // Nothing comes any more; those who go on waiting must not do so in a busy loop.
            await Task.Delay(maximum, cancellationToken).ConfigureAwait(false);
            return;
        }

        var began = Stopwatch.GetTimestamp();
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var left = maximum - Stopwatch.GetElapsedTime(began);
            if (left <= TimeSpan.Zero)
                return;
            var taking = Take(left);
            try
            {
                if (await taking.WaitAsync(left, cancellationToken).ConfigureAwait(false))
                    return;
            }
            catch (TimeoutException) when (!taking.IsFaulted)
            {
                // Nothing came; the caller looks for itself.
                return;
            }
            finally
            {
                Forget(taking);
            }
        }
    }

    public Task NotifyAsync(CancellationToken cancellationToken) =>
        connections.UseAsync(
            async session =>
            {
                var output = await session.ExecuteAsync(OracleStatement.NotifyWork, [_sender], cancellationToken).ConfigureAwait(false);
                return Interlocked.Add(ref _left, output.Number(0));
            },
            cancellationToken
        );

    /// <summary>Waits for the call that is under way: at most as long as one wait in the database.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        if (_taking is not { } taking)
            return;
        try
        {
            await taking.ConfigureAwait(false);
        }
        catch (Exception e) when (e is OperationCanceledException || OracleErrors.IsDriverError(e))
        {
            // It was only a hint.
        }
    }

    /// <summary>The wait in the database that is under way, or a new one.</summary>
    private Task<bool> Take(TimeSpan left)
    {
        lock (_gate)
            return _taking ??= TakeAsync((int)Math.Clamp(Math.Ceiling(left.TotalSeconds), 1, LongestWaitSeconds));
    }

    private void Forget(Task<bool> taking)
    {
        lock (_gate)
        {
            if (taking.IsCompleted && _taking == taking)
                _taking = null;
        }
    }

    private Task<bool> TakeAsync(int seconds) =>
        connections.UseAsync(
            async session =>
            {
                var output = await session
                    .ExecuteAsync(OracleStatement.AwaitWork, [_sender, seconds], LimitOf(seconds), _stop.Token)
                    .ConfigureAwait(false);
                Interlocked.Add(ref _heard, output.Number(0));
                return output.Number(0) > 0;
            },
            _stop.Token
        );
}
