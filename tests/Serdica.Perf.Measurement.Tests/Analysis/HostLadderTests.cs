namespace Serdica.Perf.Measurement.Tests.Analysis;

public sealed class HostLadderTests
{
    private const int Operations = 1_000;

    [Fact]
    public void Numbers_of_hosts_are_set_beside_the_best()
    {
        var ladder = Assert.Single(HostLadder.Of([With(4, 2_700), With(1, 1_000), With(2, 3_000)]));

        Assert.Equal([1, 2, 4], ladder.Levels.Select(level => level.Hosts));
        Assert.Equal(2, ladder.Best.Hosts);
        Assert.Equal(0.9, ladder.ShareOfBest(ladder.Levels[2]), tolerance: 1e-9);
    }

    [Fact]
    public void Figures_are_for_each_operation_and_of_all_hosts()
    {
        var level = HostLadder.Of([With(1, 1_000), With(2, 3_000)])[0].Levels[1];

        Assert.Equal((0.02, 0.5), (level.ConflictsPerOperation, level.EmptyClaimsPerOperation));
        Assert.Equal((0.4, 0.3, 0.25), (level.HostCpuMsPerOperation, level.GeneratorCpuMsPerOperation, level.DatabaseCpuMsPerOperation));
        Assert.Equal(10, level.HostConnections);
    }

    [Fact]
    public void Connections_that_one_host_does_not_know_are_not_summed()
    {
        var run = With(2, 3_000);
        var scenario = run.Scenarios[0];
        var hosts = scenario.Processes!.Hosts;
        var processes = scenario.Processes with { Hosts = [hosts[0], hosts[1] with { Connections = null }] };

        var ladder = HostLadder.Of([With(1, 1_000), run with { Scenarios = [scenario with { Processes = processes }] }])[0];

        Assert.Null(ladder.Levels[1].HostConnections);
    }

    [Fact]
    public void What_has_one_number_of_hosts_only_or_did_not_pass_or_had_no_host_process_is_left_out()
    {
        var failed = With(2, 3_000);
        failed = failed with { Scenarios = [failed.Scenarios[0] with { Status = ScenarioStatus.Failed }] };
        var own = With(2, 3_000);
        own = own with { Scenarios = [own.Scenarios[0] with { Processes = null }] };

        Assert.Empty(HostLadder.Of([With(1, 1_000), With(1, 1_100)]));
        Assert.Empty(HostLadder.Of([With(1, 1_000), failed]));
        Assert.Empty(HostLadder.Of([With(1, 1_000), own]));
    }

    [Fact]
    public void Report_has_a_row_for_each_number_with_conflicts_and_empty_claims()
    {
        using var writer = new StringWriter { NewLine = "\n" };

        HostLadderMarkdown.Write(writer, [With(1, 1_000), With(2, 3_000), With(4, 2_700)], "serdica-perf run --hosts 1,2,4");

        var text = writer.ToString();
        Assert.Contains(
            "- postgresql-signal-roundtrip-soak: 1,000.0/s with 1 host and 2,700.0/s with 4 hosts; the most is 3,000.0/s with 2 hosts.\n",
            text
        );
        var rows = text.Split('\n')
            .Where(line => line.StartsWith("| postgresql-"))
            .Select(line => line.Split('|', TrimEntries | RemoveEmptyEntries))
            .ToArray();
        Assert.Equal(["1", "2", "4"], rows.Select(row => row[1]));
        Assert.Equal(["1,000.0", "3,000.0", "2,700.0"], rows.Select(row => row[3]));
        Assert.Equal(["0.33", "1.00", "0.90"], rows.Select(row => row[4]));
        Assert.Equal(("0.02", "0.50"), (rows[1][6], rows[1][7]));
        Assert.Equal(["400", "300", "250", "10", "20"], rows[1][8..13]);
        Assert.Equal(["run-1", "run-2", "run-4"], rows.Select(row => row[^1]));
        Assert.Contains("serdica-perf run --hosts 1,2,4", text);
    }

    [Fact]
    public void Level_that_failed_is_named_with_its_reason()
    {
        var failed = With(32, 1_000);
        var scenario = failed.Scenarios[0];
        scenario = scenario with
        {
            Status = ScenarioStatus.Failed,
            FailureReasons = ["too many clients already."],
            Parameters = scenario.Parameters with { Options = new Dictionary<string, string> { [ScenarioParameters.HostsOption] = "32" } },
        };
        using var writer = new StringWriter { NewLine = "\n" };

        HostLadderMarkdown.Write(
            writer,
            [With(1, 1_000), With(2, 3_000), failed with { Scenarios = [scenario, scenario] }],
            "serdica-perf run --hosts 1,2,32"
        );

        Assert.Contains(
            "-soak: no figure with 32 hosts, because every repeat failed: too many clients already (run run-32).\n",
            writer.ToString()
        );
        var silent = scenario with { FailureReasons = [] };
        Assert.EndsWith("because it failed: no reason is recorded (run run-32).", Assert.Single(Failures(silent)));
        Assert.Empty(Failures(scenario, With(32, 1_000).Scenarios[0]));

        IEnumerable<string> Failures(params ScenarioResult[] repeats) =>
            HostLadderMarkdown
                .Sentences([With(1, 1_000), failed with { Scenarios = repeats }])
                .Where(sentence => sentence.Contains("no figure"));
    }

    private static RunResult With(int hosts, double perSecond) =>
        ReferenceSizedRun.Whole with
        {
            RunId = $"run-{hosts}",
            Scenarios =
            [
                ReferenceSizedRun.Measured(
                    "signal-roundtrip-soak",
                    "WorkflowPerfSoak",
                    ScenarioFamilies.SignalRoundtrip,
                    Operations,
                    8,
                    8,
                    Operations * 1_000 / perSecond
                ) with
                {
                    EngineMetrics = new Metrics
                    {
                        [MetricNames.Conflicts] = MetricValue.Of(10 * hosts),
                        [MetricNames.EmptyClaims] = MetricValue.Of(250 * hosts),
                    },
                    DatabaseMetrics = new Metrics
                    {
                        [MetricNames.DatabaseCpu] = MetricValue.Of(250, "ms"),
                        [MetricNames.Connections] = MetricValue.Of(20),
                    },
                    Processes = HostedProcessesOf(hosts),
                },
            ],
        };

    /// <summary>Processes of which every figure is another.</summary>
    internal static HostedProcesses HostedProcessesOf(int hosts) =>
        new()
        {
            Generator = new()
            {
                ProcessId = 4_000,
                CpuMs = 300,
                WorkingSetBytes = 80 << 20,
                PeakWorkingSetBytes = 85 << 20,
                Connections = 3,
            },
            Hosts =
            [
                .. Range(1, hosts)
                    .Select(number => new HostFigures
                    {
                        Number = number,
                        ProcessId = 4_000 + number,
                        CpuMs = 200,
                        WorkingSetBytes = 90 << 20,
                        PeakWorkingSetBytes = 96 << 20,
                        Connections = 5,
                        Counters = new() { Batches = 70, EmptyClaims = 250, Signals = 720, Conflicts = 10 },
                    }),
            ],
        };
}
