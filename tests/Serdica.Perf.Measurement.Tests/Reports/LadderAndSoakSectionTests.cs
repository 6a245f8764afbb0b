using Serdica.Perf.Analysis.Capacity;
using Serdica.Perf.Reports.Summary;
using Serdica.Perf.Results.Runs;

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
            Text(SampleRun.Passed with { Scenarios = [SampleRun.Soak with { Status = ScenarioStatus.Failed }] }),
            StringComparison.Ordinal
        );

    /// <summary>From the heading that begins so to the next of its level.</summary>
    private static string Section(string heading, RunResult run)
    {
        var text = Text(run);
        var begin = text.IndexOf($"\n## {heading}", StringComparison.Ordinal) + 1;
        var end = text.IndexOf("\n## ", begin, StringComparison.Ordinal);
        return text[begin..end];
    }

    private static string Text(RunResult run)
    {
        using var writer = new StringWriter();
        MarkdownReport.Write(writer, run);
        return writer.ToString();
    }
}
