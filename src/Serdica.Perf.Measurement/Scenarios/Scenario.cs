namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>The declaration of one scenario. The same object runs on every backend.</summary>
public sealed record Scenario
{
    /// <summary>The name without the backend, for instance <c>immediate-burst-smoke</c>.</summary>
    /// <exception cref="ArgumentException">It cannot be part of a file name.</exception>
    public required string Name
    {
        get;
        init => field = RunFolder.FileNamePart(value);
    }

    /// <summary>The tier, one of <see cref="Tiers"/>.</summary>
    public required string Tier { get; init; }

    /// <summary>The family, one of <see cref="ScenarioFamilies"/>.</summary>
    public required string Family { get; init; }

    /// <summary>What the scenario stresses, in one sentence.</summary>
    public required string Description { get; init; }

    public required ScenarioParameters Parameters { get; init; }

    /// <summary>
    /// Operations of one wave; the next wave starts when all are complete. <see langword="null"/> is one wave of all. Ignored by
    /// loads other than <see cref="LoadModel.Wave"/>.
    /// </summary>
    public int? WaveSize { get; init; }

    /// <summary>Whether conflicts fail the scenario even when a retry has resolved them.</summary>
    public bool ForbidsConflicts { get; init; }

    /// <summary>Whether it takes too long for its tier, and is measured only when it is requested by name.</summary>
    public bool OnRequest { get; init; }

    /// <summary>
    /// Whether intended waiting and not speed determines how long it takes, so that its throughput is not comparable between
    /// backends.
    /// </summary>
    public bool IsPaced { get; init; }

    /// <summary>
    /// Whether the scenario decides how many activities its host runs at the same time, so that nobody else can: its checks count on
    /// that number.
    /// </summary>
    internal bool SetsMaxActivities { get; init; }

    /// <summary>
    /// Whether the instances of all operations are started before the first operation, so that those of operations that are never
    /// launched stay open.
    /// </summary>
    internal bool PreparesInstances { get; init; }

    /// <summary>
    /// Whether the operations may be measured several times in one window. Scenarios with few operations last milliseconds, which is
    /// too short for samples of waits and processors. See <see cref="RunOptions.Once"/>.
    /// </summary>
    public bool IsRepeatable { get; init; }

    /// <summary>
    /// Operations of the first round of the warm-up, for operations that are many or large; default the highest of 200 and twice the
    /// callers. The warm-up of a smoke test ends with them.
    /// </summary>
    public int? WarmUp { get; init; }

    /// <summary>Refuses settings of the engine that the scenario has to make itself.</summary>
    /// <exception cref="LoadProfileException">One of the settings is not available in this scenario.</exception>
    internal void Check(IReadOnlyDictionary<string, string> engine)
    {
        if (SetsMaxActivities && engine.TryGetValue(EngineSettings.MaxActivities, out var value))
            throw new LoadProfileException(
                $"The scenario '{Name}' sets itself how many activities run at the same time, and its checks count on that number; leave "
                    + $"{EngineSettings.MaxActivities}={value} out (in a load test --slots), or choose another scenario."
            );
    }

    /// <summary>Whether its figures are no evidence, so that it need not be warm: a smoke test with its own few operations.</summary>
    internal bool IsBrief(RunOptions options) =>
        Tier == Tiers.Smoke && Family != ScenarioFamilies.OwnWorkflow && options.Operations is null;

    /// <summary>See <see cref="WarmUp"/>.</summary>
    internal int FirstWarmUp(ScenarioParameters parameters) => FirstWarmUp(WarmUp, parameters.Concurrency);

    /// <summary>The operations of the first round of a warm-up.</summary>
    /// <param name="declared">Those that the scenario declares; null for the default.</param>
    /// <param name="callers">The number of callers.</param>
    internal static int FirstWarmUp(int? declared, int callers) => declared ?? Math.Max(200, 2 * callers);

    /// <summary>Creates the workload on a store; called once for each run.</summary>
    public required Func<IScenarioStore, ScenarioParameters, Workload> CreateWorkload { get; init; }
}
