using System.Data;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Sessions that are lent to one caller at a time; those that were used last are lent first.</summary>
internal sealed class PostgreSqlSessionPool : IAsyncDisposable
{
    private readonly ConnectionSource _source;
    private readonly Func<NpgsqlConnection, PostgreSqlSession> _create;
    private readonly ServerIncarnation? _server;
    private readonly TimeProvider _time;
    private readonly TimeSpan _lifetime;
    private readonly TimeSpan _idleLifetime;
    private readonly Lock _gate = new();
    private readonly List<PostgreSqlSession> _idle = [];
    private int _lent;

    /// <param name="server">Numbers the servers that sessions meet; null where that is of no interest.</param>
    public PostgreSqlSessionPool(
        NpgsqlConnectionStringBuilder settings,
        Func<string, NpgsqlDataSource>? shared,
        Func<NpgsqlConnection, PostgreSqlSession> create,
        ServerIncarnation? server,
        TimeProvider time
    )
    {
        _server = server;
        _source = new(settings.ConnectionString, shared);
        _create = create;
        _time = time;
        _lifetime = settings.ConnectionLifetime > 0 ? FromSeconds(settings.ConnectionLifetime) : TimeSpan.MaxValue;
        _idleLifetime = settings.ConnectionIdleLifetime > 0 ? FromSeconds(settings.ConnectionIdleLifetime) : TimeSpan.MaxValue;
    }

    /// <summary>No session is lent, and none is left to be taken.</summary>
    public bool IsEmpty
    {
        get
        {
            lock (_gate)
                return _lent == 0 && _idle.Count == 0;
        }
    }

    /// <summary>Lends a session. One that fails in use is not lent again, and its transaction is rolled back.</summary>
    /// <param name="seconds">How long one answer of the server may take.</param>
    public async Task<T> UseAsync<T>(int seconds, Func<PostgreSqlSession, Task<T>> use, CancellationToken cancellationToken)
    {
        var session = await LendAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            session.Limit(seconds);
            var result = await use(session).ConfigureAwait(false);
            TakeBack(session);
            return result;
        }
        catch (Exception e)
        {
            Interlocked.Decrement(ref _lent);

            // When the server has gone, or is no primary any more, the idle sessions are of no more use than this one.
            var isLost = e is not PostgresException && !session.IsAbandoned && session.Connection.FullState != ConnectionState.Open;
            if (isLost || PostgreSqlErrors.EndsSessions(e))
            {
                _server?.Lost();
                await ClearAsync().ConfigureAwait(false);
            }

            await session.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Takes an idle session out, to be given back by <see cref="Return"/>.</summary>
    public PostgreSqlSession? TryTake()
    {
        lock (_gate)
        {
            if (_idle.Count == 0)
                return null;
            var session = _idle[^1];
            _idle.RemoveAt(_idle.Count - 1);
            return session;
        }
    }

    public void Return(PostgreSqlSession session)
    {
        lock (_gate)
            _idle.Add(session);
    }

    /// <summary>Closes sessions that nobody has used for their idle lifetime: those that a burst has left.</summary>
    public async Task TrimAsync()
    {
        List<PostgreSqlSession> old;
        lock (_gate)
        {
            // Those that were used last stand last.
            var first = _idle.FindIndex(session => _time.GetElapsedTime(session.UsedAt) < _idleLifetime);
            old = _idle.GetRange(0, first < 0 ? _idle.Count : first);
            _idle.RemoveRange(0, old.Count);
        }

        foreach (var session in old)
            await CloseAsync(session).ConfigureAwait(false);
    }

    public async ValueTask DisposeAsync()
    {
        await GiveBackAsync().ConfigureAwait(false);
        await _source.DisposeAsync().ConfigureAwait(false);
    }

    private async Task<PostgreSqlSession> LendAsync(CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _lent);
        try
        {
            while (TryTake() is { } idle)
            {
                // The driver may have noticed that the server has gone.
                if (idle.Connection.FullState != ConnectionState.Open)
                    _server?.Lost();
                else if (_time.GetElapsedTime(idle.OpenedAt) < _lifetime)
                    return await MetAsync(idle, cancellationToken).ConfigureAwait(false);
                await CloseAsync(idle).ConfigureAwait(false);
            }

            var connection = await _source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
            var session = _create(connection);
            session.OpenedAt = _time.GetTimestamp();
            return await MetAsync(session, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            Interlocked.Decrement(ref _lent);
            throw;
        }
    }

    private async ValueTask<PostgreSqlSession> MetAsync(PostgreSqlSession session, CancellationToken cancellationToken)
    {
        if (_server is null || session.Incarnation == _server.Current)
            return session;
        try
        {
            await _server.MeetAsync(session, cancellationToken).ConfigureAwait(false);
            return session;
        }
        catch
        {
            _server.Lost();
            await session.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private void TakeBack(PostgreSqlSession session)
    {
        session.UsedAt = _time.GetTimestamp();
        Return(session);
        Interlocked.Decrement(ref _lent);
    }

    /// <summary>Ends the connection, rather than leave it to the driver for others to use.</summary>
    private ValueTask CloseAsync(PostgreSqlSession session)
    {
        _source.Clear();
        return session.DisposeAsync();
    }

    private Task ClearAsync()
    {
        _source.Clear();
        return GiveBackAsync();
    }

    private async Task GiveBackAsync()
    {
        while (TryTake() is { } session)
            await session.DisposeAsync().ConfigureAwait(false);
    }
}
