namespace Serdica.Perf.Reports.Html;

/// <summary>
/// The report as one HTML file that needs nothing else: scripts, styles and data are in it. The page is built from
/// <c>src/Serdica.Perf.Report.Web</c> when this assembly is; where Node was not there, the report has tables and says so.
/// </summary>
internal static class HtmlReport
{
    /// <summary>What the page has in the place of its data.</summary>
    private const string Placeholder = "\"serdica-perf-report-data\"";

    private static readonly string? Page = ReadPage();

    /// <summary>Whether this build has the page with charts.</summary>
    public static bool HasCharts => Page is not null;

    public static void Write(TextWriter writer, ReportDocument document)
    {
        if (Page is null)
        {
            HtmlTables.Write(writer, document);
            return;
        }

        var at = Page.IndexOf(Placeholder, Ordinal);
        writer.Write(Page.AsSpan(0, at));
        writer.Write(ReportJson.Of(document));
        writer.Write(Page.AsSpan(at + Placeholder.Length));
    }

    private static string? ReadPage()
    {
        using var stream = typeof(HtmlReport).Assembly.GetManifestResourceStream("report.html");
        if (stream is null)
            return null;

        using var reader = new StreamReader(stream);
        var page = reader.ReadToEnd();
        return page.Contains(Placeholder, Ordinal)
            ? page
            : throw new InvalidDataException($"The embedded page has no {Placeholder} to put the data in the place of.");
    }
}
