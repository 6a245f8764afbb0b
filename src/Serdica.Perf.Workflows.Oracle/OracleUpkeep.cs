namespace Serdica.Perf.Workflows.Oracle;

/// <summary>
/// What keeps a store fast that is used for long: messages without a row are deleted, and empty leaves of the indexes given back.
/// One process does it, once in each pause, whoever comes first.
/// </summary>
internal sealed class OracleUpkeep(OracleConnections connections, TimeSpan pause)
{
    /// <summary>Long enough that a measurement of minutes has none of it.</summary>
    public static readonly TimeSpan Pause = FromMinutes(5);

    /// <summary>Messages that one call and one transaction delete.</summary>
    private const long SweepBatch = 500;

    /// <summary>Indexes are read as a whole.</summary>
    private static readonly TimeSpan CoalesceLimit = FromMinutes(10);

    private long _last = TimeProvider.System.GetTimestamp();

    /// <summary>Cheap within the pause: it asks nobody.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        if (TimeProvider.System.GetElapsedTime(Interlocked.Read(ref _last)) < pause)
            return;
        Interlocked.Exchange(ref _last, TimeProvider.System.GetTimestamp());

        // Other processes of the store have looked at their own clocks.
        if (await CallAsync(OracleStatement.BeginUpkeep, OracleTime.Microseconds(pause), cancellationToken).ConfigureAwait(false) == 0)
            return;
        while (await CallAsync(OracleStatement.SweepMessages, SweepBatch, cancellationToken).ConfigureAwait(false) == SweepBatch)
        {
            // The next ones.
        }

        await connections
            .UseAsync(
                session => session.ExecuteAsync(OracleStatement.Plain("coalesce-indexes"), [], CoalesceLimit, cancellationToken),
                cancellationToken
            )
            .ConfigureAwait(false);
    }

    private Task<long> CallAsync(OracleStatement statement, long value, CancellationToken cancellationToken) =>
        connections.UseAsync(
            async session => (await session.ExecuteAsync(statement, [value], cancellationToken).ConfigureAwait(false)).Number(0),
            cancellationToken
        );
}
