using Serdica.Perf.Reports.Html;

namespace Serdica.Perf.Reports;

/// <summary>Writes all reports of a run into its folder, from what the folder holds already.</summary>
internal static class RunReports
{
    /// <summary>Writes <c>summary.md</c>, <c>details.md</c>, <c>summary.csv</c> and <c>report.html</c>.</summary>
    /// <param name="folder">Holds the summary, and load or queue test where there was one.</param>
    /// <param name="judgedAgainst">The base of its gate, with which <c>comparison.md</c> compares it; null without one.</param>
    public static void Write(RunFolder folder, RunResult run, RunResult? judgedAgainst = null)
    {
        folder.Write(RunFolder.DetailsFile, writer => MarkdownReport.Write(writer, run));
        folder.Write(RunFolder.CsvFile, writer => CsvReport.Write(writer, [run]));

        // Last, since it reads what the others have written.
        var artifacts = new RunArtifacts(run, folder.Path);
        var offer = BaseOffer.Of(artifacts, judgedAgainst);
        if (judgedAgainst is not null)
            offer = new($"{RunFolder.ComparisonFile} compares it with {ReportBuilder.Name(judgedAgainst)}. {offer?.Sentence}".TrimEnd());
        var document = ReportBuilder.Build([artifacts], offer: offer);
        folder.Write(RunFolder.ReportFile, writer => SummaryMarkdown.Write(writer, run, document));
        folder.Write(RunFolder.PageFile, writer => HtmlReport.Write(writer, document));
    }

    /// <summary>The content of <c>report.html</c> for what a run has measured so far; nothing is written.</summary>
    public static string Page(RunFolder folder, RunResult run)
    {
        using var page = new StringWriter(CultureInfo.InvariantCulture);
        HtmlReport.Write(page, ReportBuilder.Build([new RunArtifacts(run, folder.Path)]));
        return page.ToString();
    }

    /// <summary>Writes <c>load.md</c> and the reports of its run.</summary>
    public static void Write(RunFolder folder, RunResult run, LoadTestResult test, IReadOnlyList<EngineSettingValue> engine)
    {
        folder.Write(RunFolder.LoadReportFile, writer => LoadMarkdown.Write(writer, test, run, engine));
        Write(folder, run);
    }

    /// <summary>Writes <c>queue.md</c> and the reports of its run.</summary>
    public static void Write(RunFolder folder, RunResult run, QueueTestResult test, IReadOnlyList<EngineSettingValue> engine)
    {
        folder.Write(RunFolder.QueueReportFile, writer => QueueMarkdown.Write(writer, test, run, engine));
        Write(folder, run);
    }
}
