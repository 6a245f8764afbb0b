namespace Serdica.Perf.Analysis.History;

/// <summary>Compares single runs with what the history knows of the noise between runs.</summary>
internal static class KnownNoise
{
    /// <param name="settings">What a change must pass to count.</param>
    public static RunComparison Compare(
        RunResult before,
        RunResult after,
        ComparisonSettings settings,
        IReadOnlyList<HistoryLine> history,
        bool allowUnlike = false
    ) =>
        RunComparer.Compare(
            before,
            after,
            settings with { BetweenRuns = HistoryNoise.Of(history, before, after) },
            allowUnlike
        );
}
