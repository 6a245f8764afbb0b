using System.Diagnostics;
using Npgsql;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Sessions for the hot statements, whose plans are pinned; others for leases alone; and a small pool of plain connections
/// for questions that are asked now and then and may scan.
/// </summary>
internal sealed class PostgreSqlConnections : IAsyncDisposable
{
    /// <summary>What sessions of hot statements call themselves to the server.</summary>
    public const string HotName = "serdica-perf";

    /// <summary>What plain connections call themselves.</summary>
    public const string PlainName = "serdica-perf-admin";

    /// <summary>A question to Citus takes ten times as long, and callers wait for the answers to theirs.</summary>
    private readonly int _plainSize;

    private static readonly TimeSpan ReportLimit = TimeSpan.FromSeconds(1);

    private readonly PostgreSqlScripts _scripts;
    private readonly PostgreSqlConnectionSettings _settings;
    private readonly PostgreSqlSessionPool _hot;
    private readonly PostgreSqlSessionPool _leases;
    private readonly NpgsqlDataSource _plain;

    public PostgreSqlConnections(PostgreSqlBackendOptions options, PostgreSqlScripts scripts, TimeProvider time)
    {
        _scripts = scripts;
        _settings = new PostgreSqlConnectionSettings(options);
        _plainSize = options.IsDistributed ? Buckets.Count : 4;
        var pins = options.TransactionPooling ? _settings : null;
        var hot = _settings.Hot(HotName);
        _hot = new PostgreSqlSessionPool(hot, connection => new PostgreSqlSession(connection, scripts, pins), time);
        _leases = new PostgreSqlSessionPool(hot, connection => new PostgreSqlSession(connection, scripts, pins), time);
        var plain = _settings.Plain(PlainName, _plainSize);
        _plain = NpgsqlDataSource.Create(plain);
        ListenerString = PostgreSqlHints.Listening(plain.ConnectionString, options.ListenHeartbeat);
    }

    /// <summary>How the listener connects.</summary>
    public string ListenerString { get; }

    /// <summary>Lends a session for a write of starts and signals.</summary>
    public Task<T> SubmitAsync<T>(Func<PostgreSqlSession, Task<T>> use, CancellationToken cancellationToken) =>
        _hot.UseAsync(_settings.SubmitSeconds, use, cancellationToken);

    /// <summary>Lends a session to a worker.</summary>
    public Task<T> ClaimAsync<T>(Func<PostgreSqlSession, Task<T>> use, CancellationToken cancellationToken) =>
        _hot.UseAsync(_settings.ClaimSeconds, use, cancellationToken);

    /// <summary>
    /// Lends a session that is there for leases alone: an extension that has to wait until others are through comes too late.
    /// </summary>
    /// <param name="limit">How long one answer of the server may take; at least a second.</param>
    /// <param name="use">What to do with the session.</param>
    /// <param name="cancellationToken">Honoured while a connection is opened.</param>
    public Task<T> ExtendAsync<T>(TimeSpan limit, Func<PostgreSqlSession, Task<T>> use, CancellationToken cancellationToken) =>
        _leases.UseAsync((int)Math.Clamp(limit.TotalSeconds, 1, _settings.ClaimSeconds), use, cancellationToken);

    /// <summary>Closes sessions that nobody has needed for long.</summary>
    public async Task TrimAsync()
    {
        await _hot.TrimAsync().ConfigureAwait(false);
        await _leases.TrimAsync().ConfigureAwait(false);
    }

    /// <summary>
    /// Has all sessions hand their counts over to the server's statistics, which one that works puts off for a second and an
    /// idle one for ten. Waits for those that are in use.
    /// </summary>
    public async Task<PostgreSqlReports> ReportAsync(CancellationToken cancellationToken)
    {
        var sessions = 0;
        var all = true;
        foreach (var pool in (PostgreSqlSessionPool[])[_hot, _leases])
        {
            var (count, reported) = await ReportSessionsAsync(pool, cancellationToken).ConfigureAwait(false);
            sessions += count;
            all &= reported;
        }

        // The pool lends its idle connections in turn, so that this number of loans reaches all of them.
        for (var i = 0; i < _plainSize; i++)
        {
            var connection = await OpenPlainAsync(cancellationToken).ConfigureAwait(false);
            await using (connection.ConfigureAwait(false))
                await PostgreSqlReports.RequestAsync(connection, _scripts, cancellationToken).ConfigureAwait(false);
        }

        // The driver resets a connection of a pool before it is used again, in a transaction of its own.
        return new(RoundTrips: sessions + _plainSize, Commits: sessions + 2 * _plainSize, all);
    }

    public ValueTask<NpgsqlConnection> OpenPlainAsync(CancellationToken cancellationToken) => _plain.OpenConnectionAsync(cancellationToken);

    public async ValueTask DisposeAsync()
    {
        await _hot.DisposeAsync().ConfigureAwait(false);
        await _leases.DisposeAsync().ConfigureAwait(false);
        await _plain.DisposeAsync().ConfigureAwait(false);
    }

    private async Task<(int Count, bool All)> ReportSessionsAsync(PostgreSqlSessionPool pool, CancellationToken cancellationToken)
    {
        var began = Stopwatch.GetTimestamp();
        var reported = new Stack<PostgreSqlSession>();
        try
        {
            while (true)
            {
                while (pool.TryTake() is { } session)
                {
                    reported.Push(session);
                    await PostgreSqlReports.RequestAsync(session.Connection, _scripts, cancellationToken).ConfigureAwait(false);
                }

                var all = pool.IsEmpty;
                if (all || Stopwatch.GetElapsedTime(began) > ReportLimit)
                    return (reported.Count, all);
                await Task.Delay(1, cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            // In their old order: those that were used last are used first.
            while (reported.TryPop(out var session))
                pool.Return(session);
        }
    }
}
