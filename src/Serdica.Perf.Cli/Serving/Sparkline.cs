namespace Serdica.Perf.Cli.Serving;

/// <summary>A run among the earlier ones of its series, as a small drawing without a script.</summary>
internal static class Sparkline
{
    public const string Style = """
        .spark { display: block; width: 5rem; height: 1.25rem; }
        .spark polyline { fill: none; stroke: var(--accent); stroke-width: 1.5; }
        .spark circle { fill: var(--accent); }
        """;

    /// <summary>Runs of a drawing; the earlier ones are left out.</summary>
    private const int MostRuns = 20;

    private const double Width = 80;
    private const double Height = 20;

    /// <summary>Keeps line and dot inside the drawing.</summary>
    private const double Edge = 3;

    /// <param name="run">The run of the line; its figure is the last of the drawing.</param>
    /// <param name="series">All runs of its series, the newest first.</param>
    /// <returns>
    /// The throughput, or the p99 of a load test, whose rate somebody chose. Empty when the run has no such figure, or no run before it
    /// has one.
    /// </returns>
    public static string Of(ListedRun run, IEnumerable<ListedRun> series)
    {
        if (run.Headline is not { } headline || FigureOf(run) is null)
            return "";

        double[] figures =
        [
            .. series.SkipWhile(other => !ReferenceEquals(other, run)).Select(FigureOf).OfType<double>().Take(MostRuns).Reverse(),
        ];
        if (figures.Length < 2)
            return "";

        var (least, range) = (figures.Min(), figures.Max() - figures.Min());
        var points = figures
            .Select(
                (figure, index) =>
                    (
                        X: Edge + (Width - 2 * Edge) * index / (figures.Length - 1),
                        Y: range > 0 ? Height - Edge - (Height - 2 * Edge) * (figure - least) / range : Height / 2
                    )
            )
            .ToArray();
        var label =
            $"{(headline.IsLoadTest ? "p99, ms" : "Throughput/s")} of the last {figures.Length} runs of this series, the oldest first: "
            + string.Join("; ", figures.Select(figure => Figure.Of(figure)));
        return Invariant($"<svg class=\"spark\" viewBox=\"0 0 {Width} {Height}\" role=\"img\" aria-label=\"{HtmlPage.Escaped(label)}\">")
            + $"<polyline points=\"{string.Join(' ', points.Select(point => Invariant($"{point.X:0.#},{point.Y:0.#}")))}\"/>"
            + Invariant($"<circle cx=\"{points[^1].X:0.#}\" cy=\"{points[^1].Y:0.#}\" r=\"2\"/></svg>");
    }

    private static double? FigureOf(ListedRun run) =>
        run.Headline is not { Series: not null } headline ? null
        : headline.IsLoadTest ? headline.P99Ms
        : headline.PerSecond;
}
