namespace Serdica.Perf.Reports.Summary;

/// <summary>Keeps servers of one backend apart that were measured under different conditions: two servers are never one row.</summary>
internal static class BackendConditions
{
    private const string External = "external";

    /// <summary>The runs with a letter behind each backend that was measured under several conditions: <c>postgresql A</c>.</summary>
    public static IReadOnlyList<RunResult> Apart(IReadOnlyList<RunResult> runs)
    {
        var conditions = runs.SelectMany(run => run.Databases)
            .GroupBy(database => database.Backend)
            .ToDictionary(backend => backend.Key, backend => Distinct(backend));
        string Label(RunResult run, string backend)
        {
            var known = conditions.GetValueOrDefault(backend, []);
            var database = run.Databases.FirstOrDefault(database => database.Backend == backend);
            return known.Count < 2 || database is null
                ? backend
                : $"{backend} {(char)('A' + known.FindIndex(one => IsSame(one, database)))}";
        }

        return
        [
            .. runs.Select(run =>
                run with
                {
                    Databases = [.. run.Databases.Select(database => database with { Backend = Label(run, database.Backend) })],
                    Scenarios =
                    [
                        .. run.Scenarios.Select(scenario =>
                            Label(run, scenario.Backend) is var label && label != scenario.Backend
                                ? scenario with { Backend = label, Name = $"{label} {scenario.Scenario}" }
                                : scenario
                        ),
                    ],
                }
            ),
        ];
    }

    /// <summary>In what the servers of one backend differ, for runs that are <see cref="Apart"/>.</summary>
    public static IEnumerable<string> Differences(IReadOnlyList<RunResult> apart) =>
        from backend in apart.SelectMany(run => run.Databases).DistinctBy(database => database.Backend).GroupBy(Bare)
        let first = backend.First()
        from other in backend.Skip(1)
        from difference in Words(first, other)
        select $"{other.Backend} compared with {first.Backend}: {difference}";

    private static IEnumerable<string> Words(DatabaseDescription first, DatabaseDescription other) =>
        Likeness.Differences(other, first) is { Count: > 0 } differences ? differences : ["another server, described in the same way"];

    private static string Bare(DatabaseDescription database) =>
        database.Backend is [.., ' ', >= 'A' and <= 'Z'] ? database.Backend[..^2] : database.Backend;

    private static List<DatabaseDescription> Distinct(IEnumerable<DatabaseDescription> databases)
    {
        var distinct = new List<DatabaseDescription>();
        foreach (var database in databases)
        {
            if (!distinct.Exists(one => IsSame(one, database)))
                distinct.Add(database);
        }

        return distinct;
    }

    /// <summary>A throw-away server has another address in every run; an external one has its own.</summary>
    private static bool IsSame(DatabaseDescription one, DatabaseDescription other) =>
        Likeness.Differences(one, other).Count == 0 && (one.Source != External || one.Connection == other.Connection);
}
