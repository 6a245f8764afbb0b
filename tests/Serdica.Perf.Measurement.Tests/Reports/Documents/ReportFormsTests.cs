using Serdica.Perf.Reports;
using Serdica.Perf.Reports.Documents;
using Serdica.Perf.Reports.Html;

namespace Serdica.Perf.Measurement.Tests.Reports.Documents;

public sealed class ReportFormsTests
{
    /// <summary>What the comment of a pull request may hold on the hosts that say so.</summary>
    private const int CommentLimit = 65_536;

    private static readonly RunResult WithLadder = ReferenceSizedRun.Whole with { Ladders = [SampleRun.Ladder] };

    [Fact]
    public void Tables_without_charts_read_as_their_golden_file() =>
        Golden.Matches(
            "tests/Serdica.Perf.Measurement.Tests/Golden/report-tables.html",
            Text(writer => HtmlTables.Write(writer, Document(WithLadder)))
        );

    [Fact]
    public void The_CSV_reads_as_its_golden_file() =>
        Golden.Matches(
            "tests/Serdica.Perf.Measurement.Tests/Golden/summary.csv",
            Text(writer => CsvReport.Write(writer, [SampleRun.Passed, SampleRun.Failed]))
        );

    [Fact]
    public void The_Markdown_for_a_pull_request_reads_as_its_golden_file() =>
        Golden.Matches(
            "tests/Serdica.Perf.Measurement.Tests/Golden/pull-request.md",
            Text(writer => PullRequestMarkdown.Write(writer, Slower(1)))
        );

    [Fact]
    public void However_much_changed_the_Markdown_fits_a_comment()
    {
        var markdown = Text(writer => PullRequestMarkdown.Write(writer, Slower(60)));

        Assert.InRange(markdown.Length, 1, CommentLimit);
        Assert.Contains("more in the whole report", markdown, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_line_of_the_CSV_has_as_many_cells_as_there_are_columns()
    {
        var odd = SampleRun.Passed with { RunId = "a,\"b\"", Warnings = [] };

        var lines = Text(writer => CsvReport.Write(writer, [odd])).TrimEnd('\n').Split('\n');

        EachItem.Holds(lines.Skip(1), line => Assert.StartsWith("\"a,\"\"b\"\"\",", line, StringComparison.Ordinal));
        EachItem.Holds(lines.Skip(1), line => Assert.Equal(lines[0].Split(',').Length + 1, line.Split(',').Length));
    }

    [Fact]
    public void A_failed_scenario_has_its_reason_and_no_figure_in_any_form()
    {
        var document = Document(SampleRun.Failed);

        Assert.False(document.Answers.Passed);
        Assert.StartsWith(SampleRun.Failed.StatusReason!, document.Answers.Outcome, StringComparison.Ordinal);
        var failed = document.Scenarios.Single(scenario => scenario.Status == ScenarioStatus.Failed);
        Assert.Null(failed.ThroughputPerSecond);
        Assert.Equal(0, failed.ResponseTime.Count);
        Assert.Empty(failed.Latencies);
        Assert.Contains("One signal was dead-lettered", Text(writer => HtmlTables.Write(writer, document)), StringComparison.Ordinal);
        Assert.Contains(
            "One signal was dead-lettered",
            Text(writer => PullRequestMarkdown.Write(writer, document)),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void What_was_measured_is_escaped_in_tables()
    {
        var text = Text(writer => HtmlTables.Write(writer, Document(SampleRun.Passed with { Command = "<script>alert(1)</script>" })));

        Assert.DoesNotContain("<script>", text, StringComparison.Ordinal);
        Assert.Contains("&lt;script&gt;", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Without_a_base_the_answers_say_how_to_name_one() =>
        Assert.Contains("--base", Document(SampleRun.Passed).Answers.Change, StringComparison.Ordinal);

    [Fact]
    public void Counts_of_zero_are_no_verdict_while_throughput_is_inconclusive()
    {
        var run = SampleRun.Passed with
        {
            Scenarios =
            [
                SampleRun.Serial with
                {
                    CostPerOperation = new Dictionary<string, MetricValue> { ["conflicts"] = MetricValue.Of(0) },
                },
            ],
        };
        var comparison = RunComparer.Compare(run, run, ComparisonSettings.Default);

        Assert.Equal("cost.conflicts", Assert.Single(comparison.With(Verdict.Same)).Metric.Metric);
        Assert.Equal(Verdict.Unstable, ReportBuilder.Build([new RunArtifacts(run, null)], comparison).Answers.Headline);
    }

    [Fact]
    public void Several_runs_are_told_apart_in_the_answers_and_of_the_scenarios()
    {
        var other = SampleRun.Passed with { RunId = "20260318T100000Z-postgresql-smoke" };
        var document = ReportBuilder.Build([new RunArtifacts(SampleRun.Passed, null), new RunArtifacts(other, null)]);

        Assert.Equal(2, document.Runs.Count);
        EachItem.Holds(document.Answers.Speeds, speed => Assert.EndsWith(": postgresql", speed.Label, StringComparison.Ordinal));
        Assert.Equal(2 * SampleRun.Passed.Scenarios.Count, document.Scenarios.Count);
        Assert.Contains(document.Scenarios, scenario => scenario.Run == other.RunId);
    }

    [Fact]
    public void Percentiles_are_drawn_where_there_are_enough_operations_for_the_p99()
    {
        using var folder = new TemporaryFolder();

        var latencies = ReportBuilder
            .Build([RunWithRawData.Write(folder.Path, ReferenceSizedRun.Whole)])
            .Scenarios.SelectMany(scenario => scenario.Latencies)
            .ToArray();

        EachItem.Holds(
            latencies,
            latency =>
            {
                Assert.NotEmpty(latency.Distribution);
                Assert.Equal(latency.Summary.Count >= 100, latency.Percentiles.Count > 0);
            }
        );
        Assert.Equal([false, true], latencies.Select(latency => latency.Percentiles.Count > 0).Distinct().Order());
    }

    [Fact]
    public void The_JSON_holds_nothing_that_could_end_a_script()
    {
        var json = ReportJson.Of(Document(SampleRun.Passed with { Command = "</script><!--" }));

        Assert.DoesNotContain('<', json);
        using var document = JsonDocument.Parse(json);
        Assert.Equal("</script><!--", document.RootElement.GetProperty("runs")[0].GetProperty("command").GetString());
    }

    private static ReportDocument Document(RunResult run) => ReportBuilder.Build([new RunArtifacts(run, null)]);

    /// <summary>A run of this many scenarios, five repeats each, compared with itself at half the speed.</summary>
    private static ReportDocument Slower(int scenarios)
    {
        RunResult Repeated(double factor) =>
            SampleRun.Passed with
            {
                Warnings = [],
                Repeats = [],
                Scenarios =
                [
                    .. from scenario in Enumerable.Range(1, scenarios)
                    from repeat in Enumerable.Range(1, 5)
                    select SampleRun.Scenario($"scenario-{scenario}", "WorkflowPerfThroughput", ScenarioFamilies.Transport, repeat) with
                    {
                        Counts = new() { Started = 1_600, Completed = 1_600 },
                        DurationMs = 6_400 * factor * (1 + 0.001 * repeat),
                    },
                ],
            };
        var (before, after) = (Repeated(1), Repeated(2));
        return ReportBuilder.Build(
            [new RunArtifacts(after, null)],
            RunComparer.Compare(before, after, ComparisonSettings.Default, allowUnlike: false)
        );
    }

    private static string Text(Action<TextWriter> write)
    {
        using var writer = new StringWriter(CultureInfo.InvariantCulture);
        write(writer);
        return writer.ToString();
    }
}
