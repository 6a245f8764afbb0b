namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Figures of all nodes of a Citus cluster: counts, sizes, bytes, waits and statements are sums. While a worker cannot be asked, its part
/// is missing, and so are the figures.
/// </summary>
internal sealed class CitusStatistics : IBackendStatistics
{
    private const string Workers = "select node_name, node_port::integer from citus_get_active_worker_nodes() order by 1, 2";

    /// <summary>States of the cluster that are as bad as on the worst of its nodes.</summary>
    private static readonly string[] Worst = ["oldestTransactionAge", "notificationQueueUsage"];

    private readonly PostgreSqlBackendOptions _options;
    private readonly PostgreSqlStatistics _coordinator;
    private readonly SemaphoreSlim _turn = new(1, 1);
    private List<PostgreSqlStatistics>? _workers;

    /// <param name="options">The schema that is reported on, and how to connect to the coordinator; workers take the same user.</param>
    public CitusStatistics(PostgreSqlBackendOptions options, PostgreSqlStatistics coordinator) =>
        (_options, _coordinator) = (options, coordinator);

    public async Task<StatisticsSnapshot> TakeSnapshotAsync(SnapshotDepth depth, CancellationToken cancellationToken)
    {
        var coordinator = await _coordinator.TakeSnapshotAsync(depth, cancellationToken).ConfigureAwait(false);
        var snapshots = new List<StatisticsSnapshot> { coordinator };
        foreach (var worker in await WorkersAsync(cancellationToken).ConfigureAwait(false))
        {
            try
            {
                snapshots.Add(await worker.TakeSnapshotAsync(depth, cancellationToken).ConfigureAwait(false));
            }
            catch (WorkflowBackendException)
            {
                snapshots.Add(new(coordinator.Values.ToDictionary(static one => one.Key, static one => Unasked(one.Value))));
            }
        }

        return Of(snapshots);
    }

    public async ValueTask DisposeAsync()
    {
        await _coordinator.DisposeAsync().ConfigureAwait(false);
        foreach (var worker in _workers ?? [])
            await worker.DisposeAsync().ConfigureAwait(false);
        _turn.Dispose();
    }

    /// <summary>The figures of the cluster.</summary>
    /// <param name="nodes">What the nodes say, the coordinator first.</param>
    internal static StatisticsSnapshot Of(IReadOnlyList<StatisticsSnapshot> nodes) =>
        new(
            nodes[0].Values.ToDictionary(
                static figure => figure.Key,
                figure => Of(figure.Key, [.. nodes.Select(node => node.Values.GetValueOrDefault(figure.Key)).OfType<Statistic>()])
            )
        )
        {
            Waits =
            [
                .. nodes
                    .SelectMany(static node => node.Waits)
                    .GroupBy(static wait => (wait.Class, wait.Name))
                    .Select(static same =>
                        same.First() with
                        {
                            Microseconds = same.Sum(static wait => wait.Microseconds),
                            Count = same.Sum(static wait => wait.Count),
                        }
                    ),
            ],
            WaitsMissing = nodes.All(static node => node.WaitsMissing is not null) ? nodes[0].WaitsMissing : null,
            Statements =
            [
                .. nodes
                    .SelectMany(static node => node.Statements)
                    .GroupBy(static statement => statement.Text)
                    .Select(static same => new StatementCost(
                        same.Key,
                        same.Sum(static statement => statement.Calls),
                        same.Sum(static statement => statement.Milliseconds),
                        same.Sum(static statement => statement.Rows),
                        same.Sum(static statement => statement.LogBytes)
                    )),
            ],
            StatementsMissing = nodes[0].StatementsMissing,
        };

    private static Statistic Unasked(Statistic figure) =>
        figure with { Value = null, Missing = "A worker of the cluster could not be asked." };

    /// <summary>One figure of the cluster; without a value where one of the nodes has none.</summary>
    /// <param name="nodes">What the nodes say, the coordinator first.</param>
    internal static Statistic Of(string name, IReadOnlyList<Statistic> nodes)
    {
        if (nodes.FirstOrDefault(static node => node.Value is null) is { } missing)
            return missing;
        var values = nodes.Select(static node => node.Value!.Value);
        return nodes[0] with { Value = Worst.Contains(name) ? values.Max() : values.Sum(), Lag = nodes.Max(static node => node.Lag) };
    }

    private async Task<List<PostgreSqlStatistics>> WorkersAsync(CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            return _workers ??= await FindWorkersAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (PostgreSqlErrors.IsDriverError(e))
        {
            throw PostgreSqlErrors.Wrap("find the workers of the cluster", e);
        }
        finally
        {
            _turn.Release();
        }
    }

    private async Task<List<PostgreSqlStatistics>> FindWorkersAsync(CancellationToken cancellationToken)
    {
        var workers = new List<PostgreSqlStatistics>();
        var source = PostgreSqlStatisticsSession.CreateSource(_options);
        await using (source.ConfigureAwait(false))
        {
            var command = source.CreateCommand(Workers);
            await using (command.ConfigureAwait(false))
            {
                var reader = await command.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
                await using (reader.ConfigureAwait(false))
                {
                    while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                        workers.Add(new(At(reader.GetString(0), reader.GetInt32(1))));
                }
            }
        }

        return workers;
    }

    private PostgreSqlBackendOptions At(string host, int port) =>
        _options with
        {
            ConnectionString = new NpgsqlConnectionStringBuilder(_options.ConnectionString) { Host = host, Port = port }.ConnectionString,
        };
}
