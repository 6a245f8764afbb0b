namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Vacuums the signals of a busy schema, as often as it is worth it.</summary>
/// <remarks>
/// A vacuum reads the indexes as a whole. With millions of timers that takes seconds, so the next one waits for a multiple of
/// the time that the last one took. While an old snapshot keeps the dead rows, a vacuum frees nothing: then the pauses grow.
/// </remarks>
internal sealed partial class PostgreSqlVacuum(
    PostgreSqlConnections connections,
    PostgreSqlScripts scripts,
    PostgreSqlQueries queries,
    TimeProvider time,
    ILogger logger
)
{
    /// <summary>Signals taken since the last time that make a vacuum worth its while.</summary>
    private const int Threshold = 2_000;

    /// <summary>Pauses are this much longer than the vacuum: it takes a twentieth of the time of one session at the most.</summary>
    private const int PauseFactor = 20;

    private static readonly TimeSpan FirstUselessPause = FromSeconds(5);
    private static readonly TimeSpan LongestPause = FromMinutes(5);

    private readonly SemaphoreSlim _turn = new(1, 1);
    private long _taken;
    private long _withoutEffect;
    private long _lastEnd;
    private TimeSpan _pause;
    private TimeSpan _uselessPause;

    /// <summary>Vacuums that freed less than half of what they were for; the next ones wait longer and longer.</summary>
    public long WithoutEffect => Interlocked.Read(ref _withoutEffect);

    /// <summary>Signals or messages were taken.</summary>
    public void Taken(int count) => Interlocked.Add(ref _taken, count);

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        // Another host on the same backend object may be at it.
        if (Interlocked.Read(ref _taken) < Threshold || !await _turn.WaitAsync(0, cancellationToken).ConfigureAwait(false))
            return;
        try
        {
            if (time.GetElapsedTime(_lastEnd) < _pause)
                return;
            var taken = Interlocked.Exchange(ref _taken, 0);
            var began = time.GetTimestamp();
            if (!await VacuumAsync(cancellationToken).ConfigureAwait(false))
            {
                Interlocked.Add(ref _taken, taken);
                return;
            }

            await FollowAsync(taken, time.GetElapsedTime(began), cancellationToken).ConfigureAwait(false);
            _lastEnd = time.GetTimestamp();
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>Without a time limit: one that is cancelled has done its work for nothing, and begins anew.</summary>
    /// <returns>False when the signals were skipped, because another session held their lock.</returns>
    private async Task<bool> VacuumAsync(CancellationToken cancellationToken)
    {
        var isSkipped = false;
        var connection = await connections.OpenPlainAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            // The server warns of each table that it skips. Its count of vacuums may be late before version 15.
            connection.Notice += (_, e) =>
                isSkipped |=
                    e.Notice.SqlState == PostgresErrorCodes.LockNotAvailable
                    && e.Notice.MessageText.Contains("signal", Ordinal);
            var command = new NpgsqlCommand(scripts["vacuum"], connection) { CommandTimeout = 0 };
            await using (command.ConfigureAwait(false))
                await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }

        return !isSkipped;
    }

    private async Task FollowAsync(long taken, TimeSpan duration, CancellationToken cancellationToken)
    {
        var rows = await queries
            .ReadAsync(
                "vacuum-left",
                static _ => { },
                static reader => (Dead: reader.GetInt64(1), Holder: reader.IsDBNull(2) ? (int?)null : reader.GetInt32(2)),
                cancellationToken
            )
            .ConfigureAwait(false);
        var (dead, holder) = rows[0];
        _pause = Shorter(duration * PauseFactor, LongestPause);
        if (dead < taken / 2)
        {
            _uselessPause = TimeSpan.Zero;
            return;
        }

        Interlocked.Increment(ref _withoutEffect);

        // The first one of a row tells; the pauses say the rest.
        if (_uselessPause == TimeSpan.Zero)
            VacuumFreesNothing(logger, dead, holder);
        _uselessPause = Shorter(_uselessPause == TimeSpan.Zero ? FirstUselessPause : 2 * _uselessPause, LongestPause);
        if (_uselessPause > _pause)
            _pause = _uselessPause;
    }

    private static TimeSpan Shorter(TimeSpan one, TimeSpan other) => one < other ? one : other;

    [LoggerMessage(
        1,
        LogLevel.Warning,
        "A vacuum of the signals has left {DeadRows} dead rows: an old snapshot keeps them, and claims become slower. The oldest is that "
            + "of session {ProcessId}; a replication slot or a prepared transaction may hold one too. Vacuums pause meanwhile"
    )]
    private static partial void VacuumFreesNothing(ILogger logger, long deadRows, int? processId);
}
