namespace Serdica.Perf.Measurement.Catalog;

/// <summary>Scenarios beyond those of the reference: what a workflow engine must handle besides its everyday load.</summary>
internal static class FurtherScenarios
{
    private const int SignalWorkers = 8;
    private static readonly TimeSpan WheelSpan = FromSeconds(10);

    public static IReadOnlyList<Scenario> All { get; } =
    [
        Nightly(
            "cancel-under-load",
            ScenarioFamilies.Resilience,
            240,
            16,
            "Waiting and working instances, of which some are signalled, some cancelled and some both at once: each closes as it must "
                + "and leaves nothing behind.",
            (store, parameters) => new CancelUnderLoad(store, parameters)
        ) with { PreparesInstances = true, SetsMaxActivities = true },
        Nightly(
            "poison-signal",
            ScenarioFamilies.Resilience,
            100,
            8,
            "Every fifth instance gets a signal whose handler always throws: attempts are capped, the signal becomes a dead letter, "
                + "bystanders notice nothing.",
            (store, parameters) => new PoisonSignal(store, parameters)
        ) with { IsPaced = true },
        Nightly(
            "duplicate-and-early-signals",
            ScenarioFamilies.Resilience,
            120,
            8,
            "Each signal is published twice with its dedup key, half of them before their wait exists: each takes effect once and in "
                + "order.",
            (store, parameters) => new DuplicateAndEarlySignals(store, parameters)
        ) with { IsRepeatable = true },
        Nightly(
            "recovery-backlog",
            ScenarioFamilies.Resilience,
            20_000,
            64,
            "Waiting signals that a host finds when it starts: the rate at which a backlog is drained.",
            (store, parameters) => new RecoveryBacklog(store, parameters),
            CorrelatedPayload.Bytes
        ) with { PreparesInstances = true, WarmUp = 500 },
        Nightly(
            "child-fan-out",
            ScenarioFamilies.FanOut,
            60,
            8,
            $"A parent with {ChildFanOut.Children} children, each with an activity, and the join of their results.",
            (store, parameters) => new ChildFanOut(store, parameters),
            option: ("children", $"{ChildFanOut.Children}")
        ) with { SetsMaxActivities = true, WarmUp = 60, IsRepeatable = true },
        Nightly(
            "full-host",
            ScenarioFamilies.Resilience,
            800,
            16,
            $"Activities of {FullHost.Work.TotalMilliseconds:0} ms on a host that may run {FullHost.Places} at once, all due together: "
                + "read the cost of those that wait.",
            (store, parameters) => new FullHost(store, parameters),
            option: (EngineSettings.MaxActivities, $"{FullHost.Places}")
        ) with { SetsMaxActivities = true, IsPaced = true },
        Nightly(
            "timer-wheel",
            ScenarioFamilies.Timers,
            10_000,
            64,
            $"Durable timers that are due one after the other over {WheelSpan.TotalSeconds:0} s: read the lateness.",
            (store, parameters) => new TimerWheel(store, parameters, WheelSpan),
            option: ("span", $"{WheelSpan.TotalSeconds:0} s")
        ) with { PreparesInstances = true, WarmUp = 1_000, IsPaced = true },
        Nightly(
            "large-state",
            ScenarioFamilies.LargeState,
            96,
            8,
            $"The round trip with a state of {LargeContent.Bytes / 1024} KB that its signal replaces as a whole.",
            (store, parameters) => new LargeState(store, parameters),
            CorrelatedPayload.Bytes,
            ("state", $"{LargeContent.Bytes / 1024} KB")
        ) with { IsRepeatable = true },
    ];

    private static Scenario Nightly(
        string name,
        string family,
        int operations,
        int concurrency,
        string description,
        Func<IScenarioStore, ScenarioParameters, Workload> createWorkload,
        int payloadBytes = 0,
        (string Name, string Value)? option = null
    ) =>
        new()
        {
            Name = name,
            Tier = Tiers.Nightly,
            Family = family,
            Description = description,
            Parameters = new()
            {
                Operations = operations,
                Concurrency = concurrency,
                Workers = SignalWorkers,
                Load = LoadModel.Wave,
                PayloadBytes = payloadBytes,
                Options = option is { } only ? new() { [only.Name] = only.Value } : new Dictionary<string, string>(),
            },
            CreateWorkload = createWorkload,
        };
}
