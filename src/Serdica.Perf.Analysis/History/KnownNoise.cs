namespace Serdica.Perf.Analysis.History;

/// <summary>Compares single runs with what the history knows of the noise between runs.</summary>
internal static class KnownNoise
{
    /// <param name="before">The base.</param>
    /// <param name="after">The candidate.</param>
    /// <param name="settings">What a change must pass to count.</param>
    /// <param name="history">What is known, see <see cref="HistoryFile.Read"/>.</param>
    /// <param name="allowUnlike">Compares runs with different conditions too.</param>
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
