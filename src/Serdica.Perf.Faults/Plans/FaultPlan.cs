using Serdica.Perf.Measurement.Scenarios;

namespace Serdica.Perf.Faults.Plans;

/// <summary>What is done to whom and when: all that a run needs to be repeated.</summary>
internal sealed record FaultPlan
{
    public const string FileName = "plan.json";

    private static readonly string Instead = $"name the {FileName} of an earlier run, or one of {string.Join(", ", BuiltInPlans.Names)}.";

    public const int FewestHosts = 2;
    public const int MostHosts = 8;

    private const int LeaseFaults = 10;
    public static readonly TimeSpan LongestThinkTime = FromSeconds(10);

    /// <value>The name of the built-in plan that the faults were drawn by.</value>
    public required string Name { get; init; }

    public required string Backend { get; init; }

    /// <value>What the times and targets were drawn from.</value>
    public required int Seed { get; init; }

    /// <value>How long the callers work, or at most where a fault ends early; the drain comes afterwards.</value>
    public required TimeSpan Duration { get; init; }

    /// <value>Processes that move instances.</value>
    public required int Hosts { get; init; }

    /// <value>How long each caller waits between the end of an instance and the start of its next; zero by default.</value>
    public TimeSpan ThinkTime { get; init; }

    /// <value>Whether the server runs in a container; otherwise it is a process of this machine.</value>
    public bool Container { get; init; }

    /// <value>Settings of the engine in all processes, by name; those of the fault tier where none is given.</value>
    public IReadOnlyDictionary<string, string> Engine { get; init; } = new Dictionary<string, string>();

    /// <value>In the order of their times; none begins before the one before has ended.</value>
    public required IReadOnlyList<PlannedFault> Faults { get; init; }

    /// <value>
    /// The invariants that its run has to prove; null for all. Fencing (7) and single owner (8) need attempts that were repeated after
    /// their effect, which only many faults that end leases are sure to cause.
    /// </value>
    [JsonIgnore]
    public IReadOnlyList<int>? Required =>
        Faults.Count(fault => fault.Kind is FaultKind.PauseHost or FaultKind.PartitionHost or FaultKind.HalfOpenHost) >= LeaseFaults
            ? null
            : [.. Enumerable.Range(1, 6), .. Enumerable.Range(9, 8)];

    /// <value>The file that the plan was read from; null for a built-in plan.</value>
    [JsonIgnore]
    public string? Source { get; init; }

    /// <value>Why its server cannot run in a container; null when it can, or does not.</value>
    [JsonIgnore]
    public string? ContainerDefect =>
        !Container || (Backend == BackendNames.PostgreSql && Faults.All(fault => FaultTraits.FitsContainer(fault.Kind)))
            ? null
            : $"Faults in containers are for {BackendNames.PostgreSql}, and fillDisk and fillVolume need processes and files of a local "
                + "server; use --source local.";

    /// <value>Repeats the run.</value>
    public string Command =>
        Source is null
            ? Invariant(
                $"serdica-perf faults --plan {Name} --backend {Backend} --seed {Seed} --duration {Duration.TotalSeconds:0}s --hosts {Hosts}"
            )
                + (Faults.Select(fault => fault.Cuts).FirstOrDefault(cuts => cuts is not null) is { } cuts ? $" --cuts {cuts}" : "")
                + (ThinkTime > TimeSpan.Zero ? $" --think-time {(long)ThinkTime.TotalMilliseconds}ms" : "")
                + (Container ? " --source containers" : "")
                + string.Concat(Engine.Select(static setting => $" --engine {setting.Key}={setting.Value}"))
            : $"serdica-perf faults --plan '{Source.Replace("'", @"'\''", Ordinal)}'";

    /// <summary>Reads a plan from the file that <see cref="Write"/> has written.</summary>
    /// <exception cref="ArgumentException">It is not there, or is no plan that can be run.</exception>
    public static FaultPlan Read(string file)
    {
        FaultPlan plan;
        try
        {
            plan =
                JsonSerializer.Deserialize<FaultPlan>(File.ReadAllText(file), MeasurementJson.Artifacts)
                ?? throw new JsonException("it is empty");
        }
        catch (JsonException e)
        {
            throw new ArgumentException($"The plan '{file}' is not understood: {JsonMistake.Words(e)}; {Instead}", e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ArgumentException($"The plan '{file}' cannot be read: {e.Message.TrimEnd('.')}; {Instead}", e);
        }

        if (plan.Defect() is { } defect)
            throw new ArgumentException($"The plan '{file}' cannot be run: {defect}.");
        try
        {
            var engine = EngineSettings.Checked(plan.Engine.ToDictionary(pair => pair.Key, pair => (string?)pair.Value), "");
            return plan with { Source = file, Engine = engine };
        }
        catch (LoadProfileException e)
        {
            throw new ArgumentException($"The plan '{file}' cannot be run. {e.Message}", e);
        }
    }

    /// <summary>This plan with some of its faults alone, which follow each other as those of a built-in plan do.</summary>
    public FaultPlan With(IReadOnlyList<PlannedFault> faults)
    {
        var at = BuiltInPlans.Lead;
        var placed = new List<PlannedFault>();
        foreach (var fault in faults)
        {
            placed.Add(fault with { At = at });
            at += fault.Duration + BuiltInPlans.Settle;
        }

        // Without a fault the callers still work for as long as they would before and after one.
        return this with { Duration = placed.Count > 0 ? at : BuiltInPlans.Lead + BuiltInPlans.Settle, Faults = placed };
    }

    public void Write(string file) => File.WriteAllText(file, JsonSerializer.Serialize(this, MeasurementJson.Artifacts) + "\n");

    /// <summary>Why it cannot be run; null when it can.</summary>
    private string? Defect()
    {
        if (Hosts is < FewestHosts or > MostHosts)
            return Invariant($"hosts is {Hosts}; it must be {FewestHosts} to {MostHosts}");
        if (ThinkTime < TimeSpan.Zero || ThinkTime > LongestThinkTime)
            return $"thinkTime is {ThinkTime}; it must be zero to {LongestThinkTime}";
        var hosts = Enumerable.Range(1, Hosts).Select(PlannedFault.Host).ToList();
        var free = TimeSpan.Zero;
        foreach (var fault in Faults)
        {
            if (fault.At < free || fault.Duration <= TimeSpan.Zero || fault.At + fault.Duration > Duration)
                return $"the fault '{fault}' must begin after the previous fault has ended, and must end before the load does";
            if (FaultTraits.Of(fault.Kind).OneHost != hosts.Contains(fault.Target))
                return $"the fault '{fault}' has a target that it cannot be done to";
            if (!FaultTraits.Of(fault.Kind).Fits(Backend))
                return $"the fault '{fault}' cannot be done to the backend '{Backend}'";
            if (FaultTraits.Of(fault.Kind).EndsServer && Faults.Any(other => other.Kind == FaultKind.FillVolume))
                return $"the fault '{fault}' ends the server, and a volume that others fill goes with it";
            if (fault.Cuts is { } cuts && (cuts < 1 || fault.Kind != FaultKind.CutCommits))
                return $"the fault '{fault}' cannot cut this number of commits";
            free = fault.At + fault.Duration;
        }

        return null;
    }
}

/// <summary>One fault of a plan.</summary>
/// <param name="Target">To whom: a host such as <c>host-1</c>, <c>database</c>, or <c>all</c> for all connections.</param>
/// <param name="At">When it begins, counted from the beginning of the load.</param>
/// <param name="Duration">How long it lasts; a stopped process then still has to start.</param>
internal sealed record PlannedFault(FaultKind Kind, string Target, TimeSpan At, TimeSpan Duration)
{
    public const string Database = "database";
    public const string All = "all";

    /// <value>
    /// The number of commits to cut: the fault ends when it has cut them, and has not struck when it has cut fewer. Null for any number.
    /// </value>
    public int? Cuts { get; init; }

    /// <summary>Name of the host with this number, from 1.</summary>
    public static string Host(int number) => Invariant($"host-{number}");

    /// <summary>
    /// When this fault strikes: as planned, or later if the fault before it lasted longer than planned, so that the recovery gets as much
    /// time as the plan leaves for it, but no more than <see cref="BuiltInPlans.Settle"/>.
    /// </summary>
    /// <param name="before">The fault before it; null for the first.</param>
    public TimeSpan StrikesAt(PlannedFault? before, TimeSpan ended)
    {
        if (before is null)
            return At;
        var planned = At - before.At - before.Duration;
        var recovered = ended + (planned < BuiltInPlans.Settle ? planned : BuiltInPlans.Settle);
        return recovered > At ? recovered : At;
    }

    public override string ToString() =>
        Invariant(
            $"{At.TotalSeconds,7:0.0} s  {FaultTraits.Name(Kind),-16} {Target,-9} {Duration.TotalSeconds:0.0} s"
        ) + (Cuts is { } cuts ? Invariant($", or until {cuts:N0} commits are cut") : "");
}
