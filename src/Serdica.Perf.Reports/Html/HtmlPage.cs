using System.Net;

namespace Serdica.Perf.Reports.Html;

/// <summary>The frame of a plain page of tables, in one file that needs no other. Line feeds.</summary>
internal static partial class HtmlPage
{
    /// <summary>A longer text would be squeezed into the width of its longest word, and make its row as high as a screen.</summary>
    private const int MostCharactersOfAWord = 32;

    /// <summary>The colours of the report's page, so that nobody sees two designs.</summary>
    private const string Style = """
        :root {
          color-scheme: light dark;
          --background: #f6f7f9; --surface: #fff; --text: #1b1f24; --quiet: #59636e; --line: #d1d7de; --hover: #eef1f5;
          --accent: #0b5cad; --good: #116329; --bad: #b3261e; --warn: #7d4e00;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --background: #0f1318; --surface: #171d24; --text: #e8ecf1; --quiet: #a0abb8; --line: #343e4a; --hover: #1d252e;
            --accent: #78b7f5; --good: #5fd07f; --bad: #ff8a80; --warn: #f2bd5c;
          }
        }
        * { box-sizing: border-box; }
        body { font: 15px/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; max-width: 76rem; margin: 0 auto;
               padding: 1.5rem 1.25rem 4rem; background: var(--background); color: var(--text); }
        h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; overflow-wrap: anywhere; }
        a { color: var(--accent); }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
        table { border-collapse: collapse; margin: 0; font-size: .875rem; }
        th, td { border-bottom: 1px solid var(--line); padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top; }
        td.long { min-width: 18rem; }
        .option { white-space: nowrap; }
        td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
        .scroll { overflow-x: auto; background: var(--surface); border: 1px solid var(--line); border-radius: 10px;
                   padding: .75rem 1.25rem; }
        input[type=search], button { font: inherit; color: var(--text); background: var(--surface); border: 1px solid var(--line);
                                     border-radius: 6px; padding: .3rem .8rem; }
        ::placeholder { color: var(--quiet); opacity: 1; }
        button { cursor: pointer; }
        """;

    /// <param name="content">Writes what stands in the page, from its first heading on.</param>
    public static void Write(TextWriter writer, string title, Action content, string style = "")
    {
        writer.Write(
            $"""
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>{Escaped(title)}</title>
            <link rel="icon" href="data:,">
            <style>
            {Style}
            {style}
            </style>
            </head>
            <body>
            <main>

            """
        );
        content();
        writer.Write("</main>\n</body>\n</html>\n");
    }

    /// <summary>A table below a heading; nothing when there are no rows.</summary>
    /// <param name="heading">As text, which this escapes, like all cells.</param>
    /// <param name="headers">One for each column.</param>
    /// <param name="rows">Each with a cell for each column.</param>
    public static void Table(TextWriter writer, string heading, int textColumns, string[] headers, IEnumerable<string[]> rows)
    {
        var all = rows.ToArray();
        if (all.Length == 0)
            return;

        string Class(int column) => column < textColumns ? "" : " class=\"n\"";
        writer.Write(
            $"<h2>{Escaped(heading)}</h2>\n<div "
                + $"class=\"scroll\"><table>\n<thead><tr>"
                + $"{string.Concat(headers.Select((header, column) => $"<th scope=\"col\"{Class(column)}>{Escaped(header)}</th>"))}</tr>"
                + $"</thead>\n<tbody>\n"
        );
        string Cell(string text, int column) =>
            column < textColumns && text.Length > MostCharactersOfAWord
                ? $"<td class=\"long\">{WithOptions(text)}</td>"
                : $"<td{Class(column)}>{Escaped(text)}</td>";
        foreach (var row in all)
            writer.Write($"<tr>{string.Concat(row.Select(Cell))}</tr>\n");
        writer.Write("</tbody>\n</table></div>\n");
    }

    /// <summary>Escapes a text, for the content of an element or an attribute.</summary>
    public static string Escaped(string text) => WebUtility.HtmlEncode(text);

    /// <summary>Escapes a text with commands in it, so that no line ends between the hyphens and the name of an option.</summary>
    public static string WithOptions(string text) => OptionPattern().Replace(Escaped(text), "<span class=\"option\">$0</span>");

    [GeneratedRegex(@"(?<=^|\s)--?[a-z][\w-]*")]
    private static partial Regex OptionPattern();
}
