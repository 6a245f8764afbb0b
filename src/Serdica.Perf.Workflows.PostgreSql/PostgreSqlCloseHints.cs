using System.Threading.Channels;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Tells other processes of closes by NOTIFY. The notification carries the closes, so that those who wait need not look.
/// </summary>
/// <remarks>
/// <para>
/// Who listens holds a shared advisory lock. A notification is only sent when another session holds it: a store whose
/// instances nobody waits for is not burdened.
/// </para>
/// <para>Compiled into the MongoDB backend too, as <see cref="PostgreSqlHints"/> is.</para>
/// </remarks>
internal sealed class PostgreSqlCloseHints : IAsyncDisposable
{
    /// <summary>The first key of the lock, <c>clos</c>; the second one stands for the channel.</summary>
    private const int LockClass = 0x636C6F73;

    /// <summary>When nobody waits for more, the oldest are found by a look.</summary>
    public const int MostKept = 10_000;

    private const string Lock = "select pg_advisory_lock_shared($1, hashtext($2) & 2147483647)";

    private const string Notify = """
        select pg_notify($2, payload)
        from unnest($3::text[]) payload
        where exists (
            select from pg_locks
            where locktype = 'advisory' and objsubid = 2 and classid = $1 and objid = (hashtext($2) & 2147483647)
                and database = (select oid from pg_database where datname = current_database()) and pid <> $4
        )
        """;

    private readonly Channel<ClosedInstance> _heard = Channel.CreateBounded<ClosedInstance>(
        new BoundedChannelOptions(MostKept) { FullMode = BoundedChannelFullMode.DropOldest }
    );

    private readonly Func<CancellationToken, ValueTask<NpgsqlConnection>> _openAsync;
    private readonly string _channel;
    private readonly PostgreSqlHints _hints;
    private volatile int _ownListener;

    public PostgreSqlCloseHints(Func<CancellationToken, ValueTask<NpgsqlConnection>> openAsync, string listenerString, string channel)
    {
        _openAsync = openAsync;
        _channel = channel;
        _hints = new PostgreSqlHints(openAsync, listenerString, channel, beginListeningAsync: BeginListeningAsync);
    }

    public async Task<IReadOnlyList<ClosedInstance>> WaitAsync(TimeSpan maximum, CancellationToken cancellationToken)
    {
        if (_heard.Reader.Count == 0)
            await _hints.WaitAsync(maximum, cancellationToken).ConfigureAwait(false);
        var closed = new List<ClosedInstance>();
        while (_heard.Reader.TryRead(out var one))
            closed.Add(one);
        return closed;
    }

    /// <returns>Whether another session listens.</returns>
    public async Task<bool> NotifyAsync(IReadOnlyList<ClosedInstance> closed, CancellationToken cancellationToken)
    {
        var connection = await _openAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            var command = new NpgsqlCommand(Notify, connection)
            {
                Parameters =
                {
                    new NpgsqlParameter { Value = (uint)LockClass, NpgsqlDbType = NpgsqlDbType.Oid },
                    new NpgsqlParameter<string> { TypedValue = _channel },
                    new NpgsqlParameter<string[]> { TypedValue = [.. ClosePayload.Write(closed)] },
                    new NpgsqlParameter<int> { TypedValue = _ownListener },
                },
            };
            await using (command.ConfigureAwait(false))
            {
                var sent = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
                await using (sent.ConfigureAwait(false))
                    return await sent.ReadAsync(cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Keeps what a notification tells for the next who waits.</summary>
    public void Hear(string payload)
    {
        foreach (var closed in ClosePayload.Read(payload))
            _heard.Writer.TryWrite(closed);
    }

    public ValueTask DisposeAsync() => _hints.DisposeAsync();

    private async Task BeginListeningAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        connection.Notification += (_, notification) => Hear(notification.Payload);
        var command = new NpgsqlCommand(Lock, connection)
        {
            Parameters =
            {
                new NpgsqlParameter<int> { TypedValue = LockClass },
                new NpgsqlParameter<string> { TypedValue = _channel },
            },
        };
        await using (command.ConfigureAwait(false))
            await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        _ownListener = connection.ProcessID;
    }
}
