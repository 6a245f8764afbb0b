namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>Runs one step: check for leftovers, load, drain, verify, judge.</summary>
internal sealed class StepRunner(SuiteRun suite, IMeasuredBackend backend, LoadProfile profile, LoadWork work, PhaseLog phases)
{
    /// <summary>The name under which a scenario records the rate of its step.</summary>
    internal const string RateOption = "rate";

    private const int BacklogUsers = 64;

    /// <value>The driver's options; a test can make the generator slower.</value>
    public DriverOptions Driver { get; init; } = new();

    /// <value>The number of steps before this one, so that each step has its own random arrivals.</value>
    public int Number { get; init; }

    /// <value>The number of host processes; 0 when the host is in this process.</value>
    public int Hosts { get; init; }

    /// <value>Whether the step is a trial of a search.</value>
    public bool IsTrial { get; init; }

    /// <value>Awaited when everything for the step is prepared.</value>
    public Func<CancellationToken, Task> ReadyAsync { get; init; } = static _ => Task.CompletedTask;

    /// <param name="isFirst">Whether it is the first of its session, whose workers may start late.</param>
    /// <param name="cancellationToken">Stops the step, which then has no result.</param>
    public async Task<StepResult> RunAsync(LoadStep step, LoadSession session, bool isFirst, CancellationToken cancellationToken)
    {
        var workload = session.Workload;
        var scenario = Declare(step);
        var progress = new ScenarioProgress(ScenarioRunner.FullName(session.Store.Backend, scenario), scenario.Parameters);
        suite.Announce(progress);
        progress.Phase = ScenarioPhase.Preparing;
        phases.Enter(LoadPhaseKind.Audit, step.Title);
        workload.Troubles.Clear();
        var before = await LookAsync(workload.Backend, cancellationToken);
        var operations = workload.CreateOperations(Count(step, session), warmUp: false);
        progress.Planned = step.Kind == LoadKind.BurnDown ? operations.Count : step.Operations ?? 0;
        await operations.PrepareAsync(cancellationToken);
        var backlog = step.Kind == LoadKind.BurnDown ? await PrepareAsync(step, operations, cancellationToken) : null;
        var resources = suite.Resources();
        await using var log = suite.OpenLog(progress);
        await ReadyAsync(cancellationToken);
        DrivenLoad? load = null;
        long injectedBefore = 0;
        string? unverified = null;
        var run = await new MeasuredRun
        {
            Blank = ScenarioResults.Blank(scenario, session.Store.Backend, scenario.Parameters),
            Workload = workload,
            Operations = operations,
            Watch = suite.Watch(progress, session.Store, backend, resources),
            Before = before,
            WarmUp = session.TakeWarmUp(),
            Phases = phases,
            Title = step.Title,
            DriveAsync = async token =>
            {
                injectedBefore = await InjectedFailuresAsync(workload, token);
                load = step.Kind switch
                {
                    LoadKind.BurnDown => DrivenLoad.BurnDown(step, operations, backlog!, session.StartWorkersAsync, log.Operations),
                    LoadKind.Closed => DrivenLoad.Closed(step, operations, log.Operations),
                    _ => DrivenLoad.Open(step, operations, ArrivalSeed.Of(profile.Seed, Number, reads: false), Driver, log.Operations),
                };
                progress.Measure(load.Recorder);
                var late = backlog is null && isFirst ? StartLateAsync(session, token) : Task.CompletedTask;
                var reading = ReadAsync(step, session, operations, load, token);
                await DriveAsync(step, load, operations, token);
                if (load.Planned < step.Duration)
                    load.Reads?.EndEarly("The operations had been started before the step's time was over.");
                await reading;
                await late;
            },
            DrainAsync = async token =>
            {
                var reads = load!.Reads?.Recorder.DrainAsync(profile.DrainLimit, token) ?? Task.CompletedTask;
                await Task.WhenAll(load.Recorder.DrainAsync(profile.DrainLimit, token), reads);
                load.InjectedFailures = await InjectedFailuresAsync(workload, token) - injectedBefore;
                return load.Outcome();
            },
            DrainLimit = profile.DrainLimit,
            VerifyAsync = async (outcome, audit, token) =>
            {
                (var checks, unverified) = await StepVerification.RunAsync(outcome, audit, operations, workload, token);
                return checks;
            },
            Further = () => load!.Reads is { } reads ? [(PhaseNames.Read, reads.Recorder.Response.Snapshot())] : [],
        }.RunAsync(cancellationToken);

        var measured = run.Measurement.Result;
        var figures = StepFigures.Of(step, load!, run, work.Shape) with
        {
            Resources = resources.Figures(),
            Debt = resources.Debt(),
            Unverified = unverified,
            Kinds = (operations as MixedOperations)?.Figures(run.Outcome.Window.TotalSeconds) ?? [],
        };
        var result = Judge(figures, run);
        if (result.Verdict == StepVerdict.Failed)
            result = result with { Reasons = [.. result.Reasons, .. workload.Troubles.Sentences(), .. measured.Processes?.Troubles ?? []] };
        var recorded = suite.Record(
            run.Measurement with
            {
                Result = measured with
                {
                    IsTrial = IsTrial,
                    Saturation = result.Saturation,
                    Unverified = result.Unverified,
                    Status = result.Verdict == StepVerdict.Failed ? ScenarioStatus.Failed : ScenarioStatus.Passed,
                    FailureReasons = result.Verdict == StepVerdict.Failed ? result.Reasons : [],
                },
            },
            new(result.Verdict, result.Reasons)
        );
        phases.Leave();
        return result with { Histograms = recorded.Histograms };
    }

    /// <summary>Runs the load; a threshold that is surely broken ends it where the profile wants that.</summary>
    private async Task DriveAsync(LoadStep step, DrivenLoad load, OperationSet operations, CancellationToken cancellationToken)
    {
        var loading = load.RunAsync(cancellationToken);
        if (profile.AbortOnThreshold)
            await new ThresholdWatch(profile.Thresholds, load, operations, () => Expected(step, load, operations))
                .RunAsync(loading, cancellationToken);
        await loading;
    }

    /// <summary>
    /// An open step has no more arrivals than its schedule, and a burn-down no more than its backlog. A closed one is assumed to
    /// become at most twice as fast as it has been.
    /// </summary>
    private static double Expected(LoadStep step, DrivenLoad load, OperationSet operations) =>
        step.Kind != LoadKind.Closed
            ? operations.Count
            : Math.Min(
                step.Operations ?? operations.Count,
                2 * load.Recorder.Started * Math.Max(1, step.Duration / load.Recorder.Elapsed(load.Recorder.Clock.GetTimestamp()))
            );

    private StepResult Judge(StepResult figures, MeasuredLoad run)
    {
        var measured = run.Measurement.Result;
        var result = StepJudge.Judge(
            figures with { GeneratorLimited = GeneratorLimit.IsOf(figures) },
            profile.Thresholds,
            run.Checks,
            new(
                run.Measurement.Histograms,
                measured.DatabaseMetrics.UnionBy(measured.EngineMetrics, metric => metric.Key).ToDictionary(),
                measured.CostPerOperation
            )
        );
        if (result.Verdict == StepVerdict.Passed)
            return result;

        var (layer, evidence) = LimitingLayer.Of(suite.Preview(measured), measured, result, profile, work.Shape);
        return result with { LimitedBy = layer, LimitEvidence = evidence };
    }

    private async Task<BackendCensus> LookAsync(IWorkflowBackend store, CancellationToken cancellationToken) =>
        (
            await MeasuredRun
                .WaitUntilIdleAsync(store, profile.WaitForClean ? profile.DrainLimit : TimeSpan.Zero, mayWait: 0, cancellationToken)
        ).Census;

    private static int Count(LoadStep step, LoadSession session)
    {
        var most = step.Kind switch
        {
            LoadKind.BurnDown => step.Backlog,
            LoadKind.Closed => session.MostWithin(step.Duration),
            _ => ArrivalTimes.AtMost(
                step.Wave is { } wave ? wave.ArrivalsBy(step.Duration.TotalSeconds) / step.Duration.TotalSeconds : step.PerSecond!.Value,
                step.Duration,
                step.Arrivals
            ),
        };
        return Math.Max(1, Math.Min(most, step.Operations ?? int.MaxValue));
    }

    private async Task<IReadOnlyList<Task>> PrepareAsync(LoadStep step, OperationSet operations, CancellationToken cancellationToken)
    {
        phases.Enter(LoadPhaseKind.Backlog, step.Title);
        try
        {
            var backlog = await BacklogLoad.PrepareAsync(operations, BacklogUsers, cancellationToken);
            phases.Enter(LoadPhaseKind.Audit, step.Title);
            return backlog;
        }
        catch (Exception problem) when (problem is not OperationCanceledException)
        {
            throw new WorkflowBackendException($"The backlog could not be prepared: {problem.Message}", isTransient: false, problem);
        }
    }

    private async Task StartLateAsync(LoadSession session, CancellationToken cancellationToken)
    {
        await Task.Delay(profile.WorkerDelay, cancellationToken);
        await session.StartWorkersAsync(cancellationToken);
    }

    private async Task ReadAsync(
        LoadStep step,
        LoadSession session,
        OperationSet operations,
        DrivenLoad load,
        CancellationToken cancellationToken
    )
    {
        if (step.ReadsPerSecond <= 0)
            return;

        var set = new InstanceReads(
            ArrivalTimes.AtMost(step.ReadsPerSecond, step.Duration, step.Arrivals),
            session.Workload.Backend,
            (IReadableOperations)operations
        );
        load.Reads = DrivenLoad.ReadsOf(step, set, ArrivalSeed.Of(profile.Seed, Number, reads: true), Driver);
        await load.Reads.RunAsync(cancellationToken);
    }

    /// <summary>The value of <see cref="RateOption"/>.</summary>
    internal static string RateText(double? perSecond) => perSecond is { } rate ? Invariant($"{rate:0.##}/s") : "full speed";

    private Scenario Declare(LoadStep step) =>
        new()
        {
            Name = $"{profile.Name}-{step.Name}",
            Tier = Tiers.Load,
            Family = ScenarioFamilies.Load,
            Description = $"Step '{step.Name}' of the load test '{profile.Name}': {profile.WorkName}.",
            Parameters = new()
            {
                Operations = 0,
                Repeat = step.Repeat ?? 1,
                DurationSeconds = step.Duration.TotalSeconds,
                Concurrency = step.Kind == LoadKind.Open ? step.MaxUsers : step.MinUsers,
                Workers = profile.Workers,
                Engine = profile.Engine,
                Load = step.Kind switch
                {
                    LoadKind.Open => LoadModel.Open,
                    LoadKind.Closed => LoadModel.Closed,
                    _ => LoadModel.Wave,
                },
                PayloadBytes = work.Shape?.PayloadBytes ?? 0,
                Options = new Dictionary<string, string>(Asked(profile, Hosts, step))
                {
                    [RateOption] = RateText(step.PerSecond),
                    [ArrivalText.PatternOption] = step.Arrivals.Word(),
                    ["work"] = work.Shape?.Words ?? profile.WorkName,
                },
            },
            CreateWorkload = (store, _) => work.Create(store),
        };

    /// <summary>What was asked for beside the load: results that differ in it are not compared.</summary>
    internal static IEnumerable<KeyValuePair<string, string>> Asked(LoadProfile profile, int hosts, LoadStep step)
    {
        if (hosts > 0)
            yield return new(ScenarioParameters.HostsOption, Invariant($"{hosts}"));
        if (step.Kind == LoadKind.BurnDown)
            yield return new("backlog", Invariant($"{step.Backlog}"));
        if (step.Operations is { } operations)
            yield return new("operations", Invariant($"{operations}"));
        if (step.ReadsPerSecond > 0)
            yield return new("reads", RateText(step.ReadsPerSecond));
        if (step.Wave is { } wave)
            yield return new("wave", Invariant($"{wave.High:0.##}/s and {wave.Low:0.##}/s each {Quantity.Text(wave.Period)}"));
        if (step.BacklogBetween is { } bounds)
            yield return new("backlog-between", Invariant($"{bounds.Low}..{bounds.High}"));
        if (profile.Slots is { } slots)
            yield return new("slots", Invariant($"{slots}"));
        if (profile.WorkerDelay > TimeSpan.Zero)
            yield return new("worker-delay", Quantity.Text(profile.WorkerDelay));
        if (profile.WarmUp != LoadProfile.ShortestWarmUp)
            yield return new(ScenarioParameters.WarmUpOption, Quantity.Text(profile.WarmUp));
    }

    private static async Task<long> InjectedFailuresAsync(Workload workload, CancellationToken cancellationToken)
    {
        var hosts = await workload.ReadHostsAsync(cancellationToken);
        return ((workload as HostedWorkload)?.InjectedFailures ?? 0) + hosts.Sum(host => host.InjectedFailures);
    }
}
