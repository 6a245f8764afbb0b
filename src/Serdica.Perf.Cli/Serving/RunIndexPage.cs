using System.Globalization;
using System.Net;
using System.Text.Json;
using Serdica.Perf.Reports.Html;
using Serdica.Perf.Results;
using Serdica.Perf.Results.Folders;

namespace Serdica.Perf.Cli.Serving;

/// <summary>The list of all runs, from which one is opened, or several beside each other and against a base.</summary>
internal static class RunIndexPage
{
    private static readonly string[] Columns = ["Show", "Base", "Run", "Result", "Started", "Databases", "Commit", "Files"];

    public static void Write(TextWriter writer, string folder, IReadOnlyList<string> names) => HtmlPage.Write(writer, "Runs", () =>
    {
        writer.Write("<h1>Runs</h1>\n");
        if (names.Count == 0)
            writer.Write($"<p>No run in {Text(folder)} has ended yet.</p>\n");
        else
            WriteForm(writer, folder, names);
    });

    private static void WriteForm(TextWriter writer, string folder, IReadOnlyList<string> names)
    {
        var headings = string.Concat(Columns.Select(column => $"<th scope=\"col\">{column}</th>"));
        writer.Write($"""
            <form action="/report">
            <p>Open one, or tick several to see them together, against a base where you like. <button>Show together</button></p>
            <div class="scroll"><table>
            <thead><tr>{headings}</tr></thead>
            <tbody>

            """);
        foreach (var name in names)
            WriteRow(writer, folder, name);
        writer.Write("</tbody>\n</table></div>\n</form>\n");
    }

    private static void WriteRow(TextWriter writer, string folder, string name)
    {
        var (link, manifest) = (Uri.EscapeDataString(name), ReadManifest(Path.Combine(folder, name, RunFolder.ManifestFile)));
        var files = string.Join(" ", ((string[])[RunFolder.ReportFile, RunFolder.SummaryFile, RunFolder.CsvFile]).Select(file => $"<a href=\"/runs/{link}/{file}\">{file}</a>"));
        writer.Write(
            $"<tr><td><input type=\"checkbox\" name=\"run\" value=\"{Text(name)}\" aria-label=\"Show {Text(name)}\"></td><td><input type=\"radio\" name=\"base\" value=\"{Text(name)}\" aria-label=\"Base {Text(name)}\"></td>" +
            $"<th scope=\"row\"><a href=\"/runs/{link}\">{Text(name)}</a></th><td>{Text(manifest?.Status.ToString().ToLowerInvariant() ?? "unknown")}</td>" +
            $"<td>{manifest?.StartedAt.UtcDateTime.ToString("yyyy-MM-dd HH:mm 'UTC'", CultureInfo.InvariantCulture)}</td>" +
            $"<td>{Text(string.Join(", ", manifest?.Databases.Select(database => $"{database.Product} {database.Version}".TrimEnd()) ?? []))}</td>" +
            $"<td>{Text(manifest?.Environment.Source.Commit is { Length: > 12 } commit ? commit[..12] : "unknown")}</td><td>{files}</td></tr>\n");
    }

    private static RunManifest? ReadManifest(string file)
    {
        try
        {
            return JsonSerializer.Deserialize<RunManifest>(File.ReadAllText(file), MeasurementJson.Artifacts);
        }
        catch (Exception)
        {
            // However it is damaged: the list is of use without it.
            return null;
        }
    }

    private static string Text(string text) => WebUtility.HtmlEncode(text);
}
