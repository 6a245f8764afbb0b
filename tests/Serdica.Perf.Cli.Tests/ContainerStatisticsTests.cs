using Serdica.Perf.Cli.Composition;
using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Cli.Tests;

public sealed class ContainerStatisticsTests
{
    [Fact]
    public async Task Container_adds_its_figures_to_those_of_the_server()
    {
        var usage = new ContainerUsage(TimeSpan.FromSeconds(1), 100, 1000, 2000);
        await using var statistics = new ContainerStatistics(new Server(new() { ["commits"] = new(5) }), _ => Task.FromResult<ContainerUsage?>(usage));
        var before = await TakeAsync(statistics);
        usage = new ContainerUsage(TimeSpan.FromSeconds(3), 70, 1500, 2000);

        var values = (await TakeAsync(statistics)).Since(before).Values;

        Assert.Equal((2000, "ms"), (values[MetricNames.DatabaseCpu].Value, values[MetricNames.DatabaseCpu].Unit));
        Assert.Equal((70, true), (values[MetricNames.ContainerMemory].Value, values[MetricNames.ContainerMemory].IsGauge));
        Assert.Equal((500, 0), (values[MetricNames.ContainerBlockReads].Value, values[MetricNames.ContainerBlockWrites].Value));
        Assert.Equal(0, values["commits"].Value);
    }

    [Fact]
    public async Task What_the_server_knows_itself_goes_before_what_the_container_tells()
    {
        await using var statistics = new ContainerStatistics(
            new Server(new() { [MetricNames.DatabaseCpu] = new(7, "ms") }),
            _ => Task.FromResult<ContainerUsage?>(new ContainerUsage(TimeSpan.FromSeconds(1), 100, null, null)));

        Assert.Equal(7, (await TakeAsync(statistics)).Values[MetricNames.DatabaseCpu].Value);
    }

    [Fact]
    public async Task What_the_engine_does_not_tell_is_missing_with_a_sentence_and_never_zero()
    {
        await using var statistics = new ContainerStatistics(new Server([]), _ => Task.FromResult<ContainerUsage?>(null));
        var before = await TakeAsync(statistics);

        var values = (await TakeAsync(statistics)).Since(before).Values;

        Assert.Equal(4, values.Count);
        Assert.All(values.Values, value => Assert.Equal((null, "The container engine does not tell it."), (value.Value, value.Missing)));
    }

    private static Task<StatisticsSnapshot> TakeAsync(ContainerStatistics statistics)
        => statistics.TakeSnapshotAsync(SnapshotDepth.Full, TestContext.Current.CancellationToken);

    private sealed class Server(Dictionary<string, Statistic> values) : IBackendStatistics
    {
        public Task<StatisticsSnapshot> TakeSnapshotAsync(SnapshotDepth depth, CancellationToken cancellationToken) => Task.FromResult(new StatisticsSnapshot(values));

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
