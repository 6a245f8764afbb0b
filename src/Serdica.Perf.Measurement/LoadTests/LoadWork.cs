namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>The work of a load test: the shaped work of its profile, or the work of any scenario.</summary>
internal sealed class LoadWork
{
    private readonly Func<IScenarioStore, Workload> _create;

    private LoadWork(Func<IScenarioStore, Workload> create) => _create = create;

    /// <summary>The shape; null for the work of a scenario.</summary>
    public WorkShape? Shape { get; private init; }

    /// <summary>The operations of the first round of the warm-up that a scenario declares; null for the default.</summary>
    private int? DeclaredWarmUp { get; init; }

    /// <summary>See <see cref="Scenario.PreparesInstances"/>.</summary>
    private bool PreparesInstances { get; init; }

    /// <summary>The work that the profile's <see cref="LoadProfile.Work"/> shapes.</summary>
    public static LoadWork Of(LoadProfile profile)
    {
        var options = OptionsOf(profile);
        return new(store => new ShapedWorkload(store, profile.Work, options)) { Shape = profile.Work };
    }

    /// <summary>The work of a scenario of the suite or of the user; the profile sets load and number of operations.</summary>
    public static LoadWork Of(LoadProfile profile, Scenario scenario)
    {
        var engine = EngineOf(profile);
        scenario.Check(engine);
        return new(store =>
            scenario.CreateWorkload(
                store,
                scenario.Parameters with
                {
                    Workers = profile.Workers,
                    Engine = EngineSettings.Merged(scenario.Parameters.Engine, engine),
                    Load = LoadModel.Open,
                }
            )
        )
        {
            DeclaredWarmUp = scenario.WarmUp,
            PreparesInstances = scenario.PreparesInstances,
        };
    }

    /// <summary>A mix of shaped work and of scenarios, on one host.</summary>
    /// <param name="scenarios">The scenarios of the kinds that are no shape, by their names in the mix.</param>
    public static LoadWork Of(LoadProfile profile, IReadOnlyDictionary<string, Scenario> scenarios)
    {
        var options = OptionsOf(profile);
        return new(store => new MixedWorkload(
            store,
            [.. profile.Mix.Select(part => (part, Kind(store, profile, part, options, scenarios)))],
            options,
            profile.Seed
        ));
    }

    /// <summary>The options of a host of shaped work, which may run any number of activities where no slots are given.</summary>
    private static WorkflowOptions OptionsOf(LoadProfile profile) =>
        EngineSettings.Options(new WorkflowOptions { Workers = profile.Workers, MaxActivities = int.MaxValue }, EngineOf(profile));

    /// <summary>The settings of the engine, among them the slots.</summary>
    /// <exception cref="LoadProfileException">
    /// The activities are bounded by another name than that of the slots, or there are more slots than a host can have.
    /// </exception>
    private static IReadOnlyDictionary<string, string> EngineOf(LoadProfile profile)
    {
        if (profile.Engine.TryGetValue(EngineSettings.MaxActivities, out var value))
            throw new LoadProfileException(
                $"The engine's setting {EngineSettings.MaxActivities} is {value}; a load test has slots for activities instead. Use "
                    + "--slots, or 'slots' in a profile: the number for all hosts."
            );
        if (profile.Slots is not { } slots)
            return profile.Engine;
        var places = EngineSettings.Parse([Invariant($"{EngineSettings.MaxActivities}={slots}")]);
        return EngineSettings.Merged(profile.Engine, places);
    }

    /// <exception cref="LoadProfileException">The work of the scenario cannot share a host.</exception>
    private static HostedWorkload Kind(
        IScenarioStore store,
        LoadProfile profile,
        MixPart part,
        WorkflowOptions options,
        IReadOnlyDictionary<string, Scenario> scenarios
    )
    {
        if (OperationMix.ShapeOf(part.Name, profile.Work) is { } shape)
            return new ShapedWorkload(store, shape, options, $"load-{part.Name}");
        return SharedHostOf(Of(profile, scenarios[part.Name]).Create(store), part.Name, "be part of a mix");
    }

    /// <summary>Checks whether a load test requires what its work cannot do, before anything is started for it.</summary>
    /// <param name="hosts">The number of host processes; 0 for a host in this process.</param>
    /// <exception cref="LoadProfileException">The load test requires something impossible; the message says what.</exception>
    public async Task CheckAsync(LoadProfile profile, IScenarioStore store, int hosts = 0)
    {
        Check(profile);
        var startsLate = profile.WorkerDelay > TimeSpan.Zero || profile.Steps.Any(step => step.Kind == LoadKind.BurnDown);
        if (profile.Mix.Count == 0 && !startsLate && hosts == 0)
            return;

        await using (var workload = Create(store))
        {
            if (hosts > 0)
                RemoteHostOf(workload, profile);
            else
                HostOf(workload, profile);
        }
    }

    /// <inheritdoc cref="CheckAsync"/>
    internal void Check(LoadProfile profile)
    {
        if (profile.Steps.FirstOrDefault(step => Problem(step) is not null) is { } wrong)
            throw new LoadProfileException($"Step '{wrong.Title}' {Problem(wrong)}");
        if (PreparesInstances && (profile.WorkerDelay > TimeSpan.Zero || profile.Steps.Any(step => !IsOfFixedNumber(step))))
            throw new LoadProfileException(
                $"'{profile.WorkName}' starts the instances of a step before it, so their number must be fixed: give --operations, with "
                    + "--users or with a rate and a duration in which they surely arrive, and no worker delay."
            );
        if (Shape is null && profile.Steps.Any(step => step.ReadsPerSecond > 0))
            throw new LoadProfileException(
                $"Reads are only available for the workflow '{LoadProfile.ShapedWorkflow}', and this is "
                    + $"'{profile.WorkName}'; leave them out."
            );
        if (profile.Steps.Any(step => step.Kind == LoadKind.BurnDown) && CompletedAtStart(profile) is { } complete)
            throw new LoadProfileException(
                $"A backlog of '{complete}' leaves the workers no work: its instances complete in the commit of their start. Give it an "
                    + "event, an activity, a timer or a child, or measure its starts with --users."
            );
        if (!profile.FreshSteps && profile.Steps.Skip(1).Any(step => step.Kind == LoadKind.BurnDown))
            throw new LoadProfileException(
                "A burn-down needs workers that have not started, so it is the first step, or each step is fresh."
            );
    }

    /// <summary>The first kind of work that leaves workers nothing to do; null when there is none.</summary>
    private string? CompletedAtStart(LoadProfile profile) =>
        profile.Mix.Count == 0
            ? Shape is { CompletesAtStart: true } ? profile.WorkName : null
            : profile.Mix.FirstOrDefault(part => OperationMix.ShapeOf(part.Name, profile.Work) is { CompletesAtStart: true })?.Name;

    /// <summary>Why a step cannot be measured; null when it can.</summary>
    private static string? Problem(LoadStep step) =>
        step switch
        {
            { Kind: not LoadKind.BurnDown } when step.Duration <= TimeSpan.Zero => "lasts 0 s; give it a duration above 0s.",
            { PerSecond: { } rate } when !(rate > 0 && double.IsFinite(rate)) => Invariant($"has {rate} operations a second; ")
                + "give it a finite rate above 0. A volume per day needs a payload of 1 byte or more.",
            { Kind: LoadKind.Open, PerSecond: { } rate } when TooMany(rate, step) is { } tooMany => tooMany,
            { ReadsPerSecond: > 0 and var reads } when TooMany(reads, step) is { } tooMany => tooMany,
            { Wave.Period: var period } when period <= TimeSpan.Zero => "alternates every 0 s; give it a period above 0s.",
            _ => null,
        };

    private static string? TooMany(double rate, LoadStep step) =>
        rate * step.Duration.TotalSeconds is var arrivals && arrivals > ArrivalTimes.Most
            ? Invariant($"has {arrivals:N0} arrivals, and a step can have {ArrivalTimes.Most:N0}; ")
                + "give it a shorter duration or a lower rate."
            : null;

    /// <summary>Whether a step surely launches its operations; arrivals may be fewer by as many as they may be more.</summary>
    private static bool IsOfFixedNumber(LoadStep step) =>
        step is { Kind: LoadKind.Closed, Operations: not null }
        || (
            step is { Kind: LoadKind.Open, PerSecond: { } rate, Operations: { } operations }
            && (2 * rate * step.Duration.TotalSeconds) - ArrivalTimes.AtMost(rate, step.Duration, step.Arrivals) >= operations
        );

    /// <summary>A workload whose workers can start late.</summary>
    /// <exception cref="LoadProfileException">The workers of this work cannot start late.</exception>
    internal static HostedWorkload HostOf(Workload workload, LoadProfile profile) =>
        workload as HostedWorkload
        ?? throw new LoadProfileException(
            $"The workers of '{profile.Workflow}' cannot start late; a worker delay and a backlog need a workflow of instances."
        );

    /// <summary>A workload whose host can be in another process.</summary>
    /// <exception cref="LoadProfileException">It prepares its operations in this process, or has no host.</exception>
    internal static HostedWorkload RemoteHostOf(Workload workload, LoadProfile profile) =>
        SharedHostOf(workload, profile.WorkName, "run in host processes");

    /// <summary>A workload whose host can be shared with others, or be in another process.</summary>
    /// <exception cref="LoadProfileException">It prepares its operations in this process, or has no host.</exception>
    private static HostedWorkload SharedHostOf(Workload workload, string name, string wish) =>
        HostedWorkload.RunningAnywhere(workload)
        ?? throw new LoadProfileException(
            $"The scenario '{name}' prepares its operations or has no host, so it cannot {wish}; use "
                + $"{string.Join(", ", OperationMix.Shapes)}, large-state, or workflows of your own."
        );

    internal Workload Create(IScenarioStore store) => _create(store);

    /// <summary>The operations of the first round of a warm-up, whose rate nobody knows.</summary>
    internal int FirstWarmUp(int callers) => Scenario.FirstWarmUp(DeclaredWarmUp, callers);
}
