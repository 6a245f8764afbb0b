using System.Threading.Channels;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Tells other processes of closes by NOTIFY. The notification carries the closes, so that those who wait need not look.
/// </summary>
/// <remarks>
/// <para>
/// Who listens holds a shared advisory lock. A notification is only sent while another session holds it, and for a second after
/// that: a store whose instances nobody waits for is not burdened.
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

    private const string Notify = "select pg_notify($1, payload) from unnest($2::text[]) payload";

    private const string WhereHeard = """
         where exists (
            select from pg_locks
            where locktype = 'advisory' and objsubid = 2 and classid = $3 and objid = (hashtext($1) & 2147483647)
                and database = (select oid from pg_database where datname = current_database()) and pid <> $4
        )
        """;

    /// <summary>To look for those who listen takes several times as long as to notify them.</summary>
    private static readonly TimeSpan LookInterval = FromSeconds(1);

    private readonly Channel<ClosedInstance> _heard = Channel.CreateBounded<ClosedInstance>(
        new BoundedChannelOptions(MostKept) { FullMode = BoundedChannelFullMode.DropOldest }
    );

    private readonly Func<CancellationToken, ValueTask<NpgsqlConnection>> _openAsync;
    private readonly string _channel;
    private readonly PostgreSqlHints _hints;
    private volatile int _ownListener;

    /// <summary>When another session was last seen to listen; 0 when the last look found none.</summary>
    private long _seenAt;

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

    /// <returns>Whether another session listens, or did within the last second.</returns>
    public async Task<bool> NotifyAsync(IReadOnlyList<ClosedInstance> closed, CancellationToken cancellationToken)
    {
        var looks = _seenAt == 0 || Stopwatch.GetElapsedTime(_seenAt) >= LookInterval;
        var connection = await _openAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            var command = new NpgsqlCommand(looks ? Notify + WhereHeard : Notify, connection)
            {
                Parameters =
                {
                    new NpgsqlParameter<string> { TypedValue = _channel },
                    new NpgsqlParameter<string[]> { TypedValue = [.. ClosePayload.Write(closed)] },
                },
            };
            if (looks)
            {
                command.Parameters.Add(new NpgsqlParameter { Value = (uint)LockClass, NpgsqlDbType = NpgsqlDbType.Oid });
                command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = _ownListener });
            }

            await using (command.ConfigureAwait(false))
            {
                var sent = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
                await using (sent.ConfigureAwait(false))
                {
                    var isHeard = await sent.ReadAsync(cancellationToken).ConfigureAwait(false);
                    if (looks)
                        _seenAt = isHeard ? Stopwatch.GetTimestamp() : 0;
                    return isHeard;
                }
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
