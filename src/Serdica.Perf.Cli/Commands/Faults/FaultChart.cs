using Serdica.Perf.Faults.Plans;

namespace Serdica.Perf.Cli.Commands.Faults;

/// <summary>Throughput, response time and failed calls of a run under faults, second by second, drawn without a script.</summary>
internal static class FaultChart
{
    public const string Style = """
        .chart { overflow-x: auto; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: .75rem; }
        .chart svg { display: block; width: 100%; min-width: 62.5rem; }
        .chart text { fill: var(--quiet); font-size: 12px; }
        .chart .title { fill: var(--text); font-weight: 600; }
        .chart .line { fill: none; stroke: var(--accent); stroke-width: 1.5; }
        .chart .bar { fill: var(--bad); }
        .chart .axis { stroke: var(--line); }
        .chart .fault rect { fill: var(--bad); opacity: .14; }
        .chart .fault line { stroke: var(--bad); stroke-dasharray: 4 3; }
        .chart .fault text { fill: var(--bad); font-weight: 600; text-anchor: middle; }
        """;

    private const double Width = 1000;
    private const double Left = 56;
    private const double Right = 12;
    private const double Top = 70;
    private const double PanelHeight = 110;
    private const double Gap = 44;
    private const int Panels = 3;
    private const double Bottom = Top + Panels * PanelHeight + (Panels - 1) * Gap;
    private const double Height = Bottom + 40;

    /// <summary>Nothing when the run ended before its first second.</summary>
    public static void Write(TextWriter writer, FaultResult result)
    {
        var seconds = result.Timeline;
        if (seconds.Count == 0)
            return;
        var end = result.Faults.Select(fault => fault.At + fault.Lasted).Append(seconds[^1].At + 1).Max();
        double X(double at) => Left + (Width - Left - Right) * at / end;

        writer.Write(
            Invariant(
                $"""
                <h2>Over time</h2>
                <p>Round trips and their p99 are of the callers whose instances take signals alone; failed calls are of all callers.
                Red bands are the faults, from their beginning to their end; their numbers are those of the table.</p>
                <div class="chart" tabindex="0" role="region" aria-label="Chart over time">
                <svg viewBox="0 0 {Width} {Height}" role="img"
                 aria-label="Throughput, p99 and failed calls in each second; the table of seconds has the figures">

                """
            )
        );
        for (var i = 0; i < result.Faults.Count; i++)
            WriteFault(writer, i + 1, result.Faults[i], X);
        WritePanel(writer, 0, "Round trips/s", [.. seconds.Select(second => (double?)second.Completed)], X, asBars: false);
        WritePanel(writer, 1, "p99, ms", [.. seconds.Select(second => second.P99)], X, asBars: false);
        WritePanel(writer, 2, "Failed calls/s", [.. seconds.Select(second => (double?)second.Failed)], X, asBars: true);
        WriteTimes(writer, end, X);
        writer.Write("</svg>\n</div>\n");
    }

    private static void WriteFault(TextWriter writer, int number, FaultFigures fault, Func<double, double> x)
    {
        var (from, to) = (x(fault.At), x(fault.At + fault.Lasted));
        var words = Invariant($"{FaultTraits.Name(fault.Kind)} of {fault.Target}, {fault.At:0.0} s to {fault.At + fault.Lasted:0.0} s");
        writer.Write(
            Invariant(
                $"""
                <g class="fault"><title>{HtmlPage.Escaped(words)}</title>
                <rect x="{from:0.#}" y="{Top}" width="{to - from:0.#}" height="{Bottom - Top}"/>
                <line x1="{from:0.#}" x2="{from:0.#}" y1="{Top}" y2="{Bottom}"/><line x1="{to:0.#}" x2="{to:0.#}" y1="{Top}" y2="{Bottom}"/>
                <text x="{(from + to) / 2:0.#}" y="{Top - 26 - 13 * (number % 3)}">{number}</text></g>

                """
            )
        );
    }

    /// <summary>One curve with an axis of its own, which begins at zero. A second without a figure is a gap in a line.</summary>
    private static void WritePanel(
        TextWriter writer,
        int index,
        string title,
        IReadOnlyList<double?> values,
        Func<double, double> x,
        bool asBars
    )
    {
        var top = Top + index * (PanelHeight + Gap);
        var bottom = top + PanelHeight;
        var most = Most(values.Max() ?? 0);
        double Y(double value) => bottom - PanelHeight * value / most;
        writer.Write(
            Invariant(
                $"""
                <text class="title" x="{Left}" y="{top - 8}">{title}</text>
                <line class="axis" x1="{Left}" x2="{Width - Right}" y1="{bottom}" y2="{bottom}"/>
                <line class="axis" x1="{Left}" x2="{Width - Right}" y1="{top}" y2="{top}"/>
                <text x="{Left - 6}" y="{bottom + 4}" text-anchor="end">0</text>
                <text x="{Left - 6}" y="{top + 4}" text-anchor="end">{most:#,0.###}</text>

                """
            )
        );
        if (asBars)
        {
            foreach (var (value, second) in values.Select((value, second) => (value, second)).Where(bar => bar.value > 0))
                writer.Write(
                    Invariant($"<rect class=\"bar\" x=\"{x(second):0.#}\" y=\"{Y(value!.Value):0.#}\" ")
                        + Invariant($"width=\"{x(1) - x(0):0.#}\" height=\"{bottom - Y(value.Value):0.#}\"/>\n")
                );
            return;
        }

        var path = string.Concat(
            values.Select(
                (value, second) =>
                    value is null ? ""
                    : second > 0 && values[second - 1] is not null ? Invariant($"L{x(second + 0.5):0.#} {Y(value.Value):0.#}")
                    : Invariant($"M{x(second + 0.5):0.#} {Y(value.Value):0.#}h.1")
            )
        );
        writer.Write($"<path class=\"line\" d=\"{path}\"/>\n");
    }

    private static void WriteTimes(TextWriter writer, double end, Func<double, double> x)
    {
        var step = Most(end / 8);
        for (var at = 0.0; at <= end; at += step)
            writer.Write(Invariant($"<text x=\"{x(at):0.#}\" y=\"{Bottom + 18}\" text-anchor=\"middle\">{at:#,0.##}</text>\n"));
        writer.Write(
            Invariant($"<text x=\"{(Left + Width - Right) / 2}\" y=\"{Bottom + 36}\" text-anchor=\"middle\">")
                + "Seconds from the beginning of the load</text>\n"
        );
    }

    /// <summary>1, 2 or 5 times a power of ten that is not below a value.</summary>
    private static double Most(double value)
    {
        if (value <= 0)
            return 1;
        var power = Math.Pow(10, Math.Floor(Math.Log10(value)));
        return ((double[])[1, 2, 5, 10]).First(factor => factor * power >= value) * power;
    }
}
