using Serdica.Perf.Measurement.LoadTests;
using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Samples;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class ResourceSeriesTests
{
    [Fact]
    public void Totals_are_one_series_and_no_sum_of_percentiles()
    {
        // Engine and database are busy in turn, so that both reach a core and together never more.
        var series = new ResourceSeries(machineCores: 2);
        series.Add(At(0, engineMs: 0, databaseMs: 0, machine: null));
        series.Add(At(1, engineMs: 1_000, databaseMs: 0, machine: 0.5));
        series.Add(At(2, engineMs: 1_000, databaseMs: 1_000, machine: 0.75));

        var figures = series.Figures().ToDictionary(component => component.Component);

        Assert.Equal(new(1, 1, 0.5), figures["engine and generator"].Cpu);
        Assert.Equal(new(1, 1, 0.5), figures["database"].Cpu);
        Assert.Equal(new(1, 1, 1), figures["total"].Cpu);
        Assert.Equal(new(1.5, 1.5, 1.25), figures["machine"].Cpu);
        Assert.Equal(new(3_000, 3_000, 3_000), figures["total"].Memory);
        Assert.Equal(2, figures["total"].Samples);
    }

    [Fact]
    public void What_the_system_does_not_tell_is_null_and_samples_too_close_are_left_out()
    {
        var series = new ResourceSeries(machineCores: 2);
        series.Add(At(0, 0, null, null));
        series.Add(At(1, 500, null, null));
        series.Add(At(1.01, 510, null, null));

        var figures = series.Figures().ToDictionary(component => component.Component);

        Assert.Null(figures["database"].Cpu);
        Assert.Equal((1, 0.5), (figures["total"].Samples, figures["total"].Cpu!.Max));
    }

    private static Sample At(double seconds, double engineMs, double? databaseMs, double? machine) => new()
    {
        T = seconds,
        Scenario = "test",
        Repeat = 1,
        Generator = new(0, 0, 0, 0),
        Engine = new(engineMs, 0, [], 1_000, new HostCounters()),
        Database = databaseMs is null ? null : new Dictionary<string, double?> { [MetricNames.DatabaseCpu] = databaseMs, [MetricNames.DatabaseMemory] = 2_000 },
        Host = new(null, machine),
    };
}
