using System.Net;

namespace Serdica.Perf.Reports.Html;

/// <summary>The frame of a plain page of tables, in one file that needs no other. Line feeds.</summary>
public static class HtmlPage
{
    private const string Style =
        """
        :root { color-scheme: light dark; }
        body { font: 16px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
        table { border-collapse: collapse; margin: 1rem 0; }
        th, td { border-bottom: 1px solid #8888; padding: .2rem .7rem; text-align: left; vertical-align: top; }
        td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
        .scroll { overflow-x: auto; }
        button { font: inherit; padding: .3rem .8rem; }
        """;

    /// <param name="writer">Gets the page.</param>
    /// <param name="title">As text, which this escapes.</param>
    /// <param name="content">Writes what stands in the page, from its first heading on.</param>
    public static void Write(TextWriter writer, string title, Action content)
    {
        ArgumentNullException.ThrowIfNull(writer);
        ArgumentNullException.ThrowIfNull(content);
        writer.Write($"""
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>{WebUtility.HtmlEncode(title)}</title>
            <link rel="icon" href="data:,">
            <style>
            {Style}
            </style>
            </head>
            <body>
            <main>

            """);
        content();
        writer.Write("</main>\n</body>\n</html>\n");
    }
}
