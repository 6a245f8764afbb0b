namespace Serdica.Perf.Measurement.Tests.Reports;

public sealed class LadderAndSoakSectionTests
{
    private static readonly CapacityLadder Short = CapacityLadders.Of("in-memory", LoadModel.Wave, [(1, 100, 10), (4, 390, 10)]);

    [Fact]
    public void A_ladder_reads_as_its_golden_file() =>
        Golden.Matches(
            "tests/Serdica.Perf.Measurement.Tests/Golden/ladder.md",
            Section("Capacity ladder: growth", SampleRun.Passed with { Ladders = [SampleRun.Ladder, Short] })
        );

    /// <summary>Oracle counts the time of its sessions, in milliseconds; its samples of waits are not the same figure.</summary>
    [Fact]
    public void The_time_that_the_server_counts_overrides_the_time_that_was_sampled()
    {
        var level = ReferenceSizedRun.Whole.Scenarios.Single(scenario => scenario.Scenario == "signal-roundtrip-capacity-c16");
        var counted = level with
        {
            Rounds = 2,
            DatabaseMetrics = new Metrics { [MetricNames.DatabaseTime] = MetricValue.Of(843, "ms") },
        };

        Assert.Equal("405.0", DatabaseTime(level with { TopWaits = [.. level.TopWaits, .. level.TopWaits] }));
        Assert.Equal("421.5", DatabaseTime(counted));
    }

    [Fact]
    public void A_soak_reads_as_its_golden_file() =>
        Golden.Matches(
            "tests/Serdica.Perf.Measurement.Tests/Golden/long-soak.md",
            Section("Soak: intervals", SampleRun.Passed with { Scenarios = [SampleRun.Soak] })
        );

    [Fact]
    public void A_soak_that_failed_shows_no_figures() =>
        Assert.DoesNotContain(
            "## Soak: intervals",
            Text(SampleRun.Passed with { Scenarios = [SampleRun.Soak with { Status = ScenarioStatus.Failed }] })
        );

    [Fact]
    public void A_soak_that_was_aborted_is_not_all_zeros()
    {
        var soak = SampleRun.Soak with
        {
            Status = ScenarioStatus.Aborted,
            Counts = new(),
            FailureReasons = ["Stopped by Ctrl-C."],
            TopWaits = [new("IO", "WALSync", 9_000, 9)],
        };

        var section = Section("Soak: p", SampleRun.Passed with { Scenarios = [soak] });

        Assert.Contains("\nResult: ABORTED. Stopped by Ctrl-C.\n", section);
        Assert.DoesNotContain("WALSync", section);
    }

    [Theory]
    [InlineData(0, "All zeros over 3,360,000 operations: no failure, dead letter, unresolved conflict or stuck instance.")]
    [InlineData(1, "Result: passed. NOT all zeros over 3,360,000 operations, see Verification.")]
    public void A_soak_says_whether_all_was_correct(int redeliveries, string expected)
    {
        var soak = SampleRun.Soak with
        {
            Counts = SampleRun.Soak.Counts with { Redeliveries = redeliveries },
            TopWaits = [new("Client", "ClientRead", 20_000, 20), new("IO", "WALSync", 9_000, 9)],
        };

        var section = Section("Soak: p", SampleRun.Passed with { Scenarios = [soak] });

        Assert.Contains($"\n{expected}\n", section);
        Assert.DoesNotContain("ClientRead", section);
        Assert.Matches(@"\| IO:WALSync \| +9,000 \|", section);
    }

    [Theory]
    [InlineData(LoadModel.Wave, "Batch waves: c1 is the lowest level and not a latency figure. Totals of one wave of each level.")]
    [InlineData(LoadModel.Closed, "Each caller waits for its own operation. Totals of one round of each level.")]
    public void The_levels_say_how_they_were_loaded(LoadModel load, string expected)
    {
        var level = ReferenceSizedRun.Whole.Scenarios.Single(scenario => scenario.Scenario == "signal-roundtrip-capacity-c16");
        level = level with { Parameters = level.Parameters with { Load = load } };

        Assert.Contains($"\n{expected}\n", Section("Capacity ladder", ReferenceSizedRun.Whole with { Scenarios = [level] }));
    }

    /// <summary>The cell of the only level of a ladder.</summary>
    private static string DatabaseTime(ScenarioResult level)
    {
        var table = Section("Capacity ladder", ReferenceSizedRun.Whole with { Scenarios = [level] })
            .Split('\n')
            .Where(line => line.StartsWith('|'))
            .Select(line => line.Trim('|').Split('|').Select(cell => cell.Trim()).ToArray())
            .ToArray();
        return table[2][Array.IndexOf(table[0], "DB time ms")];
    }

    /// <summary>From the heading that begins so to the next of its level.</summary>
    private static string Section(string heading, RunResult run)
    {
        var text = Text(run);
        var begin = text.IndexOf($"\n## {heading}") + 1;
        var end = text.IndexOf("\n## ", begin);
        return text[begin..end];
    }

    private static string Text(RunResult run)
    {
        using var writer = new StringWriter();
        MarkdownReport.Write(writer, run);
        return writer.ToString();
    }
}
