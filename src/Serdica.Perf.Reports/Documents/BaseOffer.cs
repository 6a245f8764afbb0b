namespace Serdica.Perf.Reports.Documents;

/// <summary>The last comparable run, which a report compares its run with where nobody has named a base.</summary>
/// <param name="Sentence">Which run it is, and how to compare with it where that was not done.</param>
/// <param name="Comparison">
/// With it, of the scenarios that have enough operations for a throughput; null without one, where a base was named, or where the
/// history cannot be read.
/// </param>
internal sealed record BaseOffer(string Sentence, RunComparison? Comparison = null)
{
    /// <param name="named">The base that was named; null without one.</param>
    /// <param name="history">The history file; null for the default one. It need not exist.</param>
    /// <returns>Null without a comparable run, or when it is the named base.</returns>
    public static BaseOffer? Of(RunArtifacts run, RunResult? named, string? history = null)
    {
        if (run.Folder is not { } folder || LikeRun.LastBefore(run.Run, folder) is not { } last || last.Run.RunId == named?.RunId)
            return null;

        var sentence = $"The last comparable run is {last.Name}.";
        var own = Path.GetFileName(Path.TrimEndingDirectorySeparator(folder));
        if (named is not null)
            return new($"{sentence} To compare with it, in the folder of both: serdica-perf compare {last.Name} {own}");
        var names = Shown(last.Run).Intersect(Shown(run.Run)).ToHashSet();
        if (names.Count == 0)
            return new($"{sentence} It is not compared: there are too few operations for figures.");
        try
        {
            return new(
                sentence,
                KnownNoise.Compare(Only(last.Run, names), Only(run.Run, names), ComparisonSettings.Default, HistoryFile.Read(history))
            );
        }
        catch (HistoryException error)
        {
            return new($"{sentence} It is not compared: {error.Message}");
        }
    }

    /// <summary>Scenarios with enough operations for a throughput in each repeat, and those that failed.</summary>
    private static IEnumerable<string> Shown(RunResult run) =>
        run
            .Scenarios.GroupBy(scenario => scenario.Name)
            .Where(repeats => repeats.All(repeat => repeat.Status != ScenarioStatus.Passed || repeat.ShownPerSecond is not null))
            .Select(repeats => repeats.Key);

    private static RunResult Only(RunResult run, HashSet<string> names) =>
        run with { Scenarios = [.. run.Scenarios.Where(scenario => names.Contains(scenario.Name))] };
}
