using System.Diagnostics;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>
/// Hints by way of a queue of their own, one at a time: a hint wakes one process, and work wants one. Lost hints cost a
/// poll, never a signal.
/// </summary>
internal sealed class OracleHints(OracleConnections connections)
{
    /// <summary>
    /// A waiting dequeue cannot be relied on to notice a cancellation, so the token is looked at in between. AQ waits in
    /// whole seconds.
    /// </summary>
    private const int LongestWaitSeconds = 2;

    /// <summary>What the server may take on top of the wait.</summary>
    private static readonly TimeSpan Grace = TimeSpan.FromSeconds(15);

    public async Task WaitAsync(TimeSpan maximum, CancellationToken cancellationToken)
    {
        var began = Stopwatch.GetTimestamp();
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var left = maximum - Stopwatch.GetElapsedTime(began);
            var seconds = (int)Math.Clamp(left.TotalSeconds, 0, LongestWaitSeconds);
            if (await TakeAsync(seconds, cancellationToken).ConfigureAwait(false))
                return;
            if (seconds > 0)
                continue;
            if (left > TimeSpan.Zero)
                await Task.Delay(left, cancellationToken).ConfigureAwait(false);
            return;
        }
    }

    public Task NotifyAsync(CancellationToken cancellationToken) =>
        connections.UseAsync(session => session.ExecuteAsync(OracleStatement.NotifyWork, [], cancellationToken), cancellationToken);

    private Task<bool> TakeAsync(int seconds, CancellationToken cancellationToken) =>
        connections.UseAsync(
            async session =>
            {
                var output = await session.ExecuteAsync(
                    OracleStatement.AwaitWork, [seconds], TimeSpan.FromSeconds(seconds) + Grace, cancellationToken).ConfigureAwait(false);
                return output.Number(0) > 0;
            },
            cancellationToken);
}
