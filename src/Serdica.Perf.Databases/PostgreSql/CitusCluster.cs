namespace Serdica.Perf.Databases.PostgreSql;

/// <summary>A throw-away cluster.</summary>
/// <param name="nodes">The coordinator first.</param>
internal class CitusCluster(IReadOnlyList<DatabaseServer> nodes, ServerDescription description) : DatabaseServer
{
    public override string ConnectionString => nodes[0].ConnectionString;

    public override ServerDescription Description => description;

    public override IReadOnlyList<DatabaseServer> Nodes => nodes;

    /// <summary>Removes each, whatever becomes of another.</summary>
    public static Task DisposeAsync(IEnumerable<DatabaseServer> nodes) =>
        Task.WhenAll(nodes.Select(static node => node.DisposeAsync().AsTask()));

    public override async Task<ContainerUsage?> ReadUsageAsync(CancellationToken cancellationToken) =>
        (await Task.WhenAll(nodes.Select(node => node.ReadUsageAsync(cancellationToken)))).Aggregate(static (sum, node) =>
            sum is null || node is null
                ? null
                : new(
                    sum.Processor + node.Processor,
                    sum.MemoryBytes + node.MemoryBytes,
                    sum.BlockReadBytes + node.BlockReadBytes,
                    sum.BlockWriteBytes + node.BlockWriteBytes
                )
        );

    /// <summary>Those of a worker: instances are written there.</summary>
    public override Task<IReadOnlyList<TimeSpan>> MeasureFlushesAsync(CancellationToken cancellationToken) =>
        nodes[^1].MeasureFlushesAsync(cancellationToken);

    public override async ValueTask DisposeAsync() => await DisposeAsync(nodes);
}
