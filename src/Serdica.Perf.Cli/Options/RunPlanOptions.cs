namespace Serdica.Perf.Cli.Options;

/// <summary>What `run` measures: backends, tiers, scenarios and the levels of a ladder.</summary>
internal sealed class RunPlanOptions(Command command)
{
    private readonly Option<string[]> _backends = command.Names(
        "--backend",
        "NAME",
        $"Backends to measure, comma-separated or repeated: {string.Join(", ", BackendNames.All)}. Default {BackendNames.PostgreSql}."
    );
    private readonly Option<string[]> _tiers = command.Names(
        "--tier",
        "TIER",
        $"Measures the scenarios of a tier: {string.Join(", ", ScenarioNames.TierNames)}. Default smoke, unless a scenario is named."
    );
    private readonly Option<string[]> _scenarios = command.Names(
        "--scenario",
        "NAME",
        "A scenario, with or without its backend as a prefix; see 'serdica-perf list'."
    );
    private readonly Option<string?> _assembly = command.Text(
        "--assembly",
        "FILE",
        "A .dll with scenarios of your own; see 'serdica-perf init'. All of them are measured, unless --scenario names one."
    );
    private readonly Option<LadderOfCallers?> _ladder = command.Declare(
        LadderOfCallers.Option(
            "Measures a capacity ladder with these numbers of callers instead of the capacity tier's 1,4,8,16. "
                + "It can stand alone, with --tier or with --scenario. Each level has 16 operations per caller, or --operations."
        )
    );

    /// <summary>Shells complete the names.</summary>
    public RunPlanOptions AddCompletions()
    {
        _backends.CompletionSources.Add([.. BackendNames.All]);
        _tiers.CompletionSources.Add([.. ScenarioNames.TierNames]);
        _scenarios.CompletionSources.Add([.. ScenarioCatalog.All.Select(scenario => scenario.Name)]);
        return this;
    }

    /// <exception cref="UsageException">A name is not known.</exception>
    public RunPlan Read(ParseResult parsed)
    {
        var backends = OptionDeclarations.Split(parsed.GetValue(_backends));
        var tiers = OptionDeclarations.Split(parsed.GetValue(_tiers));
        var scenarios = OptionDeclarations.Split(parsed.GetValue(_scenarios));
        var ladder = parsed.GetValue(_ladder)?.Levels;
        var assembly = parsed.GetValue(_assembly);
        var own = assembly is null ? [] : ScenarioAssembly.Load(assembly);
        var chosen =
            scenarios.Count == 0
                ? [.. own.Select(scenario => ((string?)null, scenario))]
                : scenarios.Select(name => ScenarioNames.Parse(name, own)).ToList();
        return new(
            RunPlan.ByBackend(backends, tiers, chosen, ladder),
            IsLadder: ladder is not null,
            BackendsNamed: backends.Count > 0 || chosen.Any(choice => choice.Backend is not null),
            Tier: (tiers, chosen) switch
            {
                ([], []) when ladder is not null => Tiers.ShortName(Tiers.Capacity),
                ([], []) => Tiers.ShortName(Tiers.Smoke),
                ([], _) => "scenario",
                _ => string.Join('+', tiers.Select(Tiers.ShortName)),
            },
            SourceFolder: ScenarioAssembly.SourceFolder(assembly)
        );
    }
}

/// <summary>What <see cref="RunPlanOptions"/> were set to.</summary>
/// <param name="Backends">In the order in which they were typed, each once, with its scenarios.</param>
/// <param name="IsLadder">Whether the levels of a ladder were typed.</param>
/// <param name="BackendsNamed">Whether the user named the backends, so that a missing one is an error.</param>
/// <param name="SourceFolder">Where git is asked for the commit of scenarios of the user's own; null for those of the suite.</param>
internal sealed record RunPlan(
    IReadOnlyList<(string Backend, IReadOnlyList<Scenario> Scenarios)> Backends,
    bool IsLadder,
    bool BackendsNamed,
    string Tier,
    string? SourceFolder
)
{
    public IEnumerable<Scenario> Scenarios => Backends.SelectMany(entry => entry.Scenarios);

    /// <summary>The scenarios with the backend in front.</summary>
    public IReadOnlySet<string> Names =>
        Backends.SelectMany(entry => entry.Scenarios.Select(scenario => ScenarioRunner.FullName(entry.Backend, scenario))).ToHashSet();

    /// <summary>
    /// What is planned for a database and not for the memory. Not in it: what waits by design, whose throughput means
    /// nothing, and soaks, which test endurance.
    /// </summary>
    public IReadOnlyList<Scenario> Overhead =>
        [
            .. Backends
                .Where(entry => entry.Backend != BackendNames.InMemory)
                .SelectMany(entry => entry.Scenarios)
                .Except(Backends.Where(entry => entry.Backend == BackendNames.InMemory).SelectMany(entry => entry.Scenarios))
                .Where(scenario => !scenario.IsPaced && scenario.Tier != Tiers.Soak),
        ];

    /// <summary>
    /// Scenarios by backend. A scenario with a backend's prefix is of that backend alone; without one it is of every
    /// backend that was named, or of PostgreSQL. A ladder replaces the levels of the capacity tier; alone it is all
    /// that is measured.
    /// </summary>
    /// <exception cref="UsageException">A name is not known.</exception>
    public static IReadOnlyList<(string Backend, IReadOnlyList<Scenario> Scenarios)> ByBackend(
        IReadOnlyList<string> backends,
        IReadOnlyList<string> tiers,
        IReadOnlyList<(string? Backend, Scenario Scenario)> chosen,
        IReadOnlyList<int>? ladder
    )
    {
        foreach (var backend in backends)
            ScenarioNames.CheckBackend(backend);
        var named = backends.Concat(chosen.Select(choice => choice.Backend).OfType<string>()).Distinct().ToList();
        if (named.Count == 0)
            named.Add(BackendNames.PostgreSql);

        var fromTiers =
            tiers.Count == 0 && (chosen.Count > 0 || ladder is not null) ? []
            : tiers.Count == 0 ? ScenarioCatalog.OfTier(Tiers.Smoke)
            : tiers.SelectMany(ScenarioNames.OfTier);
        var shared = ladder is null
            ? fromTiers.ToList()
            : [.. fromTiers.Where(scenario => !CapacityLadder.IsRung(scenario.Name)), .. ladder.Select(ScenarioCatalog.Rung)];
        return
        [
            .. named
                .Select(backend =>
                    (
                        backend,
                        (IReadOnlyList<Scenario>)
                            [
                                .. (backends.Count == 0 || backends.Contains(backend) ? shared : [])
                                    .Concat(
                                        chosen
                                            .Where(choice => choice.Backend is null || choice.Backend == backend)
                                            .Select(choice => choice.Scenario)
                                    )
                                    .DistinctBy(scenario => scenario.Name),
                            ]
                    )
                )
                .Where(entry => entry.Item2.Count > 0),
        ];
    }
}
