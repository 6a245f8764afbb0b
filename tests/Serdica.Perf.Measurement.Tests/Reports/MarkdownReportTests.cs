using System.Globalization;
using Serdica.Perf.Measurement.Reports;
using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Tests.Reports;

public sealed class MarkdownReportTests
{
    [Fact]
    public void A_passed_run_reads_as_its_golden_file() =>
        Golden.Matches("tests/Serdica.Perf.Measurement.Tests/Golden/passed.md", Text(SampleRun.Passed));

    [Fact]
    public void A_failed_run_reads_as_its_golden_file() =>
        Golden.Matches("tests/Serdica.Perf.Measurement.Tests/Golden/failed.md", Text(SampleRun.Failed));

    [Fact]
    public void An_aborted_run_reads_as_its_golden_file() =>
        Golden.Matches("tests/Serdica.Perf.Measurement.Tests/Golden/aborted.md", Text(SampleRun.Aborted));

    [Theory]
    [InlineData(RunStatus.Failed, "# FAILED: ")]
    [InlineData(RunStatus.Aborted, "# ABORTED: ")]
    public void The_first_line_says_that_a_run_did_not_pass(RunStatus status, string begin) =>
        Assert.StartsWith(begin, Text(SampleRun.Passed with { Status = status }), StringComparison.Ordinal);

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
        var row = Text(SampleRun.Failed).Split('\n').First(line => line.StartsWith("| postgresql-immediate-burst-smoke", StringComparison.Ordinal));

        Assert.Equal("| postgresql-immediate-burst-smoke | WorkflowPerfSmoke | 16 | 1 | 8 | – | FAILED | – | – | – | – | – | – | – | 0 |", row);
    }

    private static string Text(RunResult run)
    {
        using var writer = new StringWriter();
        MarkdownReport.Write(writer, run);
        return writer.ToString();
    }
}
