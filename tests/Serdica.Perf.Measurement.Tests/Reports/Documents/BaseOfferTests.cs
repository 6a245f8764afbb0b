namespace Serdica.Perf.Measurement.Tests.Reports.Documents;

public sealed class BaseOfferTests : FolderTests
{
    [Fact]
    public void A_run_without_a_base_is_compared_with_the_last_like_one()
    {
        var first = Write(day: 1);
        var (last, own) = (Write(day: 2), Write(day: 3));
        Write(day: 4);

        var document = Document(own);

        Assert.Equal((last, true), (document.Comparison!.Base, document.Answers.IsOffered));
        Assert.Equal(Verdict.Unstable, document.Answers.Headline);
        Assert.StartsWith(
            $"The last comparable run is {last}. postgresql-signal-roundtrip-throughput-parallel throughput: ",
            document.Answers.Change
        );
        Assert.EndsWith(
            " 2 and 2 repeats cannot separate a change from chance; at least five on each side are needed.",
            document.Answers.Change
        );
        Assert.Contains(document.Answers.Change, Summary(own));
        Assert.DoesNotContain(document.Comparison.Scenarios, scenario => scenario.Name.Contains("smoke"));
        Assert.Contains("There is nothing to compare with.", Summary(first));
    }

    [Theory]
    [InlineData("scenarios")]
    [InlineData("parameters")]
    [InlineData("machine")]
    [InlineData("database")]
    [InlineData("failed")]
    [InlineData("still going on")]
    [InlineData("damaged")]
    public void One_that_is_not_like_it_is_passed_over(string what)
    {
        var like = Write(day: 1);
        var other = Write(day: 2, run => what switch
            {
                "scenarios" => run with { Scenarios = [.. run.Scenarios.Skip(1)] },
                "parameters" => run with { Scenarios = [.. run.Scenarios.Select(Heavier)] },
                "machine" => run with
                {
                    Environment = run.Environment with { Machine = run.Environment.Machine with { MachineName = "another" } },
                },
                "database" => run with { Databases = [SampleRun.Database with { Version = "18.1" }] },
                "failed" => run with { Status = RunStatus.Failed },
                "still going on" => run with { FinishedAt = run.FinishedAt.AddDays(7) },
                _ => run,
            });
        if (what == "damaged")
            Root.Write($"{other}/{RunFolder.SummaryFile}", """{"schemaVersion":1}""");

        Assert.Equal(like, Document(Write(day: 3)).Comparison!.Base);
    }

    [Fact]
    public void A_run_of_few_operations_names_it_and_compares_no_figure()
    {
        RunResult Few(RunResult run) => run with { Scenarios = [SampleRun.Serial] };
        var (last, own) = (Write(day: 1, Few), Write(day: 2, Few));

        var document = Document(own);

        Assert.Null(document.Comparison);
        Assert.Equal(
            $"The last comparable run is {last}. It is not compared: there are too few operations for figures.",
            document.Answers.Change
        );
    }

    [Fact]
    public void Beside_a_base_that_was_named_it_is_offered_with_its_command()
    {
        var (named, last, own) = (Read(Write(day: 1)), Write(day: 2), Write(day: 3));
        var comparison = RunComparer.Compare(named.Run, Read(own).Run, ComparisonSettings.Default);

        var document = ReportBuilder.Build([Read(own)], comparison, offer: BaseOffer.Of(Read(own), named.Run));

        Assert.Equal((named.Run.RunId, false), (document.Comparison!.Base, document.Answers.IsOffered));
        Assert.EndsWith(
            $"The last comparable run is {last}. To compare with it, in the folder of both: serdica-perf compare {last} {own}",
            document.Answers.Change
        );
        Assert.Null(BaseOffer.Of(Read(own), Read(last).Run));
    }

    [Fact]
    public void A_run_that_a_gate_judges_names_the_base_of_the_gate_too()
    {
        var (named, last) = (Read(Write(day: 1)).Run, Write(day: 2));

        var summary = Summary(Write(day: 3, judgedAgainst: named));

        Assert.Contains($"{RunFolder.ComparisonFile} compares it with {named.RunId}. ", summary);
        Assert.Contains($"{named.RunId}. The last comparable run is {last}. ", summary);
    }

    [Fact]
    public void A_history_that_cannot_be_read_costs_the_comparison_and_not_the_report()
    {
        var (_, own) = (Write(day: 1), Write(day: 2));
        Root.Write("history.ndjson", "[");

        var offer = BaseOffer.Of(Read(own), named: null, Root.Below("history.ndjson"))!;

        Assert.Null(offer.Comparison);
        Assert.Contains(" It is not compared: Line 1 of the history", offer.Sentence);
    }

    private static ScenarioResult Heavier(ScenarioResult scenario) =>
        scenario with { Parameters = scenario.Parameters with { Workers = scenario.Parameters.Workers + 1 } };

    private RunArtifacts Read(string name) => RunArtifacts.Read(Root.Below(name));

    private string Summary(string name) => File.ReadAllText(Root.Below(name, RunFolder.ReportFile));

    private ReportDocument Document(string name) => ReportBuilder.Build([Read(name)], offer: BaseOffer.Of(Read(name), named: null));

    /// <returns>The name of the run's folder.</returns>
    private string Write(int day, Func<RunResult, RunResult>? change = null, RunResult? judgedAgainst = null)
    {
        var run = SampleRun.Passed with
        {
            StartedAt = SampleRun.Passed.StartedAt.AddDays(day),
            FinishedAt = SampleRun.Passed.StartedAt.AddDays(day).AddMinutes(1),
        };
        var folder = RunFolder.Create(Root.Path, "postgresql", "smoke", RunManifest.Of(run));
        run = run with { RunId = folder.RunId };
        run = change?.Invoke(run) ?? run;
        folder.Write(run);
        RunReports.Write(folder, run, judgedAgainst);
        return folder.RunId;
    }
}
