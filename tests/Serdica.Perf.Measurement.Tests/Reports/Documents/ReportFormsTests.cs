using Serdica.Perf.Measurement.Tests.Queues;
using Serdica.Perf.Reports.Html;

namespace Serdica.Perf.Measurement.Tests.Reports.Documents;

public sealed class ReportFormsTests : FolderTests
{
    /// <summary>What the comment of a pull request may hold on the hosts that say so.</summary>
    private const int CommentLimit = 65_536;

    private static readonly RunResult WithLadder = ReferenceSizedRun.Whole with
    {
        Ladders = [SampleRun.Ladder],
        Scenarios = [.. ReferenceSizedRun.Whole.Scenarios.Where((_, index) => index is 0 or 4)],
        Warnings = [.. ReferenceSizedRun.Whole.Warnings.Take(1)],
    };

    [Fact]
    public void Tables_without_charts_read_as_their_golden_file() =>
        Golden.Matches(
            "tests/Serdica.Perf.Measurement.Tests/Golden/report-tables.html",
            Written.By(writer => HtmlTables.Write(writer, Document(WithLadder)))
        );

    [Fact]
    public void The_CSV_reads_as_its_golden_file() =>
        Golden.Matches(
            "tests/Serdica.Perf.Measurement.Tests/Golden/summary.csv",
            Written.By(writer => CsvReport.Write(writer, [SampleRun.Passed, SampleRun.Failed]))
        );

    [Fact]
    public void The_Markdown_for_a_pull_request_reads_as_its_golden_file() =>
        Golden.Matches(
            "tests/Serdica.Perf.Measurement.Tests/Golden/pull-request.md",
            Written.By(writer => PullRequestMarkdown.Write(writer, Slower(1)))
        );

    [Fact]
    public void However_much_changed_the_Markdown_fits_a_comment()
    {
        var markdown = Written.By(writer => PullRequestMarkdown.Write(writer, Slower(60)));

        Assert.InRange(markdown.Length, 1, CommentLimit);
        Assert.Contains("more in the whole report", markdown);
    }

    [Fact]
    public void Every_line_of_the_CSV_has_as_many_cells_as_there_are_columns()
    {
        var odd = SampleRun.Passed with { RunId = "a,\"b\"", Warnings = [] };

        var lines = Written.By(writer => CsvReport.Write(writer, [odd])).TrimEnd('\n').Split('\n');

        EachItem.Holds(lines.Skip(1), line => Assert.StartsWith("\"a,\"\"b\"\"\",", line));
        EachItem.Holds(lines.Skip(1), line => Assert.Equal(lines[0].Split(',').Length + 1, line.Split(',').Length));
        Assert.Contains("\"a\nb\",", Written.By(writer => CsvReport.Write(writer, [odd with { RunId = "a\nb" }])));
    }

    [Fact]
    public void A_failed_scenario_has_its_reason_and_no_figure_in_any_form()
    {
        var document = Document(SampleRun.Failed);

        Assert.False(document.Answers.Passed);
        Assert.Equal(
            "1 of 2 scenarios failed: postgresql-immediate-burst-smoke. 1 of 2 measurements passed, and 1 check of the database held.",
            document.Answers.Outcome
        );
        Assert.Equal("Stopped by Ctrl-C. 0 of 0 measurements passed.", Document(SampleRun.Aborted).Answers.Outcome);
        var failed = document.Scenarios.Single(scenario => scenario.Status == ScenarioStatus.Failed);
        Assert.Null(failed.ThroughputPerSecond);
        Assert.Equal(0, failed.ResponseTime.Count);
        Assert.Empty(failed.Latencies);
        Assert.Contains("One signal was dead-lettered", Written.By(writer => HtmlTables.Write(writer, document)));
        Assert.Contains("One signal was dead-lettered", Written.By(writer => PullRequestMarkdown.Write(writer, document)));
    }

    [Fact]
    public void A_scenario_of_which_one_repeat_failed_has_not_passed_in_any_form()
    {
        var document = Document(SampleRun.OneRepeatFailed);
        var summary = Written.By(writer => SummaryMarkdown.Write(writer, SampleRun.OneRepeatFailed, document));

        Assert.Equal(["1 of 2 passed: One signal was dead-lettered.", null], document.Scenarios.Select(scenario => scenario.FailedRepeats));
        Assert.Matches(@"\| postgresql-parallel +\| 1 of 2 passed +\|", summary);
        Assert.Contains("- **postgresql-parallel #2**: One signal was dead-lettered.\n", summary);
        EachItem.Holds(Document(SampleRun.Passed).Scenarios, scenario => Assert.Null(scenario.FailedRepeats));
    }

    [Fact]
    public void What_is_not_in_the_report_is_said_below_the_headline_and_in_a_list()
    {
        var document = Document(SampleRun.Passed) with { LeftOut = ["The run x cannot be read. The run is left out."] };

        var markdown = Written.By(writer => PullRequestMarkdown.Write(writer, document));

        Assert.StartsWith("# Passed: workflow performance\n\n**The run x cannot be read. The run is left out.**\n\n", markdown);
        Assert.Contains("## Not measured\n\n- **oracle-aq**: The Oracle driver is turned off: ", markdown);
    }

    [Theory]
    [InlineData(QueueMode.Queue, 600, "read")]
    [InlineData(QueueMode.PubSub, 200, "copies read")]
    public void A_message_that_each_subscriber_read_is_one_operation(QueueMode mode, double completed, string curve)
    {
        var folder = RunFolder.Create(Root.Path, "in-memory", "queue", RunManifest.Of(SampleRun.Passed));
        folder.Write(
            SampleQueueTest.With(writers: 10, writtenPerSecond: 200) with
            {
                RunId = SampleRun.Passed.RunId,
                Plan = new() { Mode = mode, Subscribers = 3 },
                ReadPerSecond = 600,
                Intervals = [new(5, 200, 600, 0, null)],
            }
        );

        var test = Assert.Single(ReportBuilder.Build([new RunArtifacts(SampleRun.Passed, folder.Path)]).LoadTests);

        Assert.Equal(completed, Assert.Single(test.Steps).CompletedPerSecond);
        Assert.Equal(["written", curve], test.Rates!.Panels[0].Curves.Select(line => line.Name));
    }

    [Theory]
    [InlineData("peak", 1)]
    [InlineData("peak #2", 2)]
    public void The_title_has_the_callers_of_its_own_step(string name, int repeat)
    {
        ScenarioResult Measured(string step, int callers, int number) =>
            SampleRun.Scenario($"load-{step}", Tiers.Load, ScenarioFamilies.Load, number) with
            {
                Parameters = SampleRun.Serial.Parameters with { Concurrency = callers, Load = LoadModel.Closed, Repeat = number },
            };
        StepResult Step(string title, ScenarioResult measured, double perSecond) =>
            SampleStep.Good with
            {
                Name = title,
                Scenario = measured.Name,
                Repeat = measured.Parameters.Repeat,
                Kind = LoadKind.Closed,
                TargetPerSecond = null,
                CompletedPerSecond = perSecond,
            };

        var (offPeak, peak) = (Measured("off-peak", 8, 1), Measured("peak", 64, repeat));
        var run = SampleRun.Passed with { Scenarios = [offPeak, peak], Repeats = [] };
        var folder = RunFolder.Create(Root.Path, "postgresql", "load", RunManifest.Of(run));
        folder.Write(
            new LoadTestResult
            {
                Verdict = StepVerdict.Passed,
                RunId = run.RunId,
                StartedAt = DateTimeOffset.UnixEpoch,
                Backend = "postgresql",
                Profile = new() { Name = "load", Steps = [] },
                Steps = [Step("off-peak", offPeak, 100), Step(name, peak, 900)],
                Command = "serdica-perf load",
            }
        );

        var document = ReportBuilder.Build([new RunArtifacts(run, folder.Path)]);

        Assert.Equal("900 operations/s, PostgreSQL 15.14, 64 callers", document.Title);
    }

    [Fact]
    public void What_was_measured_is_escaped_in_tables()
    {
        var document = Document(SampleRun.Passed with { Command = "<script>alert(1)</script>" });
        var text = Written.By(writer => HtmlTables.Write(writer, document));

        Assert.DoesNotContain("<script>", text);
        Assert.Contains("&lt;script&gt;", text);
    }

    [Fact]
    public void Without_a_base_the_answers_say_how_to_name_one() => Assert.Contains("--base", Document(SampleRun.Passed).Answers.Change);

    [Fact]
    public void Counts_of_zero_are_no_verdict_while_throughput_is_inconclusive()
    {
        var run = SampleRun.Passed with
        {
            Scenarios =
            [
                SampleRun.Serial with { CostPerOperation = new Metrics { ["conflicts"] = MetricValue.Of(0) } },
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
        EachItem.Holds(document.Answers.Speeds, speed => Assert.EndsWith(": postgresql", speed.Label));
        Assert.Equal(2 * SampleRun.Passed.Scenarios.Count, document.Scenarios.Count);
        Assert.Contains(document.Scenarios, scenario => scenario.Run == other.RunId);
    }

    [Fact]
    public void Percentiles_are_drawn_where_there_are_enough_operations_for_the_p99()
    {
        var latencies = ReportBuilder
            .Build([RunWithRawData.Write(Root.Path, ReferenceSizedRun.Whole)])
            .Scenarios.SelectMany(scenario => scenario.Latencies)
            .ToArray();

        EachItem.Holds(latencies, latency =>
        {
            Assert.NotEmpty(latency.Distribution);
            Assert.Equal(latency.Summary.Count >= 100, latency.Percentiles.Count > 0);
        });
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
                    .. from scenario in Range(1, scenarios)
                    from repeat in Range(1, 5)
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
}
