namespace Serdica.Perf.Measurement.Catalog;

/// <summary>
/// All scenarios. Those of the reference come first with its names, operations, concurrency and workers, so that figures of any
/// backend can be compared with it; then ours.
/// </summary>
internal static class ScenarioCatalog
{
    private const int SignalWorkers = 8;
    private const int OperationsPerCaller = 16;
    private const int SoakWave = 18;
    private const int LongSoakCallers = 64;
    private static readonly TimeSpan LongSoakDuration = FromMinutes(10);
    private static readonly TimeSpan BurstDelay = FromSeconds(2);

    public static IReadOnlyList<Scenario> Reference { get; } =
    [
        SignalRoundtrip(
            "signal-roundtrip-latency-serial",
            Tiers.Latency,
            16,
            1,
            LoadModel.Serial,
            workers: 1,
            "One workflow at a time, start to completion: the latency of an instance on an idle system."
        ),
        SignalRoundtrip(
            "signal-roundtrip-throughput-parallel",
            Tiers.Throughput,
            96,
            16,
            LoadModel.Wave,
            SignalWorkers,
            "Many workflows at once, started, signalled and completed: the steady rate that backends are compared by."
        ),
        Burst("immediate-burst-smoke", Tiers.Smoke, 24, TimeSpan.Zero),
        Burst("delayed-burst-smoke", Tiers.Smoke, 12, BurstDelay),
        Resume("synthetic-external-resume-smoke", Tiers.Smoke, 12, 4),
        Cancel("bulstrad-quote-or-apl-cancel-smoke", Tiers.Smoke, 10, 4),
        Rung(1),
        Rung(4),
        Rung(8),
        Rung(16),
        Burst("immediate-burst-nightly", Tiers.Nightly, 120, TimeSpan.Zero),
        Burst("delayed-burst-nightly", Tiers.Nightly, 48, BurstDelay),
        Resume("synthetic-external-resume-nightly", Tiers.Nightly, 36, 8),
        Confirm("bulstrad-quotation-confirm-convert-to-policy-nightly", Tiers.Nightly, 12, 4),
        Soak("signal-roundtrip-soak", Tiers.Soak, 108, 8),
    ];

    public static IReadOnlyList<Scenario> All { get; } =
    [.. Reference, Sustained("signal-roundtrip-throughput-sustained"), LongSoak("long-soak", Tiers.Soak), .. FurtherScenarios.All];

    /// <summary>The tiers that have scenarios, in the order of the catalogue.</summary>
    public static IReadOnlyList<string> TiersInUse { get; } = [.. All.Select(scenario => scenario.Tier).Distinct()];

    public static Scenario? Find(string name) => All.FirstOrDefault(scenario => scenario.Name == name);

    /// <summary>The scenarios of a tier, without those that are only measured on request.</summary>
    public static IEnumerable<Scenario> OfTier(string tier) => OfAllTiers().Where(scenario => scenario.Tier == tier);

    /// <inheritdoc cref="OfTier"/>
    public static IEnumerable<Scenario> OfAllTiers() => All.Where(scenario => !scenario.OnRequest);

    /// <summary>
    /// A level of the capacity ladder: a wave whose operations grow with the callers. A level of the reference has the same name
    /// and parameters in every ladder.
    /// </summary>
    public static Scenario Rung(int concurrency) =>
        SignalRoundtrip(
            CapacityLadder.RungName(concurrency),
            Tiers.Capacity,
            OperationsPerCaller * concurrency,
            concurrency,
            LoadModel.Wave,
            SignalWorkers,
            $"Level {concurrency} of the capacity ladder: a wave of {OperationsPerCaller} round trips for each caller."
        );

    private static Scenario SignalRoundtrip(
        string name,
        string tier,
        int operations,
        int concurrency,
        LoadModel load,
        int workers,
        string description
    ) =>
        new()
        {
            Name = name,
            Tier = tier,
            Family = ScenarioFamilies.SignalRoundtrip,
            Description = description,
            Parameters = Parameters(operations, concurrency, workers, load, CorrelatedPayload.Bytes),
            IsRepeatable = true,
            CreateWorkload = (store, parameters) => new SignalRoundtrip(store, parameters),
        };

    /// <summary>
    /// The reference's loads are waves, in which most operations wait for others. These callers each wait for their own.
    /// </summary>
    private static Scenario Sustained(string name) =>
        SignalRoundtrip(
            name,
            Tiers.Throughput,
            20_000,
            64,
            LoadModel.Closed,
            workers: 2,
            "Round trips of callers who each wait for their own completion: the steady rate, with enough samples to say what limits it."
        ) with
        { WarmUp = 2_000 };

    private static Scenario Soak(string name, string tier, int operations, int concurrency)
    {
        var scenario = SignalRoundtrip(
            name,
            tier,
            operations,
            concurrency,
            LoadModel.Wave,
            SignalWorkers,
            $"Waves of {SoakWave} round trips, one after the other: no failure, dead letter, conflict or stuck instance in any."
        );
        return scenario with
        {
            Parameters = scenario.Parameters with { Options = new Dictionary<string, string> { ["wave"] = $"{SoakWave} operations" } },
            WaveSize = SoakWave,
            ForbidsConflicts = true,
        };
    }

    private static Scenario LongSoak(string name, string tier)
    {
        var scenario = SignalRoundtrip(
            name,
            tier,
            0,
            LongSoakCallers,
            LoadModel.Open,
            SignalWorkers,
            $"Round trips that arrive for {LongSoakDuration.TotalMinutes:0} minutes at {SoakPlan.Utilisation * 100:0} % of the maximum "
                + $"measured right before: what grows, slows down or fills up. On request."
        );
        return scenario with
        {
            Parameters = scenario.Parameters with { DurationSeconds = LongSoakDuration.TotalSeconds },
            OnRequest = true,
        };
    }

    private static Scenario Burst(string name, string tier, int operations, TimeSpan delay) =>
        new()
        {
            Name = name,
            Tier = tier,
            Family = ScenarioFamilies.Transport,
            Description =
                delay == TimeSpan.Zero
                    ? "Messages enqueued at once by one caller and drained, without instances: the speed of the transport alone."
                    : $"Messages that are due {delay.TotalSeconds:0} s after their enqueue, without instances: read the lateness.",
            Parameters = Parameters(operations, 1, SignalWorkers, LoadModel.Wave, 256) with
            {
                Options =
                    delay == TimeSpan.Zero
                        ? new Dictionary<string, string>()
                        : new Dictionary<string, string> { ["delay"] = $"{delay.TotalSeconds:0} s" },
            },
            IsPaced = delay > TimeSpan.Zero,
            IsRepeatable = delay == TimeSpan.Zero,
            CreateWorkload = (store, parameters) => new MessageBurst(store, parameters, delay),
        };

    private static Scenario Resume(string name, string tier, int operations, int concurrency) =>
        new()
        {
            Name = name,
            Tier = tier,
            Family = ScenarioFamilies.ExternalResume,
            Description = "Waiting instances are resumed by another client object, by business key and correlation.",
            Parameters = Parameters(operations, concurrency, SignalWorkers, LoadModel.Wave, 0),
            IsRepeatable = true,
            PreparesInstances = true,
            CreateWorkload = (store, parameters) => new ExternalResume(store, parameters),
        };

    private static Scenario Cancel(string name, string tier, int operations, int concurrency) =>
        new()
        {
            Name = name,
            Tier = tier,
            Family = ScenarioFamilies.BusinessFlow,
            Description =
                "Short business flow (our stand-in): load a quotation or application, cancel it, one failing call re-opened; one commit.",
            Parameters = Parameters(operations, concurrency, SignalWorkers, LoadModel.Wave, 0),
            IsRepeatable = true,
            CreateWorkload = (store, parameters) => new QuoteOrAplCancel(store, parameters),
        };

    private static Scenario Confirm(string name, string tier, int operations, int concurrency) =>
        new()
        {
            Name = name,
            Tier = tier,
            Family = ScenarioFamilies.BusinessFlow,
            Description =
                "Long business flow (our stand-in): load a quotation, confirm it by a human task, convert it, continue as a policy; six "
                + "services, one failing call re-opens the task.",
            Parameters = Parameters(operations, concurrency, SignalWorkers, LoadModel.Wave, 0),
            SetsMaxActivities = true,
            IsRepeatable = true,
            CreateWorkload = (store, parameters) => new QuotationConfirm(store, parameters),
        };

    private static ScenarioParameters Parameters(int operations, int concurrency, int workers, LoadModel load, int payloadBytes) =>
        new() { Operations = operations, Concurrency = concurrency, Workers = workers, Load = load, PayloadBytes = payloadBytes };
}
