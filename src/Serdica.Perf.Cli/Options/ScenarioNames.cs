namespace Serdica.Perf.Cli.Options;

/// <summary>Names as users type them.</summary>
internal static class ScenarioNames
{
    private const string AllTiers = "all";

    public static IReadOnlyList<string> TierNames { get; } = [.. ScenarioCatalog.TiersInUse.Select(Tiers.ShortName), AllTiers];

    /// <exception cref="UsageException">There is no such backend.</exception>
    public static void CheckBackend(string name)
    {
        if (!BackendNames.All.Contains(name))
        {
            throw new UsageException(
                $"There is no backend '{name}'; there are {string.Join(", ", BackendNames.All)}."
                    + ClosestName.Question(name, BackendNames.All)
            );
        }
    }

    /// <summary>A scenario of the catalogue or of the user's own, with the backend of its prefix when it has one.</summary>
    /// <exception cref="UsageException">There is no such scenario.</exception>
    public static (string? Backend, Scenario Scenario) Parse(string name, IReadOnlyList<Scenario> own)
    {
        // One backend's name begins with another's.
        var backend = BackendNames
            .All.Where(candidate => name.StartsWith(candidate + "-", Ordinal))
            .MaxBy(candidate => candidate.Length);
        var bare = backend is null ? name : name[(backend.Length + 1)..];
        if ((own.FirstOrDefault(candidate => candidate.Name == bare) ?? ScenarioCatalog.Find(bare)) is { } scenario)
            return (backend, scenario);
        string[] names = [.. own.Concat(ScenarioCatalog.All).Select(candidate => candidate.Name)];
        throw new UsageException(
            $"There is no scenario '{name}'; there are {string.Join(", ", names)}.{ClosestName.Question(bare, names)}"
        );
    }

    /// <summary>Scenarios of a tier by its short or full name, or of all; without those that are only run on request.</summary>
    /// <exception cref="UsageException">There is no such tier.</exception>
    public static IEnumerable<Scenario> OfTier(string name)
    {
        if (name == AllTiers)
            return ScenarioCatalog.OfAllTiers();

        var tier = ScenarioCatalog.TiersInUse.FirstOrDefault(tier => tier == name || Tiers.ShortName(tier) == name);
        return tier is null
            ? throw new UsageException(
                $"There is no tier '{name}'; there are {string.Join(", ", TierNames)}.{ClosestName.Question(name, TierNames)}"
            )
            : ScenarioCatalog.OfTier(tier);
    }
}
