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

    private static readonly TimeSpan ReportLimit = FromSeconds(1);

    private readonly PostgreSqlScripts _scripts;
    private readonly PostgreSqlConnectionSettings _settings;
    private readonly PostgreSqlConnectionSettings? _pins;
    private readonly TimeProvider _time;
    private readonly Func<string, NpgsqlDataSource>? _shared;
    private readonly ServerSessions _server;
    private readonly ConcurrentDictionary<BucketNode, ServerSessions> _workers = new();
    private readonly BucketNodes? _nodes;

    public PostgreSqlConnections(PostgreSqlBackendOptions options, PostgreSqlScripts scripts, TimeProvider time, ILogger logger)
    {
        (_scripts, _time, _shared) = (scripts, time, options.SharedSources);
        _settings = new PostgreSqlConnectionSettings(options);
        _plainSize = scripts.Buckets is null ? 4 : 32;
        _pins = options.TransactionPooling ? _settings : null;
        var plain = _settings.Plain(PlainName, _plainSize);
        if (options is { IsDistributed: false, TransactionPooling: false, KnownInstanceBytes: > 0 })
            Server = new ServerIncarnation(scripts);
        _server = NewSessions(_settings.Hot(HotName), plain, Server);
        _nodes = scripts.Buckets is null ? null : new BucketNodes(scripts, OpenPlainAsync, plain, time, logger);
        ListenerString = PostgreSqlHints.Listening(plain.ConnectionString, options.ListenHeartbeat);
    }

    /// <summary>Numbers the servers; null where sessions may go to several at once, or nothing is to be known.</summary>
    public ServerIncarnation? Server { get; }

    /// <summary>How the listener connects.</summary>
    public string ListenerString { get; }

    /// <summary>Lends a session for a write of starts and signals.</summary>
    /// <param name="bucket">Where most of it goes; null where there are no buckets.</param>
    public Task<T> SubmitAsync<T>(short? bucket, Func<PostgreSqlSession, Task<T>> use, CancellationToken cancellationToken) =>
        UseAsync(bucket, static sessions => sessions.Hot, _settings.SubmitSeconds, use, cancellationToken);

    /// <summary>Lends a session to a worker.</summary>
    /// <param name="bucket">From where it claims; null where there are no buckets.</param>
    public Task<T> ClaimAsync<T>(short? bucket, Func<PostgreSqlSession, Task<T>> use, CancellationToken cancellationToken) =>
        UseAsync(bucket, static sessions => sessions.Hot, _settings.ClaimSeconds, use, cancellationToken);

    /// <summary>
    /// Lends a session that is there for leases alone: an extension that has to wait until others are through comes too late.
    /// </summary>
    /// <param name="bucket">Where the leases lie; null where there are no buckets.</param>
    /// <param name="limit">How long one answer of the server may take; at least a second.</param>
    public Task<T> ExtendAsync<T>(short? bucket, TimeSpan limit, Func<PostgreSqlSession, Task<T>> use, CancellationToken cancellationToken)
    {
        var seconds = (int)Math.Clamp(limit.TotalSeconds, 1, _settings.ClaimSeconds);
        return UseAsync(bucket, static sessions => sessions.Leases, seconds, use, cancellationToken);
    }

    /// <summary>Closes sessions that nobody has needed for long.</summary>
    public async Task TrimAsync()
    {
        foreach (var pool in AllPools())
            await pool.TrimAsync().ConfigureAwait(false);
    }

    /// <summary>
    /// Has all sessions of the server, on Citus of the coordinator, hand their counts over to the statistics, which one that works
    /// puts off for a second and an idle one for ten. Waits for those that are in use.
    /// </summary>
    public async Task<PostgreSqlReports> ReportAsync(CancellationToken cancellationToken)
    {
        var sessions = 0;
        var all = true;
        foreach (var pool in (PostgreSqlSessionPool[])[_server.Hot, _server.Leases])
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

        // The driver resets a connection of a pool before it is used again, in a transaction of its own; not on Citus.
        var resets = _scripts.Buckets is null ? _plainSize : 0;
        return new(RoundTrips: sessions + _plainSize, Commits: sessions + _plainSize + resets, all);
    }

    public ValueTask<NpgsqlConnection> OpenPlainAsync(CancellationToken cancellationToken) =>
        _server.Plain.OpenConnectionAsync(cancellationToken);

    /// <summary>A plain connection to ask about one bucket; null where there are no buckets, or about all of them.</summary>
    public async ValueTask<NpgsqlConnection> OpenPlainAsync(short? bucket, CancellationToken cancellationToken)
    {
        var sessions =
            bucket is { } one && _nodes is not null
                ? SessionsOf(await _nodes.OfAsync(one, cancellationToken).ConfigureAwait(false))
                : _server;
        return await sessions.Plain.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var pool in AllPools())
            await pool.DisposeAsync().ConfigureAwait(false);
        foreach (var sessions in _workers.Values.Append(_server))
            await sessions.Plain.DisposeAsync().ConfigureAwait(false);
        _nodes?.Dispose();
    }

    private Task<T> UseAsync<T>(
        short? bucket,
        Func<ServerSessions, PostgreSqlSessionPool> poolOf,
        int seconds,
        Func<PostgreSqlSession, Task<T>> use,
        CancellationToken cancellationToken
    ) =>
        bucket is { } one && _nodes is not null
            ? UseAsync(one, poolOf, seconds, use, cancellationToken)
            : poolOf(_server).UseAsync(seconds, use, cancellationToken);

    /// <summary>Lends a session to the node that has the bucket.</summary>
    private async Task<T> UseAsync<T>(
        short bucket,
        Func<ServerSessions, PostgreSqlSessionPool> poolOf,
        int seconds,
        Func<PostgreSqlSession, Task<T>> use,
        CancellationToken cancellationToken
    )
    {
        var node = await _nodes!.OfAsync(bucket, cancellationToken).ConfigureAwait(false);
        try
        {
            return await poolOf(SessionsOf(node)).UseAsync(seconds, use, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (PostgreSqlErrors.EndsSessions(e))
        {
            _nodes.Forget(node);
            throw;
        }
    }

    private ServerSessions SessionsOf(BucketNode? node) =>
        node is not null
            ? _workers.GetOrAdd(
                node,
                static (node, all) =>
                    all.NewSessions(node.Of(all._settings.Hot(HotName)), node.Of(all._settings.Plain(PlainName, all._plainSize))),
                this
            )
            : _server;

    private ServerSessions NewSessions(
        NpgsqlConnectionStringBuilder hot,
        NpgsqlConnectionStringBuilder plain,
        ServerIncarnation? server = null
    )
    {
        return new(NewPool(server), NewPool(server: null), new(plain.ConnectionString, _shared));

        PostgreSqlSessionPool NewPool(ServerIncarnation? server) =>
            new(hot, _shared, connection => new PostgreSqlSession(connection, _scripts, _pins), server, _time);
    }

    private IEnumerable<PostgreSqlSessionPool> AllPools() =>
        _workers.Values.Append(_server).SelectMany(static sessions => (PostgreSqlSessionPool[])[sessions.Hot, sessions.Leases]);

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
                    try
                    {
                        await PostgreSqlReports.RequestAsync(session.Connection, _scripts, cancellationToken).ConfigureAwait(false);
                    }
                    catch
                    {
                        await session.DisposeAsync().ConfigureAwait(false);
                        throw;
                    }

                    reported.Push(session);
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

    /// <param name="Leases">Sessions that do nothing else.</param>
    private sealed record ServerSessions(PostgreSqlSessionPool Hot, PostgreSqlSessionPool Leases, ConnectionSource Plain);
}
