using static Serdica.Perf.Reports.Html.HtmlPage;

namespace Serdica.Perf.Cli.Commands.Faults;

/// <summary>The result of a run under faults in the browser: <c>report.html</c>.</summary>
internal static class FaultPage
{
    private const string Style =
        FaultChart.Style
        + """

            h2 { font-size: 1.2rem; margin: 1.5rem 0 .5rem; }
            pre { overflow-x: auto; }
            details { margin: .5rem 0; }
            thead th.n { white-space: normal; vertical-align: bottom; }
            th, td { padding-right: .5rem; }
            td:nth-child(4):not(.n) { min-width: 9rem; }
            """;

    /// <summary>Writes the page into the folder of the run.</summary>
    public static void Write(string folder, FaultResult result)
    {
        using var page = new StringWriter(CultureInfo.InvariantCulture);
        Write(page, result);
        WholeFile.Write(Path.Combine(folder, RunFolder.PageFile), page.ToString());
    }

    public static void Write(TextWriter writer, FaultResult result)
    {
        var title = $"{FaultMarkdown.Verdict(result.Verdict)}: {result.Plan.Name} on {result.Plan.Backend}";
        HtmlPage.Write(writer, title, () => WriteContent(writer, title, result), Style);
    }

    private static void WriteContent(TextWriter writer, string title, FaultResult result)
    {
        writer.Write(
            $"""
            <h1>{Escaped(title)}</h1>
            <p>{Escaped(FaultMarkdown.Summary(result))} Begun {Figure.Time(result.StartedAt)}.</p>
            <p>Repeat it with <code>{Escaped(result.Plan.Command)}</code>.</p>

            """
        );
        FaultChart.Write(writer, result);
        WriteSeconds(writer, result.Timeline);
        HtmlPage.Table(
            writer,
            "Faults",
            4,
            ["#", .. FaultMarkdown.Columns],
            result.Faults.Select((fault, i) => (string[])[Invariant($"{i + 1}"), .. FaultMarkdown.Cells(fault)])
        );
        HtmlPage.Table(writer, "Thresholds", 1, ["Threshold"], result.Thresholds.Select(finding => (string[])[finding.Sentence]));
        HtmlPage.Table(
            writer,
            "Invariants",
            3,
            ["#", "Invariant", "Verdict", "Judged", "Violations"],
            result.Invariants.Select(finding =>
                (string[])
                    [
                        Invariant($"{finding.Number}"),
                        finding.Promise,
                        FaultMarkdown.Word(result, finding),
                        Figure.Of(finding.Judged),
                        Figure.Of(finding.Violations),
                    ]
            )
        );
        foreach (var witness in result.Invariants.SelectMany(finding => finding.Witnesses))
            writer.Write($"<h2>{Escaped(witness.Sentence)}</h2>\n<pre>{Escaped(string.Join('\n', witness.Lines))}</pre>\n");
    }

    /// <summary>The figures of the chart, behind a line that opens them.</summary>
    private static void WriteSeconds(TextWriter writer, IReadOnlyList<LoadSecond> seconds)
    {
        if (seconds.Count == 0)
            return;
        writer.Write("<details><summary>The figures of the chart</summary>\n");
        HtmlPage.Table(
            writer,
            "Each second of the load",
            0,
            ["From s", "Round trips/s", "p99 ms", "Failed calls/s"],
            seconds.Select(second =>
                (string[])
                    [Figure.Of((long)second.At), Figure.Of((long)second.Completed), Figure.Of(second.P99), Figure.Of((long)second.Failed)]
            )
        );
        writer.Write("</details>\n");
    }
}
