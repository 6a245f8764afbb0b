namespace Serdica.Perf.Cli.Options;

/// <summary>A checked request of `run`.</summary>
internal sealed record RunRequest
{
    /// <summary>Whether the user named the backends, so that a missing one is an error.</summary>
    public required bool BackendsNamed { get; init; }

    /// <summary>Backends in the order in which they were typed, each once, with its scenarios.</summary>
    public required IReadOnlyList<(string Backend, IReadOnlyList<Scenario> Scenarios)> Plan { get; init; }

    /// <summary>Scenarios that are measured in memory once, to show the overhead of engine and load generator.</summary>
    public required IReadOnlyList<Scenario> Overhead { get; init; }

    /// <summary>For the name of the run folder.</summary>
    public required string Tier { get; init; }

    /// <summary>Where git is asked for the commit of scenarios of the user's own; null for those of the suite.</summary>
    public string? SourceFolder { get; init; }

    public required RunOptions Options { get; init; }

    /// <summary>Whether each operation is written to a file.</summary>
    public required bool KeepOperations { get; init; }

    public required SessionRequest Session { get; init; }

    public required int Repeat { get; init; }

    /// <summary>How containers are run, image and engine aside, which variables name.</summary>
    public required ContainerOptions Container { get; init; }

    /// <summary>Processors of the servers that are measured one after the other; none where there is one server.</summary>
    public required IReadOnlyList<double> ServerSizes { get; init; }

    /// <summary>Numbers of host processes that are measured one after the other; none where there is one number, or none.</summary>
    public IReadOnlyList<int> HostCounts { get; init; } = [];

    /// <summary>The host that this process is; null when it is none.</summary>
    public HostOfRun? Host { get; init; }

    /// <summary>The arguments for each host process: what it must know of its scenario.</summary>
    public IReadOnlyList<string> HostArguments { get; init; } = [];

    /// <summary>Whether to print the plan only.</summary>
    public required bool DryRun { get; init; }

    /// <inheritdoc cref="DatabaseRequest.ExpectedLogBytes"/>
    public long? ExpectedLogBytes => ExpectedLog.Of(Plan.SelectMany(entry => entry.Scenarios), Options, Repeat);

    /// <summary>Overrides the environment variables with these options.</summary>
    public DatabaseRequest Adjust(DatabaseRequest request)
    {
        var adjusted = request with
        {
            Source = Session.Source ?? request.Source,
            ExpectedLogBytes = ExpectedLogBytes,
            Container = Container with
            {
                Image = request.Container.Image,
                Engine = request.Container.Engine,
                Host = request.Container.Host,
            },
        };
        return HostConnections.Allow(adjusted, HostCounts.Append(Options.Hosts).Max());
    }

    /// <summary>Null without a gate.</summary>
    public required RunGate? Gate { get; init; }

    /// <summary>Scenarios that are measured, with the backend in front.</summary>
    public IReadOnlySet<string> PlannedNames => Names(Plan);

    public string Backends => string.Join('+', Plan.Select(entry => entry.Backend));

    /// <summary>Scenarios of a plan, with the backend in front.</summary>
    public static IReadOnlySet<string> Names(IReadOnlyList<(string Backend, IReadOnlyList<Scenario> Scenarios)> plan) =>
        plan.SelectMany(entry => entry.Scenarios.Select(scenario => ScenarioRunner.FullName(entry.Backend, scenario))).ToHashSet();

    /// <summary>This request, reduced to some of the scenarios.</summary>
    /// <param name="names">With the backend in front.</param>
    public RunRequest Only(IReadOnlySet<string> names) =>
        this with
        {
            Overhead = [],
            Plan =
            [
                .. Plan.Select(entry =>
                        (
                            entry.Backend,
                            Scenarios: (IReadOnlyList<Scenario>)
                                [.. entry.Scenarios.Where(scenario => names.Contains(ScenarioRunner.FullName(entry.Backend, scenario)))]
                        )
                    )
                    .Where(entry => entry.Scenarios.Count > 0),
            ],
        };

    /// <summary>
    /// Scenarios by backend. A scenario with a backend's prefix is of that backend alone; without one it is of every
    /// backend that was named, or of PostgreSQL. A ladder replaces the levels of the capacity tier; alone it is all
    /// that is measured.
    /// </summary>
    /// <exception cref="UsageException">A name is not known.</exception>
    public static IReadOnlyList<(string Backend, IReadOnlyList<Scenario> Scenarios)> MakePlan(
        IReadOnlyList<string> backends,
        IReadOnlyList<string> tiers,
        IReadOnlyList<(string? Backend, Scenario Scenario)> chosen,
        IReadOnlyList<int>? ladder = null
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

    /// <summary>
    /// What is planned for a database and not for the memory. Not in it: what waits by design, whose throughput means
    /// nothing, and soaks, which test endurance.
    /// </summary>
    public static IReadOnlyList<Scenario> MakeOverheadPlan(IReadOnlyList<(string Backend, IReadOnlyList<Scenario> Scenarios)> plan) =>
        [
            .. plan.Where(entry => entry.Backend != BackendNames.InMemory)
                .SelectMany(entry => entry.Scenarios)
                .Except(plan.Where(entry => entry.Backend == BackendNames.InMemory).SelectMany(entry => entry.Scenarios))
                .Where(scenario => !scenario.IsPaced && scenario.Tier != Tiers.Soak),
        ];
}
