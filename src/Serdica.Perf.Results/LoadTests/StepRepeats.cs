using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Results.LoadTests;

/// <summary>
/// The repeats of one step side by side, those that failed as well: whether a load is held every time is the question.
/// Percentiles of repeats are never averaged.
/// </summary>
public sealed record StepRepeats
{
    /// <summary>The scenario of the step, the same of all its repeats.</summary>
    public required string Scenario { get; init; }

    public required int Repeats { get; init; }

    public required int Passed { get; init; }

    public Spread? CompletedPerSecond { get; init; }

    public Spread? P50Ms { get; init; }

    public Spread? P99Ms { get; init; }

    public Spread? MaxMs { get; init; }

    /// <summary>One for each step that was measured more than once, in the order of the first of each.</summary>
    public static IReadOnlyList<StepRepeats> Of(IEnumerable<StepResult> steps) =>
    [
        .. steps.GroupBy(step => step.Scenario).Where(repeats => repeats.Count() > 1).Select(repeats => new StepRepeats
        {
            Scenario = repeats.Key,
            Repeats = repeats.Count(),
            Passed = repeats.Count(step => step.Verdict == StepVerdict.Passed),
            CompletedPerSecond = Spread.Of(repeats.Select(step => (double?)step.CompletedPerSecond)),
            P50Ms = Spread.Of(repeats.Select(step => step.Response.P50Ms)),
            P99Ms = Spread.Of(repeats.Select(step => step.Response.P99Ms)),
            MaxMs = Spread.Of(repeats.Select(step => step.Response.MaxMs)),
        }),
    ];

    /// <summary>Of each step the repeat of median p99; of two in the middle the slower.</summary>
    public static IEnumerable<StepResult> Typical(IEnumerable<StepResult> steps) => steps
        .GroupBy(step => step.Scenario)
        .Select(repeats => repeats.OrderBy(step => step.Response.P99Ms).ElementAt(repeats.Count() / 2));
}
