using static Serdica.Perf.Reports.Html.HtmlPage;

namespace Serdica.Perf.Cli.Serving;

/// <summary>The list of all runs: one line each, from which one is opened, two are compared, or several are shown together.</summary>
internal static class RunIndexPage
{
    private const string Style =
        Sparkline.Style
        + """

        body { max-width: 90rem; }
        .tools { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: 0 0 1rem; }
        .tools input { flex: 1 1 16rem; }
        tbody tr:hover { background: var(--hover); }
        td.name a { font-weight: 600; text-decoration: none; }
        td .reason, td .scenario { display: block; color: var(--quiet); font-size: .8rem; max-width: 34rem; overflow-wrap: anywhere; }
        .passed { color: var(--good); } .failed, .aborted { color: var(--bad); } .underway { color: var(--warn); }
        tr[hidden] { display: none; }
        @media (max-width: 48rem) {
          table, tbody, tr, td { display: block; }
          thead { display: none; }
          tr { border-bottom: 1px solid var(--line); padding: .6rem 0; }
          tr td { border: 0; padding: .05rem 0; text-align: left; }
          tr td.n { text-align: left; }
          td[data-is]:not(:empty)::before { content: attr(data-is) ' '; color: var(--quiet); font-size: .8rem; }
        }
        """;

    /// <summary>Hides the lines that lack one of the words.</summary>
    private const string Filter = """
        <script>
        const search = document.getElementById('search');
        const lines = [...document.querySelectorAll('tbody tr')];
        search.addEventListener('input', () => {
          const words = search.value.toLowerCase().split(/\s+/).filter(word => word);
          for (const line of lines) line.hidden = !words.every(word => line.textContent.toLowerCase().includes(word));
        });
        </script>

        """;

    private static readonly (string Name, bool IsNumber)[] Columns =
    [
        ("", false),
        ("Run", false),
        ("Result", false),
        ("Database", false),
        ("Throughput/s", true),
        ("p99 ms", true),
        ("Series", false),
        ("Limited by", false),
        ("Duration", true),
        ("Commit", false),
        ("Age", true),
    ];

    /// <param name="folder">For the sentence that there is no run.</param>
    /// <param name="runs">The newest first.</param>
    public static void Write(TextWriter writer, string folder, IReadOnlyList<ListedRun> runs, DateTimeOffset now) =>
        HtmlPage.Write(
            writer,
            "Runs",
            () =>
            {
                writer.Write("<h1>Runs</h1>\n");
                if (runs.Count == 0)
                    writer.Write($"<p>No run in {Escaped(folder)} has ended yet. The first: <code>serdica-perf quick</code></p>\n");
                else
                    WriteForm(writer, runs, now);
            },
            Style
        );

    private static void WriteForm(TextWriter writer, IReadOnlyList<ListedRun> runs, DateTimeOffset now)
    {
        var headings = string.Concat(
            Columns.Select(column => $"<th scope=\"col\"{(column.IsNumber ? " class=\"n\"" : "")}>{column.Name}</th>")
        );
        writer.Write(
            $"""
            <form action="/report">
            <div class="tools">
            <input type="search" id="search" placeholder="Filter: backend, result, scenario, commit …" aria-label="Filter">
            <button formaction="/compare">Compare two</button>
            <button>Show together</button>
            </div>
            <div class="scroll"><table>
            <thead><tr>{headings}</tr></thead>
            <tbody>

            """
        );
        var series = runs.Where(run => run.Headline?.Series is not null).ToLookup(run => run.Headline!.Series);
        foreach (var run in runs)
            WriteRow(writer, run, Sparkline.Of(run, series[run.Headline?.Series]), now);
        writer.Write($"</tbody>\n</table></div>\n</form>\n{Filter}");
    }

    private static void WriteRow(TextWriter writer, ListedRun run, string series, DateTimeOffset now)
    {
        var (name, link, headline, manifest) = (Escaped(run.Name), Uri.EscapeDataString(run.Name), run.Headline, run.Manifest);
        var choice =
            run.Kind == ListedKind.Ended ? $"<input type=\"checkbox\" name=\"run\" value=\"{name}\" aria-label=\"Choose {name}\">" : "";
        var title = !run.HasReport ? name : $"<a href=\"/runs/{link}\">{name}</a>";
        var (word, style, reason) = Result(run);
        var products =
            run.Faults is { } faults ? [faults.Database]
            : manifest?.Databases.Select(database => $"{database.Product} {database.Version}".TrimEnd()) ?? [];
        var commit = manifest?.Environment?.Source?.Commit is { Length: > 12 } id ? id[..12] : "";
        var started = manifest?.StartedAt ?? run.Comparison?.StartedAt ?? run.Faults?.StartedAt;
        var lasted = manifest is { FinishedAt: { } end } ? end - manifest.StartedAt : run.Faults?.Plan.Duration;
        writer.Write(
            $"<tr><td>{choice}</td><td class=\"name\">{title}<span class=\"scenario\">"
                + $"{HtmlPage.WithOptions(headline?.Scenario ?? run.Comparison?.Command ?? run.Faults?.Plan.Command ?? "")}"
                + $"</span></td><td><span class=\"{style}\">{word}</span>{Because(reason)}</td>"
                + $"<td data-is=\"Database\">{Escaped(string.Join(", ", products))}</td>"
                + $"<td class=\"n\" data-is=\"Throughput/s\">{Number(headline?.PerSecond, "#,0")}</td>"
                + $"<td class=\"n\" data-is=\"p99 ms\">{Number(headline?.P99Ms, "#,0.0")}</td>"
                + $"<td data-is=\"Series\">{series}</td>"
                + $"<td data-is=\"Limited by\">{Escaped(headline?.Limit ?? "")}</td>"
                + $"<td class=\"n\" data-is=\"Duration\">{(lasted is { } span ? Span(span) : "")}</td>"
                + $"<td data-is=\"Commit\">{(commit.Length > 0 ? $"<code>{Escaped(commit)}</code>" : "")}</td>"
                + $"<td class=\"n\" data-is=\"Age\" title=\"{Time(started)}\">"
                + $"{(started is { } since ? Span(now - since) : "")}</td></tr>\n"
        );
    }

    private static (string Word, string Style, string Reason) Result(ListedRun run) =>
        run switch
        {
            { Kind: ListedKind.UnderWay } => ("under way", "underway", run.Manifest?.StatusReason ?? ""),
            { Kind: ListedKind.Comparison, Comparison: { } ab } => (Word(ab.Status), Word(ab.Status), ab.StatusReason ?? "comparison"),
            { Faults: { } faults } => Result(faults),
            { Headline: { } headline, Manifest: { } manifest } => (
                manifest.Status == RunStatus.Passed && !headline.Passed ? "failed" : Word(manifest.Status),
                manifest.Status == RunStatus.Passed && !headline.Passed ? "failed" : Word(manifest.Status),
                manifest.Status == RunStatus.Passed && headline.Passed ? "" : headline.Outcome
            ),
            _ => ("cannot be read", "failed", ""),
        };

    private static (string Word, string Style, string Reason) Result(FaultResult faults) =>
        (
            FaultMarkdown.Verdict(faults.Verdict).ToLowerInvariant(),
            faults.Verdict switch
            {
                InvariantVerdict.Held => "passed",
                InvariantVerdict.Violated => "failed",
                _ => "underway",
            },
            faults.Verdict == InvariantVerdict.Held
                ? ""
                : string.Join(", ", faults.Invariants.Where(finding => finding.Verdict == faults.Verdict).Select(finding => finding.Name))
        );

    private static string Because(string reason) => reason.Length > 0 ? $"<span class=\"reason\">{Escaped(reason)}</span>" : "";

    private static string Time(DateTimeOffset? time) =>
        time?.UtcDateTime.ToString("yyyy-MM-dd HH:mm 'UTC'", CultureInfo.InvariantCulture) ?? "";

    private static string Word(RunStatus status) => status.ToString().ToLowerInvariant();

    private static string Number(double? value, string format) => value?.ToString(format, CultureInfo.InvariantCulture) ?? "";

    /// <summary>In the largest unit that fits.</summary>
    private static string Span(TimeSpan span) =>
        span.TotalDays >= 2 ? Invariant($"{span.TotalDays:0} d")
        : span.TotalHours >= 2 ? Invariant($"{span.TotalHours:0} h")
        : span.TotalMinutes >= 2 ? Invariant($"{span.TotalMinutes:0} min")
        : Invariant($"{Math.Max(0, span.TotalSeconds):0} s");
}
