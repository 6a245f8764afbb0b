namespace Serdica.Perf.Measurement.Tests.Scenarios;

public sealed class EngineUsageTests
{
    /// <summary>Processes are older than the window: each figure is of the window and not of their lives.</summary>
    [Fact]
    public void Figures_are_of_the_window_summed_and_by_process()
    {
        var (before, after) = (Of(generator: 100, host: 1_000, machine: 5_000, load: 1), Of(107, 1_030, 5_090, load: 2));

        var figures = after.Since(before);
        var sample = after.SampleSince(before);
        var processes = after.ProcessesSince(before)!;

        Assert.Equal(
            [37, 90, 370, 111, 74, 185, 2_137, 1, 2],
            ((string[])
                [
                    MetricNames.EngineCpu,
                    MetricNames.MachineCpu,
                    MetricNames.Allocated,
                    "gen0Collections",
                    MetricNames.FullCollections,
                    MetricNames.CollectionPause,
                    MetricNames.PeakWorkingSet,
                    "loadAverageAtStart",
                    "loadAverageAtEnd",
                ]).Select(name => figures[name].Value!.Value)
        );
        Assert.Equal((37, 370, 3_137), (sample.CpuMs, sample.AllocatedBytes, sample.WorkingSetBytes));
        Assert.Equal([111, 37, 74], sample.Collections);
        Assert.Equal((27, 180), (sample.DiskReadBytes, sample.DiskWriteBytes));
        var generator = processes.Generator;
        Assert.Equal((7, 1_107, 607), (generator.CpuMs, generator.WorkingSetBytes, generator.PeakWorkingSetBytes));
        var host = Assert.Single(processes.Hosts);
        Assert.Equal((30, 2_030, 1_530, 30), (host.CpuMs, host.WorkingSetBytes, host.PeakWorkingSetBytes, host.Counters.Signals));
    }

    [Fact]
    public void Counts_stay_under_their_names()
    {
        var all = typeof(HostCounters).GetProperties().Where(property => property.CanWrite).ToArray();
        var (one, two, three) = (Times(1), Times(2), Times(3));
        var (recorded, none) = (EngineFigures.Recorded(one), Of(0, 0, 0, 0));
        var figures = (none with { Host = one }).Since(none);

        Assert.Equal((two, three), (EngineFigures.Difference(three, one), EngineFigures.Sum([one, two])));
        foreach (var (index, property) in all.Index())
        {
            Assert.Contains(typeof(EngineCounters).GetProperty(property.Name)?.GetValue(recorded), (object?[])[index + 1L, null]);
            var name = JsonNamingPolicy.CamelCase.ConvertName(property.Name);
            Assert.Contains(figures.GetValueOrDefault(name)?.Value, (double?[])[index + 1, null]);
        }

        HostCounters Times(long factor)
        {
            var counters = new HostCounters();
            foreach (var (index, property) in all.Index())
                property.SetValue(counters, factor * (index + 1));
            return counters;
        }
    }

    private static EngineUsage Of(int generator, int host, int machine, double load)
    {
        var usage = new HostUsage(1, Process(host), new() { Signals = host }, InjectedFailures: 0);
        return new()
        {
            Own = Process(generator),
            MachineProcessor = FromMilliseconds(machine),
            Disk = new(machine * 3 / 10, machine * 2),
            LoadAverage = load,
            Host = usage.Counters,
            Hosts = [usage],
        };
    }

    private static ProcessUsage Process(int used) =>
        new()
        {
            Id = 1,
            ProcessorMs = used,
            AllocatedBytes = used * 10,
            Collections = [used * 3, used, used * 2],
            CollectionPauseMs = used * 5,
            WorkingSetBytes = used + 1_000,
            PeakWorkingSetBytes = used + 500,
        };
}
