namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class ResourceSeriesTests
{
    [Fact]
    public void Totals_are_one_series_and_no_sum_of_percentiles()
    {
        // Engine and database are busy in turn, so that both reach a core and together never more.
        var series = new ResourceSeries(machineCores: 2, writesMissing: null);
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
    public void Usage_has_the_99th_percentile_by_nearest_rank_beside_maximum_and_mean()
    {
        Assert.Equal(new(198, 200, 100.5), ResourceFigures.Usage.Of(Range(1, 200).Reverse().Select(value => (double)value)));
        Assert.Null(ResourceFigures.Usage.Of([]));
    }

    [Fact]
    public void What_the_system_does_not_tell_is_null_and_samples_too_close_are_left_out()
    {
        var series = new ResourceSeries(machineCores: 2, writesMissing: null);
        series.Add(At(0, 0, null, null));
        series.Add(At(1, 500, null, null));
        series.Add(At(1.01, 510, null, null));

        var figures = series.Figures().ToDictionary(component => component.Component);

        Assert.Null(figures["database"].Cpu);
        Assert.Equal((1, 0.5), (figures["total"].Samples, figures["total"].Cpu!.Max));
    }

    [Fact]
    public void The_debt_of_the_database_is_that_of_the_first_and_the_last_sample()
    {
        static Dictionary<string, double?> Debt(double? rows, double? bytes) =>
            new() { [MetricNames.DeadRows] = rows, [MetricNames.WalSinceCheckpoint] = bytes };
        var series = new ResourceSeries(machineCores: 2, writesMissing: null);
        series.Add(At(0, 0, null, null) with { Database = Debt(5, 1_000) });
        series.Add(At(1, 0, null, null) with { Database = Debt(90, 9_000) });
        series.Add(At(1.1, 0, null, null) with { Database = Debt(70, null) });
        var silent = new ResourceSeries(machineCores: 2, writesMissing: null);
        silent.Add(At(0, 0, null, null));

        Assert.Equal(new() { DeadRowsAtStart = 5, DeadRowsAtEnd = 70, LogBytesAtStart = 1_000 }, series.Debt());
        Assert.Null(silent.Debt());
    }

    [Fact]
    public void Disk_is_told_by_component_requests_and_network_of_the_machine_alone_with_the_reason_why()
    {
        var series = new ResourceSeries(machineCores: 2, writesMissing: null);
        for (var second = 0; second <= 2; second++)
        {
            var sample = At(second, 0, 0, null);
            series.Add(
                sample with
                {
                    Engine = sample.Engine with { DiskReadBytes = 0, DiskWriteBytes = second * 1_000 },
                    Database = new Dictionary<string, double?>
                    {
                        [MetricNames.DatabaseDiskReads] = second * 500,
                        [MetricNames.DatabaseDiskWrites] = second * second * 4_000,
                    },
                    Host = sample.Host with
                    {
                        NetworkReceivedBytes = second * 10,
                        NetworkSentBytes = second * 20,
                        DiskReads = second * 2,
                        DiskReadBytes = second * 8_192,
                        DiskWrites = second * second * 50,
                        DiskWriteBytes = second * 409_600,
                    },
                }
            );
        }

        var figures = series.Figures().ToDictionary(component => component.Component);

        Assert.Equal((new(500, 500, 500), new(12_000, 12_000, 8_000)), (figures["database"].DiskRead, figures["database"].DiskWrite));
        Assert.Equal(new(1_000, 1_000, 1_000), figures["engine and generator"].DiskWrite);
        Assert.Equal(new(13_000, 13_000, 9_000), figures["total"].DiskWrite);
        Assert.Equal((new(10, 10, 10), new(20, 20, 20)), (figures["machine"].NetworkReceived, figures["machine"].NetworkSent));
        Assert.Null(figures["database"].NetworkSent);
        Assert.StartsWith("Linux counts traffic by interface", figures["database"].Missing["network"]);
        Assert.Equal(
            (new(8_192, 8_192, 8_192), new(409_600, 409_600, 409_600)),
            (figures["machine"].DiskRead, figures["machine"].DiskWrite)
        );
        Assert.Equal((new(2, 2, 2), new(150, 150, 100)), (figures["machine"].DiskReads, figures["machine"].DiskWrites));
        Assert.Null(figures["database"].DiskWrites);
        Assert.Empty(figures["machine"].Missing);
    }

    [Fact]
    public void Where_the_kernel_counts_writes_of_processes_wrongly_the_reason_stands_in_their_place()
    {
        var series = new ResourceSeries(machineCores: 2, writesMissing: "A folio each.");
        for (var second = 0; second <= 2; second++)
        {
            var sample = At(second, 0, 0, null);
            series.Add(sample with { Engine = sample.Engine with { DiskReadBytes = 0 } });
        }

        var engine = series.Figures().Single(component => component.Component == "engine and generator");

        Assert.NotNull(engine.DiskRead);
        Assert.Null(engine.DiskWrite);
        Assert.Equal("A folio each.", engine.Missing["written"]);
    }

    internal static Sample At(double seconds, double engineMs, double? databaseMs, double? machine) =>
        new()
        {
            T = seconds,
            Scenario = "test",
            Repeat = 1,
            Generator = new(0, 0, 0, 0),
            Engine = new(engineMs, 0, [], 1_000, new EngineCounters()),
            Database = databaseMs is null
                ? null
                : new Dictionary<string, double?> { [MetricNames.DatabaseCpu] = databaseMs, [MetricNames.DatabaseMemory] = 2_000 },
            Host = new(null, machine),
        };
}
