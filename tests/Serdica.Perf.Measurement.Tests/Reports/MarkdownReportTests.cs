namespace Serdica.Perf.Measurement.Tests.Reports;

public sealed class MarkdownReportTests
{
    public static TheoryData<string> GoldenFiles => ["passed", "failed", "aborted", "with-the-reference", "empty", "in-memory-only"];

    [Theory]
    [MemberData(nameof(GoldenFiles))]
    public void A_run_reads_as_its_golden_file(string name) =>
        Golden.Matches($"tests/Serdica.Perf.Measurement.Tests/Golden/{name}.md", Text(Run(name)));

    [Fact]
    public void No_table_has_a_column_without_a_figure_or_lines_of_different_length()
    {
        foreach (var table in Tables(Text(ReferenceSizedRun.Whole)).Concat(Tables(Text(SampleRun.Passed))))
        {
            Assert.Single(table.Select(line => line.Length).Distinct());
            var rows = table.Skip(2).Select(line => line.Trim('|').Split('|').Select(cell => cell.Trim()).ToArray()).ToArray();
            for (var column = 0; column < rows[0].Length; column++)
                Assert.Contains(rows, row => row[column] != "–");
        }
    }

    [Fact]
    public void Hosts_generator_and_database_have_a_row_each()
    {
        var scenario = SampleRun.Serial with
        {
            Parameters = SampleRun.Serial.Parameters with
            {
                Options = new Dictionary<string, string> { [ScenarioParameters.HostsOption] = "2" },
            },
            Processes = HostLadderTests.HostedProcessesOf(2),
            DatabaseMetrics = new Metrics
            {
                [MetricNames.DatabaseCpu] = MetricValue.Of(2_500, "ms"),
                [MetricNames.DatabaseMemory] = MetricValue.Of(200 << 20, "bytes"),
                [MetricNames.Connections] = MetricValue.Of(13),
            },
        };

        var text = Text(SampleRun.Passed with { Scenarios = [scenario], Repeats = [] });

        var rows = text.Split("## Hosts, generator and database")[1]
            .Split('\n')
            .Where(line => line.StartsWith("| postgresql-"))
            .Take(4)
            .Select(line => string.Join(' ', line.Split(' ', RemoveEmptyEntries)));
        Assert.Equal(
            [
                $"| {scenario.Name} | host 1 | 4001 | 0.20 | 90 | 96 | 5 | 720 | 0 | 70 | 250 | 10 | 0 |",
                $"| {scenario.Name} | host 2 | 4002 | 0.20 | 90 | 96 | 5 | 720 | 0 | 70 | 250 | 10 | 0 |",
                $"| {scenario.Name} | generator | 4000 | 0.30 | 80 | 85 | 3 | – | – | – | – | – | – |",
                $"| {scenario.Name} | database | – | 2.50 | 200 | – | 13 | – | – | – | – | – | – |",
            ],
            rows
        );
    }

    [Theory]
    [InlineData(RunStatus.Failed, "# FAILED: ")]
    [InlineData(RunStatus.Aborted, "# ABORTED: ")]
    public void The_first_line_says_that_a_run_did_not_pass(RunStatus status, string begin) =>
        Assert.StartsWith(begin, Text(SampleRun.Passed with { Status = status }));

    [Fact]
    public void The_text_does_not_depend_on_the_culture()
    {
        var german = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        german.NumberFormat.NumberDecimalSeparator = ",";
        german.NumberFormat.NumberGroupSeparator = ".";
        var before = CultureInfo.CurrentCulture;
        var expected = Text(SampleRun.Passed);
        try
        {
            CultureInfo.CurrentCulture = german;

            Assert.Equal(expected, Text(SampleRun.Passed));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    [Fact]
    public void A_failed_scenario_shows_its_reason_and_no_latency()
    {
        var row = Text(SampleRun.Failed).Split('\n').First(line => line.StartsWith("| postgresql-immediate-burst-smoke"));

        Assert.Equal(
            ["postgresql-immediate-burst-smoke", "WorkflowPerfSmoke", "16", "1", "8", "–", "FAILED", "–", "–", "–", "–", "0"],
            row.Trim('|').Split('|').Select(cell => cell.Trim())
        );
    }

    [Theory]
    [InlineData(99, "avg 0.80 ms, max 800.0 ms on ext4", "avg 0.80, max 800.0 ms")]
    [InlineData(100, "avg 0.80 ms, P99 3.20 ms on ext4", "avg 0.80, P99 3.20, max 800.0 ms")]
    public void A_flushed_write_has_a_p99_where_enough_were_probed(int probes, string inShort, string inFull)
    {
        var fsync = SampleRun.Environment.Fsync! with { Latency = SampleRun.Latency(probes, 0.8) };

        var text = Text(SampleRun.Passed with { Environment = SampleRun.Environment with { Fsync = fsync } });

        Assert.Contains($"| {inShort} ", text);
        Assert.Contains($": {inFull} ", text);
    }

    [Fact]
    public void A_statement_is_written_once_however_many_scenarios_it_costs()
    {
        ScenarioResult Of(string name, params string[] statements) =>
            SampleRun.Scenario(name, "WorkflowPerfSmoke", ScenarioFamilies.Transport) with
            {
                TopStatements = [.. statements.Select(text => new ServerStatement(text, 16, 24, 32, 4_096))],
            };

        var section = Text(SampleRun.Passed with { Scenarios = [Of("a", "select 1", "insert `x`"), Of("b", "select 1")], Repeats = [] })
            .Split("## Costliest statements")[1]
            .Split("\n## ")[0];

        Assert.EndsWith("|\n\n1. `select 1`\n2. `insert 'x'`\n", section);
        Assert.Equal(
            ["postgresql-a 1", " 2", "postgresql-b 1"],
            section
                .Split('\n')
                .Where(line => line.StartsWith('|'))
                .Skip(2)
                .Select(line => string.Join(' ', line.Split('|').Skip(1).Take(2).Select(cell => cell.Trim())))
        );
    }

    [Theory]
    [InlineData("on", "Signals were decided in the commit that received them where nothing stored came first (`direct=on`).")]
    [InlineData("off", "All signals went through the queue (`direct=off`).")]
    public void The_way_of_the_signals_is_named(string way, string sentence)
    {
        var run = SampleRun.Passed;
        var first = run.Scenarios[0];
        var settings = new Dictionary<string, string> { [ScenarioParameters.DirectSetting] = way };
        run = run with { Scenarios = [first with { Parameters = first.Parameters with { Engine = settings } }, .. run.Scenarios.Skip(1)] };

        Assert.Contains(sentence, Text(run));
        Assert.DoesNotContain("direct=", Text(SampleRun.Passed));
    }

    [Fact]
    public void Where_nothing_was_correct_no_failure_is_denied()
    {
        var failed = SampleRun.Failed;

        var text = Text(failed with { Scenarios = [.. failed.Scenarios.Where(scenario => scenario.Status != ScenarioStatus.Passed)] });

        Assert.Contains("In 0 of 1 measurements everything was correct.\n", text);
    }

    private static RunResult Run(string name) =>
        name switch
        {
            "passed" => SampleRun.Passed,
            "failed" => SampleRun.Failed,
            "aborted" => SampleRun.Aborted,
            "with-the-reference" => ReferenceSizedRun.Whole,
            "in-memory-only" => ReferenceSizedRun.MemoryOnly,
            _ => SampleRun.Aborted with { Status = RunStatus.Failed, StatusReason = "Nothing was measured.", Databases = [] },
        };

    private static IEnumerable<string[]> Tables(string text)
    {
        var table = new List<string>();
        foreach (var line in text.Split('\n'))
        {
            if (line.StartsWith('|'))
            {
                table.Add(line);
                continue;
            }

            if (table.Count > 0)
                yield return [.. table];
            table.Clear();
        }
    }

    private static string Text(RunResult run)
    {
        using var writer = new StringWriter();
        MarkdownReport.Write(writer, run);
        return writer.ToString();
    }
}
