namespace Serdica.Perf.Backends;

/// <summary>What can be measured of a server besides asking it: by its processes, or through its container.</summary>
internal static class ServerFigures
{
    private const string SystemRoot = "/";

    public static async Task<ServerUsage?> ReadUsageAsync(DatabaseServer server, CancellationToken cancellationToken)
    {
        if (server.ProcessId is not null)
            return server
                .Nodes.Select(static node => node.ProcessId is { } process ? ServerProcesses.Read(SystemRoot, process) : null)
                .Aggregate(static (sum, node) => sum is null || node is null ? null : sum.Plus(node));

        return await server.ReadUsageAsync(cancellationToken) is { } container
            ? new(
                container.Processor,
                MemoryBytes: null,
                new(container.MemoryBytes, container.BlockReadBytes, container.BlockWriteBytes),
                container is { BlockReadBytes: { } read, BlockWriteBytes: { } written } ? new(read, written) : null
            )
            : null;
    }

    public static async Task<FsyncProbeResult?> ProbeFsyncAsync(DatabaseServer server, CancellationToken cancellationToken) =>
        FsyncProbe.Of(await server.MeasureFlushesAsync(cancellationToken), server.Description.FileSystem);
}
