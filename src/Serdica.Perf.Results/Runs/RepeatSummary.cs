namespace Serdica.Perf.Results.Runs;

/// <summary>
/// The repeats of one scenario, or of one step of a load test, side by side. Percentiles of repeats are never averaged: this
/// gives the median repeat and how far the others differ from it. For a scenario only the repeats that passed are included; for
/// a step all are, because the question is whether the load is sustained every time. A repeat with too few operations for a figure
/// is not in it.
/// </summary>
public sealed record RepeatSummary
{
    public required string Name { get; init; }

    public required int Repeats { get; init; }

    public required int Passed { get; init; }

    public Spread? ThroughputPerSecond { get; init; }

    public Spread? AverageMs { get; init; }

    public Spread? P50Ms { get; init; }

    public Spread? P95Ms { get; init; }

    public Spread? P99Ms { get; init; }

    public Spread? MaxMs { get; init; }

    /// <summary>One summary for every scenario that was measured more than once, ordered by first appearance.</summary>
    public static IReadOnlyList<RepeatSummary> Of(IEnumerable<ScenarioResult> scenarios) =>
        [.. scenarios.GroupBy(scenario => scenario.Name).Where(repeats => repeats.Count() > 1).Select(Summarize)];

    /// <summary>Puts repeats of one thing side by side.</summary>
    /// <param name="name">Of what was repeated.</param>
    /// <param name="repeats">How many times it was measured.</param>
    /// <param name="passed">How many of them passed.</param>
    /// <param name="counted">The repeats whose figures count.</param>
    /// <param name="throughput">The rate of a repeat; null where too few operations stand behind it.</param>
    /// <param name="response">The response time of a repeat.</param>
    internal static RepeatSummary Summarize<T>(
        string name,
        int repeats,
        int passed,
        IReadOnlyCollection<T> counted,
        Func<T, double?> throughput,
        Func<T, LatencySummary> response
    )
    {
        Spread? Latency(Func<LatencySummary, double?> figure) => Spread.Of(counted.Select(repeat => figure(response(repeat).Shown())));

        return new()
        {
            Name = name,
            Repeats = repeats,
            Passed = passed,
            ThroughputPerSecond = Spread.Of(counted.Select(throughput)),
            AverageMs = Latency(latency => latency.AverageMs),
            P50Ms = Latency(latency => latency.P50Ms),
            P95Ms = Latency(latency => latency.P95Ms),
            P99Ms = Latency(latency => latency.P99Ms),
            MaxMs = Latency(latency => latency.MaxMs),
        };
    }

    private static RepeatSummary Summarize(IGrouping<string, ScenarioResult> repeats)
    {
        var passed = repeats.Where(repeat => repeat.ThroughputPerSecond is not null).ToArray();
        return Summarize(
            repeats.Key,
            repeats.Count(),
            passed.Length,
            passed,
            repeat => repeat.ShownPerSecond,
            repeat => repeat.ResponseTime
        );
    }
}

/// <summary>One figure over several repeats.</summary>
/// <param name="Count">Repeats that have the figure.</param>
/// <param name="Median">The middle value, or the mean of the two in the middle.</param>
/// <param name="Min">The lowest.</param>
/// <param name="Max">The highest.</param>
/// <param name="Relative">(Max - Min) / Median: 0.1 means that the repeats lie within 10 % of each other.</param>
public sealed record Spread(int Count, double Median, double Min, double Max, double Relative)
{
    /// <summary>The spread of a figure; null when no repeat has it.</summary>
    public static Spread? Of(IEnumerable<double?> figures)
    {
        var sorted = figures.OfType<double>().Order().ToArray();
        if (sorted.Length == 0)
            return null;

        var median = (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
        return new(sorted.Length, median, sorted[0], sorted[^1], median == 0 ? 0 : (sorted[^1] - sorted[0]) / median);
    }
}

/// <summary>Picks the repeat that stands for all repeats of a scenario where a table has room for one.</summary>
internal static class TypicalRepeat
{
    /// <summary>
    /// One result for each name, ordered by first appearance: the repeat with the median throughput (for an even number, the slower
    /// of the two in the middle), or the first one when none passed.
    /// </summary>
    public static IReadOnlyList<ScenarioResult> Of(IEnumerable<ScenarioResult> scenarios) =>
        [.. scenarios.GroupBy(scenario => scenario.Name).Select(Pick)];

    /// <summary>
    /// The results of <see cref="Of"/> with average and percentiles replaced by their medians over all repeats that passed, because those
    /// of the repeat with the median throughput are not medians. Minimum and maximum are those of all.
    /// </summary>
    public static IReadOnlyList<ScenarioResult> WithMedianLatencies(IEnumerable<ScenarioResult> scenarios) =>
        [.. scenarios.GroupBy(scenario => scenario.Name).Select(repeats => Medians(Pick(repeats), [.. repeats.Where(HasFigures)]))];

    private static bool HasFigures(ScenarioResult repeat) => repeat.ThroughputPerSecond is not null;

    private static ScenarioResult Medians(ScenarioResult typical, ScenarioResult[] passed) =>
        passed.Length < 2
            ? typical
            : typical with
            {
                ResponseTime = Medians(typical.ResponseTime, [.. passed.Select(repeat => repeat.ResponseTime)]),
                ServiceTime = Medians(typical.ServiceTime, [.. passed.Select(repeat => repeat.ServiceTime)]),
                LatencyToDrain = typical.LatencyToDrain is { } drained
                    ? Medians(drained, [.. passed.Select(repeat => repeat.LatencyToDrain).OfType<LatencySummary>()])
                    : null,
            };

    private static ScenarioResult Pick(IGrouping<string, ScenarioResult> repeats)
    {
        var passed = repeats.Where(HasFigures).OrderBy(repeat => repeat.ThroughputPerSecond).ToArray();
        return passed.Length == 0 ? repeats.First() : passed[(passed.Length - 1) / 2];
    }

    /// <summary>The lowest minimum, the highest maximum, and of each other figure the median over several repeats.</summary>
    /// <param name="typical">Whose number of samples it keeps.</param>
    /// <param name="repeats">One or more.</param>
    private static LatencySummary Medians(LatencySummary typical, IReadOnlyCollection<LatencySummary> repeats)
    {
        double? Median(Func<LatencySummary, double?> figure) => Spread.Of(repeats.Select(repeat => figure(repeat.Shown())))?.Median;
        return new()
        {
            Count = typical.Count,
            AverageMs = Median(latency => latency.AverageMs),
            MinMs = repeats.Min(latency => latency.MinMs),
            P50Ms = Median(latency => latency.P50Ms),
            P90Ms = Median(latency => latency.P90Ms),
            P95Ms = Median(latency => latency.P95Ms),
            P99Ms = Median(latency => latency.P99Ms),
            P99Point9Ms = Median(latency => latency.P99Point9Ms),
            MaxMs = repeats.Max(latency => latency.MaxMs),
        };
    }
}
