using System.Collections.Concurrent;
using System.Data;
using System.Diagnostics;
using Npgsql;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Sessions for the hot statements, whose plans are pinned, and a small pool of plain connections for questions
/// that are asked now and then and may scan.
/// </summary>
internal sealed class PostgreSqlConnections : IAsyncDisposable
{
    /// <summary>What sessions of hot statements call themselves to the server.</summary>
    public const string HotName = "serdica-perf";

    /// <summary>What plain connections call themselves.</summary>
    public const string PlainName = "serdica-perf-admin";

    private const int PlainSize = 4;

    private static readonly TimeSpan ReportLimit = TimeSpan.FromSeconds(1);

    /// <summary>
    /// The hot statements look rows up by index, whatever the statistics say: prepared while the tables were
    /// empty, or after a burst, the planner would choose scans and hash joins, and 256 callers fell from 8,400/s
    /// to 3,800/s within 320,000 operations.
    /// </summary>
    private const string PinnedPlans =
        "-c enable_hashjoin=off -c enable_mergejoin=off -c enable_seqscan=off -c enable_bitmapscan=off "
        + "-c plan_cache_mode=force_generic_plan -c jit=off";

    private readonly NpgsqlDataSource _hot;
    private readonly NpgsqlDataSource _plain;
    private readonly PostgreSqlScripts _scripts;
    private readonly bool _pinsInTransaction;
    private readonly ConcurrentStack<PostgreSqlSession> _idle = new();
    private int _lent;

    public PostgreSqlConnections(PostgreSqlBackendOptions options, PostgreSqlScripts scripts)
    {
        _scripts = scripts;
        _pinsInTransaction = options.TransactionPooling;

        var hot = new NpgsqlConnectionStringBuilder(options.ConnectionString)
        {
            // No statement changes the session, so there is nothing to reset.
            NoResetOnClose = true,
            ApplicationName = HotName,
        };
        if (!options.TransactionPooling && hot.MaxAutoPrepare == 0)
        {
            hot.MaxAutoPrepare = 64;
            hot.AutoPrepareMinUsages = 2;
        }

        if (!options.TransactionPooling)
            hot.Options = $"{hot.Options} {PinnedPlans}".Trim();
        _hot = NpgsqlDataSource.Create(hot);

        var plain = new NpgsqlConnectionStringBuilder(options.ConnectionString)
        {
            MaxPoolSize = PlainSize,
            MinPoolSize = 0,
            ApplicationName = PlainName,
        };
        _plain = NpgsqlDataSource.Create(plain);
    }

    /// <summary>Lends a session. One that fails in use is not lent again, and its transaction is rolled back.</summary>
    public async Task<T> UseSessionAsync<T>(Func<PostgreSqlSession, Task<T>> use, CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _lent);
        try
        {
            return await LendAsync(use, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            Interlocked.Decrement(ref _lent);
        }
    }

    /// <summary>
    /// Has all sessions hand their counts over to the server's statistics, which one that works puts off for a second and an
    /// idle one for ten. Waits for those that are in use.
    /// </summary>
    public async Task<PostgreSqlReports> ReportAsync(CancellationToken cancellationToken)
    {
        var (sessions, all) = await ReportSessionsAsync(cancellationToken).ConfigureAwait(false);

        // The pool lends its idle connections in turn, so that so many loans reach all of them.
        for (var i = 0; i < PlainSize; i++)
        {
            var connection = await OpenPlainAsync(cancellationToken).ConfigureAwait(false);
            await using (connection.ConfigureAwait(false))
                await PostgreSqlReports.RequestAsync(connection, _scripts, cancellationToken).ConfigureAwait(false);
        }

        // The driver resets a connection of a pool before it is used again, in a transaction of its own.
        return new(RoundTrips: sessions + PlainSize, Commits: sessions + 2 * PlainSize, all);
    }

    public ValueTask<NpgsqlConnection> OpenPlainAsync(CancellationToken cancellationToken) =>
        _plain.OpenConnectionAsync(cancellationToken);

    public async ValueTask DisposeAsync()
    {
        await DisposeIdleAsync().ConfigureAwait(false);
        await _hot.DisposeAsync().ConfigureAwait(false);
        await _plain.DisposeAsync().ConfigureAwait(false);
    }

    private async Task<(int Count, bool All)> ReportSessionsAsync(CancellationToken cancellationToken)
    {
        var begin = Stopwatch.GetTimestamp();
        var reported = new Stack<PostgreSqlSession>();
        try
        {
            while (true)
            {
                while (_idle.TryPop(out var session))
                {
                    reported.Push(session);
                    await PostgreSqlReports.RequestAsync(session.Connection, _scripts, cancellationToken).ConfigureAwait(false);
                }

                var all = Volatile.Read(ref _lent) == 0 && _idle.IsEmpty;
                if (all || Stopwatch.GetElapsedTime(begin) > ReportLimit)
                    return (reported.Count, all);
                await Task.Delay(1, cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            // In their old order: those that were used last are used first.
            while (reported.TryPop(out var session))
                _idle.Push(session);
        }
    }

    private async Task<T> LendAsync<T>(Func<PostgreSqlSession, Task<T>> use, CancellationToken cancellationToken)
    {
        if (!_idle.TryPop(out var session))
        {
            var connection = await _hot.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
            session = new PostgreSqlSession(connection, _scripts, _pinsInTransaction);
        }

        try
        {
            var result = await use(session).ConfigureAwait(false);
            _idle.Push(session);
            return result;
        }
        catch
        {
            // When the server has gone, the idle sessions are as dead as this one.
            if (session.Connection.FullState != ConnectionState.Open)
                await DisposeIdleAsync().ConfigureAwait(false);
            await session.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private async Task DisposeIdleAsync()
    {
        while (_idle.TryPop(out var session))
            await session.DisposeAsync().ConfigureAwait(false);
    }
}
