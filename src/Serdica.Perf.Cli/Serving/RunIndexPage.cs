using System.Globalization;
using System.Net;
using System.Text.Json;
using Serdica.Perf.Measurement.Baselines;

namespace Serdica.Perf.Cli.Serving;

/// <summary>The list of all runs, from which one is opened, or several beside each other and against a base.</summary>
internal static class RunIndexPage
{
    private const string Style =
        """
        :root { color-scheme: light dark; }
        body { font: 16px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; margin: 1rem 0; }
        th, td { border-bottom: 1px solid #8888; padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top; }
        button { font: inherit; padding: .3rem .8rem; }
        """;

    private static readonly string[] Columns = ["Show", "Base", "Run", "Result", "Begun", "Databases", "Commit", "Files"];

    public static void Write(TextWriter writer, string folder, IReadOnlyList<string> names)
    {
        writer.Write($"""
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Runs</title>
            <link rel="icon" href="data:,">
            <style>
            {Style}
            </style>
            </head>
            <body>
            <main>
            <h1>Runs</h1>

            """);
        if (names.Count == 0)
            writer.Write($"<p>No run has got to its end in {Text(folder)} yet.</p>\n");
        else
            WriteForm(writer, folder, names);
        writer.Write("</main>\n</body>\n</html>\n");
    }

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
        catch (Exception error) when (error is IOException or JsonException)
        {
            // The list is of use without it.
            return null;
        }
    }

    private static string Text(string text) => WebUtility.HtmlEncode(text);
}
