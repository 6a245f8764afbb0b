using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Cli.Composition;

/// <summary>The counters of a server and, read at the same time, those of the container around it.</summary>
/// <param name="server">The server's own; what it knows by the same name goes before the container's.</param>
/// <param name="readUsageAsync">Reads the container's; null when the engine does not answer.</param>
internal sealed class ContainerStatistics(IBackendStatistics server, Func<CancellationToken, Task<ContainerUsage?>> readUsageAsync) : IBackendStatistics
{
    private const string NotTold = "The container engine does not tell it.";

    public async Task<StatisticsSnapshot> TakeSnapshotAsync(SnapshotDepth depth, CancellationToken cancellationToken)
    {
        var reading = readUsageAsync(cancellationToken);
        var snapshot = await server.TakeSnapshotAsync(depth, cancellationToken).ConfigureAwait(false);
        var usage = await reading.ConfigureAwait(false);

        var values = snapshot.Values.ToDictionary();
        values.TryAdd(MetricNames.DatabaseCpu, Told(usage?.Processor.TotalMilliseconds, "ms"));
        values.TryAdd(MetricNames.ContainerMemory, Told(usage?.MemoryBytes, "bytes") with { IsGauge = true });
        values.TryAdd(MetricNames.ContainerBlockReads, Told(usage?.BlockReadBytes, "bytes"));
        values.TryAdd(MetricNames.ContainerBlockWrites, Told(usage?.BlockWriteBytes, "bytes"));
        return snapshot with { Values = values };
    }

    public ValueTask DisposeAsync() => server.DisposeAsync();

    private static Statistic Told(double? value, string unit) => new(value, unit, value is null ? NotTold : null);
}
