namespace Serdica.Perf.Faults.Plans;

/// <summary>The plans by name: each draws times, targets and durations from a seed, and the same from the same seed.</summary>
internal static class BuiltInPlans
{
    private const string AmbiguousCommit = "ambiguous-commit";
    private const string HeldSnapshot = "held-snapshot";
    private const string Everything = "everything";

    /// <summary>The load runs in before the first fault, and its rate before a fault is known.</summary>
    public static readonly TimeSpan Lead = FromSeconds(5);

    /// <summary>After each fault, for the recovery to be seen.</summary>
    public static readonly TimeSpan Settle = FromSeconds(6);

    /// <summary>The longest time before a fault that lasts for the rest of the run.</summary>
    private static readonly TimeSpan LongestLead = FromMinutes(1);

    private static readonly (string Name, FaultKind[] Kinds)[] Plans =
    [
        ("kill-worker", [FaultKind.KillHost, FaultKind.KillHost, FaultKind.TerminateHost]),
        ("zombie", [FaultKind.PauseHost]),
        ("restart-database", [FaultKind.KillDatabase, FaultKind.CrashDatabase, FaultKind.RestartDatabase, FaultKind.PauseDatabase]),
        (AmbiguousCommit, [FaultKind.CutCommits]),
        (
            "partition",
            [FaultKind.PartitionHost, FaultKind.HalfOpenHost, FaultKind.ResetConnections, FaultKind.Latency, FaultKind.Bandwidth]
        ),
        ("session-kills", [FaultKind.KillSessions]),
        (HeldSnapshot, [FaultKind.HoldSnapshot]),
        ("disk-full", [FaultKind.FillDisk]),
        ("clock-skew", [FaultKind.SkewClock]),
        ("schema-change", [FaultKind.ChangeSchema]),
        ("volume-full", [FaultKind.FillVolume]),
        ("upgrade", [FaultKind.UpgradeHost]),
        (Everything, [.. Enum.GetValues<FaultKind>().Where(kind => !FaultTraits.Of(kind).NotDocumentDb)]),
    ];

    public static IReadOnlyList<string> Names { get; } = [.. Plans.Select(plan => plan.Name)];

    /// <summary>The plans that a backend can be put under.</summary>
    public static IReadOnlyList<string> NamesFor(string backend) =>
        [.. Plans.Where(plan => plan.Name == Everything || plan.Kinds.All(Fits(backend))).Select(plan => plan.Name)];

    /// <param name="hosts">Two or more.</param>
    /// <param name="cuts">How many commits have to be cut in one fault, which ends then; null for faults of the usual length.</param>
    /// <param name="container">Whether the server runs in a container, to which not everything can be done.</param>
    /// <exception cref="ArgumentException">The duration has no room for a fault, or a value is unknown.</exception>
    public static FaultPlan Make(
        string name,
        string backend,
        int seed,
        TimeSpan duration,
        int hosts,
        int? cuts = null,
        bool container = false
    )
    {
        var kinds =
            Array.Find(Plans, plan => plan.Name == name).Kinds
            ?? throw new ArgumentException(
                $"There is no plan '{name}'; there are {string.Join(", ", Names)}.{ClosestName.Question(name, Names)}"
            );
        var fitting = NamesFor(backend);
        if (!fitting.Contains(name))
            throw new ArgumentException($"The plan '{name}' cannot be done on {backend}; there are {string.Join(", ", fitting)}.");
        if (name == Everything)
            kinds = [.. kinds.Where(Fits(backend)).Where(kind => !container || FaultTraits.FitsContainer(kind))];
        if (cuts is not null && name != AmbiguousCommit)
            throw new ArgumentException($"The plan '{name}' cannot cut a number of commits; only '{AmbiguousCommit}' can.");
        var random = new Random(seed);
        var faults = new List<PlannedFault>();
        var isWhole = name == HeldSnapshot || cuts is not null;
        for (var at = isWhole ? LeadOfWhole(duration) : Lead; ;)
        {
            // Each kind once, in an order of its own, before any comes again.
            if (faults.Count % kinds.Length == 0)
                random.Shuffle(kinds = [.. kinds]);
            var kind = kinds[faults.Count % kinds.Length];
            var fault = Draw(kind, at, random, hosts);
            if (isWhole)
                fault = fault with { Duration = duration - at - Settle, Cuts = cuts };
            if (fault.Duration <= TimeSpan.Zero || at + fault.Duration + Settle > duration)
                break;
            faults.Add(fault);
            at += fault.Duration + Settle;
        }

        return faults.Count > 0
            ? new()
            {
                Name = name,
                Backend = backend,
                Seed = seed,
                Duration = duration,
                Hosts = hosts,
                Container = container,
                Faults = faults,
            }
            : throw new ArgumentException(
                $"A load of {duration.TotalSeconds:0} s has no room for a fault of the plan '{name}' with {Lead.TotalSeconds:0} s before "
                    + $"it and {Settle.TotalSeconds:0} s after it; give 20 s or more."
            );
    }

    /// <summary>What a long fault is compared with must not be the first seconds of processes that have just started.</summary>
    private static TimeSpan LeadOfWhole(TimeSpan duration)
    {
        var lead = duration / 10;
        return lead < Lead ? Lead
            : lead > LongestLead ? LongestLead
            : lead;
    }

    private static PlannedFault Draw(FaultKind kind, TimeSpan at, Random random, int hosts)
    {
        var traits = FaultTraits.Of(kind);
        var host = random.Next(hosts) + 1;
        var duration = Math.Round(traits.Shortest + (traits.Longest - traits.Shortest) * random.NextDouble(), 1);
        var target =
            traits.OneHost ? PlannedFault.Host(host)
            : IsOfDatabase(kind) ? PlannedFault.Database
            : PlannedFault.All;
        return new(kind, target, at, FromSeconds(duration));
    }

    private static Func<FaultKind, bool> Fits(string backend) => kind => FaultTraits.Of(kind).Fits(backend);

    private static bool IsOfDatabase(FaultKind kind) =>
        FaultTraits.Of(kind).Stops || kind is FaultKind.KillSessions or FaultKind.HoldSnapshot or FaultKind.ChangeSchema;
}
