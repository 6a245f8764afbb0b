namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Which worker of a Citus cluster has the shard of each bucket, for those workers that this process can reach. A map that is outdated
/// costs a way through a second node: every node answers for every bucket.
/// </summary>
/// <param name="logger">Learns which workers cannot be reached.</param>
internal sealed partial class BucketNodes(
    PostgreSqlScripts scripts,
    Func<CancellationToken, ValueTask<NpgsqlConnection>> openAsync,
    NpgsqlConnectionStringBuilder coordinator,
    TimeProvider time,
    ILogger logger
) : IDisposable
{
    /// <summary>A shard that was moved is entered at its new node after this time at the latest.</summary>
    private static readonly TimeSpan Interval = FromSeconds(30);

    private const int ReachSeconds = 2;

    private readonly SemaphoreSlim _turn = new(1, 1);
    private readonly ConcurrentDictionary<BucketNode, bool> _reached = new();
    private readonly HashSet<BucketNode> _unreachable = [];
    private volatile Map? _map;

    /// <summary>The node of a bucket; null where the coordinator is the way to it.</summary>
    public ValueTask<BucketNode?> OfAsync(short bucket, CancellationToken cancellationToken) =>
        _map is { } map && !IsOld(map) ? new(map.Nodes.GetValueOrDefault(bucket)) : new(ReadAsync(bucket, cancellationToken));

    /// <summary>A node has failed: the next call reads the map, and looks whether the node can be reached.</summary>
    /// <param name="node">Null for the coordinator.</param>
    public void Forget(BucketNode? node)
    {
        if (node is not null)
            _reached.TryRemove(node, out _);
        if (_map is { } map)
            _map = map with { ReadAt = null };
    }

    public void Dispose() => _turn.Dispose();

    private bool IsOld(Map map) => map.ReadAt is not { } readAt || time.GetElapsedTime(readAt) >= Interval;

    private async Task<BucketNode?> ReadAsync(short bucket, CancellationToken cancellationToken)
    {
        // One reads; the others take what they have, or wait for the first map.
        var patience = _map is null ? Timeout.InfiniteTimeSpan : TimeSpan.Zero;
        var hasTurn = await _turn.WaitAsync(patience, cancellationToken).ConfigureAwait(false);
        try
        {
            if (hasTurn && (_map is not { } map || IsOld(map)))
                _map = new(await ReadNodesAsync(cancellationToken).ConfigureAwait(false), time.GetTimestamp());
        }
        catch (Exception e) when (_map is not null && PostgreSqlErrors.IsDriverError(e))
        {
            // Without the coordinator shards do not move.
            _map = _map with { ReadAt = time.GetTimestamp() };
        }
        finally
        {
            if (hasTurn)
                _turn.Release();
        }

        return _map!.Nodes.GetValueOrDefault(bucket);
    }

    private async Task<FrozenDictionary<short, BucketNode>> ReadNodesAsync(CancellationToken cancellationToken)
    {
        var nodes = new Dictionary<short, BucketNode>();
        var connection = await openAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            var command = new NpgsqlCommand(scripts["bucket-nodes"], connection);
            await using (command.ConfigureAwait(false))
            {
                command.Parameters.AddArray(NpgsqlDbType.Smallint, scripts.Buckets!.All.ToArray());
                var reader = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
                await using (reader.ConfigureAwait(false))
                {
                    while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                        nodes[reader.GetInt16(0)] = new(reader.GetString(1), reader.GetInt32(2));
                }
            }
        }

        foreach (var node in nodes.Values.Distinct().Where(node => !_reached.ContainsKey(node)).ToList())
        {
            if (await IsReachedAsync(node, cancellationToken).ConfigureAwait(false))
                _reached[node] = true;
        }

        return nodes.Where(entry => _reached.ContainsKey(entry.Value)).ToFrozenDictionary();
    }

    /// <summary>Names of workers may mean something among the nodes alone, and their users may log in from there alone.</summary>
    private async Task<bool> IsReachedAsync(BucketNode node, CancellationToken cancellationToken)
    {
        var settings = node.Of(coordinator);
        settings.Pooling = false;
        settings.Timeout = ReachSeconds;
        try
        {
            var source = BuiltInTypes.CreateSource(settings.ConnectionString);
            await using (source.ConfigureAwait(false))
            {
                var connection = await source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
                await connection.DisposeAsync().ConfigureAwait(false);
            }

            return true;
        }
        catch (Exception e) when (PostgreSqlErrors.IsDriverError(e))
        {
            if (_unreachable.Add(node))
            {
                var reason = e is PostgresException { SqlState: var state } ? $"SQLSTATE {state}" : DriverErrors.TextOf(e);
                NodeIsNotReached(logger, node.Host, node.Port, reason);
            }

            return false;
        }
    }

    [LoggerMessage(
        2,
        LogLevel.Warning,
        "The worker {Host}:{Port} of the Citus cluster cannot be reached from here ({Reason}): its shards are used through the "
            + "coordinator, which costs more processor time. Open a way to it under this name, for the user of the connection string"
    )]
    private static partial void NodeIsNotReached(ILogger logger, string host, int port, string reason);

    private sealed record Map(FrozenDictionary<short, BucketNode> Nodes, long? ReadAt);
}

/// <summary>A worker of a Citus cluster.</summary>
/// <param name="Host">As the catalogue of the coordinator names it.</param>
internal sealed record BucketNode(string Host, int Port)
{
    /// <summary>The settings of a connection, to this node.</summary>
    public NpgsqlConnectionStringBuilder Of(NpgsqlConnectionStringBuilder settings) =>
        new(settings.ConnectionString) { Host = Host, Port = Port };
}
