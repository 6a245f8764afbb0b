using Serdica.Perf.Reports.Text;

namespace Serdica.Perf.Measurement.Tests.Reports.Documents;

public sealed class OperationWordsTests
{
    private const string RoundTrip = "start an instance, wait, signal it, completion";

    private static readonly LoadProfile Plain = new() { Name = "load", Steps = [] };

    [Fact]
    public void A_round_trip_has_the_words_of_the_glossary()
    {
        Assert.Contains($"| round trip | {RoundTrip} |", File.ReadAllText(Path.Combine(RepositoryRoot.Folder, "docs", "glossary.md")));
        Assert.Equal($"An operation is a round trip: {RoundTrip}.", OperationWords.Of(SampleRun.Serial));
        Assert.Equal($"An operation is a round trip: {RoundTrip}.", OperationWords.Of(Plain));
    }

    [Theory]
    [InlineData("A parent with 10 children and the join of their results.")]
    [InlineData("A parent with 10 children and the join of their results")]
    public void Another_scenario_has_its_description(string description) =>
        Assert.Equal(
            "What an operation is: A parent with 10 children and the join of their results.",
            OperationWords.Of(SampleRun.Serial with { Family = ScenarioFamilies.FanOut, Description = description })
        );

    [Fact]
    public void A_load_says_what_its_options_made_of_an_operation()
    {
        Assert.Equal(
            "An operation is of one of several kinds, by weight: signal-roundtrip=70,start-only=30.",
            OperationWords.Of(Plain with { Mix = [new("signal-roundtrip", 70), new("start-only", 30)] })
        );
        Assert.Equal("An operation is one of the workflow order-paid.", OperationWords.Of(Plain with { Workflow = "order-paid" }));
        Assert.StartsWith(
            $"An operation is a round trip: {RoundTrip} (by an event of 4,096 bytes, ",
            OperationWords.Of(Plain with { Work = new() { PayloadBytes = 4_096 } })
        );
        Assert.StartsWith(
            "An operation is an instance whose start triggers its work (by the start, ",
            OperationWords.Of(Plain with { Work = new() { Trigger = WorkTrigger.Direct } })
        );
    }

    [Fact]
    public void The_answer_to_how_fast_says_it_of_each_throughput() =>
        EachItem.Holds(ReportBuilder.Build([new RunArtifacts(SampleRun.Passed, null)]).Answers.Speeds, speed =>
            Assert.Equal(OperationWords.Of(SampleRun.Serial), speed.Operation)
        );
}
