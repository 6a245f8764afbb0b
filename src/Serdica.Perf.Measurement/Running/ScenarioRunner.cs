namespace Serdica.Perf.Measurement.Running;

/// <summary>
/// Runs one scenario once on one fresh store: open, warm up, prepare, measure, drain, verify. Every outcome becomes a result;
/// only a cancelled run and a defect of this program do not count as measured.
/// </summary>
internal sealed class ScenarioRunner(RunOptions options)
{
    /// <summary>The in-memory backend would keep more in the process than a machine may have.</summary>
    private const int MostRepeated = 100_000;

    /// <summary>Reads what the server has used; <see langword="null"/> when it is unknown.</summary>
    public Func<CancellationToken, Task<ServerUsage?>>? ReadUsageAsync { get; init; }

    /// <summary>See <see cref="FsyncProbeResult.WritesMissing"/>.</summary>
    public string? WritesMissing { get; init; }

    /// <summary>See <see cref="WindowWatch.MachineCores"/>.</summary>
    public int MachineCores { get; init; } = Environment.ProcessorCount;

    /// <summary>How long an arrival of a soak waits for a caller; see <see cref="LoadPlan.DropAfter"/>.</summary>
    internal TimeSpan DropAfter { get; init; } = LoadPlan.UsualDropAfter;

    /// <summary>Waits are sampled a hundred times a second, and a verdict on the limit needs a hundred of them.</summary>
    internal TimeSpan LeastWindow { get; init; } = FromSeconds(2);

    /// <summary>Writes the samples of measured windows, one call at a time; <see langword="null"/> when they are not wanted.</summary>
    public Action<Sample>? Samples { get; init; }

    /// <summary>Records each operation of the measured window; <see langword="null"/> when they are not wanted.</summary>
    public OperationLog? Log { get; init; }

    public static string FullName(string backend, Scenario scenario) => $"{backend}-{scenario.Name}";

    public async Task<ScenarioMeasurement> RunAsync(
        Scenario scenario,
        IScenarioStore store,
        ScenarioProgress progress,
        CancellationToken cancellationToken
    )
    {
        var blank = ScenarioResults.Blank(scenario, store.Backend, SoakPlan.Recorded(progress.Parameters));
        var workload = scenario.CreateWorkload(store, progress.Parameters);
        IHostProcesses? hosts = null;
        try
        {
            if (options.HostSource is { } source)
            {
                hosts = await source.OpenAsync(new([store]), cancellationToken);
                HostIn(hosts, workload, scenario);
            }

            return await MeasureAsync(scenario, blank, workload, store, progress, cancellationToken);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return Without(
                blank,
                ScenarioStatus.Aborted,
                $"Stopped while {progress.Phase.Words()}, after {progress.Completed} operations."
            );
        }
        catch (WorkflowBackendException e)
        {
            return Failed(blank, progress, e);
        }
        finally
        {
            if (hosts is not null)
                await hosts.DisposeAsync();
            await workload.DisposeAsync();
        }
    }

    /// <exception cref="NotSupportedException">The instances cannot be run by another process.</exception>
    private static void HostIn(IHostProcesses hosts, Workload workload, Scenario scenario)
    {
        var hosted =
            HostedWorkload.RunningAnywhere(workload)
            ?? throw new NotSupportedException($"The workflows of '{scenario.Name}' cannot run in host processes.");
        hosted.HostProcesses = hosts;
    }

    private async Task<ScenarioMeasurement> MeasureAsync(
        Scenario scenario,
        ScenarioResult blank,
        Workload workload,
        IScenarioStore store,
        ScenarioProgress progress,
        CancellationToken cancellationToken
    )
    {
        var parameters = blank.Parameters;
        await workload.OpenAsync(cancellationToken);
        var (warmUp, perSecond) = await WarmUpAsync(scenario, workload, progress, cancellationToken);
        var soak = SoakPlan.Of(parameters);
        var calibration = soak is null ? null : await CalibrateAsync(soak, workload, progress, cancellationToken);
        if (calibration?.Problem(soak!, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes) is { } problem)
            return Without(blank, ScenarioStatus.Failed, problem);

        progress.Phase = ScenarioPhase.Preparing;
        var rounds = Rounds(scenario, parameters, perSecond);
        blank = blank with { Rounds = rounds };
        var operations = workload.CreateOperations(
            calibration is null ? parameters.Operations * rounds : soak!.Operations(calibration.Offered),
            warmUp: false
        );
        progress.Planned = operations.Count;
        var before = await workload.Backend.TakeCensusAsync(cancellationToken);
        await operations.PrepareAsync(cancellationToken);
        var plan = (calibration is null ? Plan(parameters) : SoakLoad(parameters, calibration.Offered)) with
        {
            Log = Log,
            WaveSize = WaveSize(scenario, parameters),
        };
        LoadRun? load = null;
        SoakWatch? soakWatch = null;
        LoadOutcome? outcome = null;
        var measured = await new MeasuredRun
        {
            Blank = blank,
            Workload = workload,
            Operations = operations,
            Watch = new(
                progress,
                options.Statistics ? store.Statistics : null,
                options.Statistics ? ReadUsageAsync : null,
                options.Statistics ? Samples : null
            )
            {
                WritesMissing = WritesMissing,
                MachineCores = MachineCores,
            },
            Before = before,
            WarmUp = warmUp,
            DriveAsync = async token =>
            {
                load = new(operations, plan);
                progress.Measure(load.Recorder);
                soakWatch = soak is null ? null : new(load.Recorder, store.Statistics, soak);
                try
                {
                    outcome = await load.RunAsync(token);
                }
                finally
                {
                    if (soakWatch is not null)
                        await soakWatch.EndAsync();
                }
            },
            DrainAsync = _ => Task.FromResult(outcome!),
            DrainLimit = options.StallLimit,
            VerifyAsync = (ended, audit, token) => VerifyAsync(scenario, ended, audit, workload, operations, token),
        }.RunAsync(cancellationToken);
        var toDrain = plan.Model == LoadModel.Open ? null : load!.ToDrain(measured.DrainEnd);
        return measured.Measurement with
        {
            Histograms = toDrain is null
                ? measured.Measurement.Histograms
                : new Dictionary<string, LatencyHistogram>(measured.Measurement.Histograms) { [PhaseNames.LatencyToDrain] = toDrain },
            Result = measured.Measurement.Result with
            {
                LatencyToDrain = toDrain?.Summarize(),
                Soak = soakWatch is null
                    ? null
                    : new()
                    {
                        MaximumPerSecond = calibration!.PerSecond,
                        Utilisation = SoakPlan.Utilisation,
                        OfferedPerSecond = plan.PerSecond,
                        Intervals = soakWatch.Intervals,
                        Series = [.. soakWatch.Series()],
                    },
            },
        };
    }

    /// <summary>How many times the operations are measured, so that there are enough samples of what happens meanwhile.</summary>
    /// <param name="perSecond">The rate at the end of the warm-up; null when there was none.</param>
    private int Rounds(Scenario scenario, ScenarioParameters parameters, double? perSecond)
    {
        if (options.MeasuresOnce(scenario) || perSecond is not { } rate)
            return 1;
        var operations = Math.Min(rate * LeastWindow.TotalSeconds, MostRepeated);
        return Math.Max(1, (int)Math.Ceiling(operations / parameters.Operations));
    }

    /// <summary>A repeat of the operations is a wave of its own.</summary>
    private static int? WaveSize(Scenario scenario, ScenarioParameters parameters) =>
        scenario.WaveSize ?? (parameters.Operations > 0 ? parameters.Operations : null);

    /// <summary>The scenario's load; an open one has no rate before the calibration and is closed until then.</summary>
    private LoadPlan Plan(ScenarioParameters parameters) =>
        new()
        {
            Model = parameters.Load == LoadModel.Open ? LoadModel.Closed : parameters.Load,
            Concurrency = parameters.Concurrency,
            StallLimit = options.StallLimit,
        };

    private LoadPlan SoakLoad(ScenarioParameters parameters, double perSecond) =>
        new()
        {
            Model = LoadModel.Open,
            Concurrency = parameters.Concurrency * SoakPlan.InFlightPerCaller,
            PerSecond = perSecond,
            Arrivals = SoakPlan.Arrivals,
            Seed = ArrivalSeed.Of(SoakPlan.Seed, parameters.Repeat - 1, reads: false),
            StallLimit = options.StallLimit,
            DropAfter = DropAfter,
        };

    private async Task<SoakCalibration> CalibrateAsync(
        SoakPlan soak,
        Workload workload,
        ScenarioProgress progress,
        CancellationToken cancellationToken
    )
    {
        progress.Phase = ScenarioPhase.Calibrating;
        var before = GC.GetTotalMemory(forceFullCollection: true);
        var outcome = await PreludeAsync(
            workload,
            SoakPlan.CalibrationOperations,
            soak.Calibration,
            progress.Parameters,
            cancellationToken
        );

        // Collected now, so that the garbage of the calibration does not appear to shrink memory during the soak.
        var left = Math.Max(0, GC.GetTotalMemory(forceFullCollection: true) - before);
        return outcome.Completed == 0 ? new(0, 0) : new(outcome.PerSecond, (double)left / outcome.Completed);
    }

    private Task<LoadOutcome> PreludeAsync(
        Workload workload,
        int count,
        TimeSpan limit,
        ScenarioParameters parameters,
        CancellationToken cancellationToken
    ) => MeasuredRun.PreludeAsync(workload, count, Plan(parameters) with { MaxDuration = limit }, options.StallLimit, cancellationToken);

    /// <returns>What ran, and its rate at the end in operations a second.</returns>
    private async Task<(WarmUp? WarmUp, double? PerSecond)> WarmUpAsync(
        Scenario scenario,
        Workload workload,
        ScenarioProgress progress,
        CancellationToken cancellationToken
    )
    {
        if (options.WarmUp == 0)
            return (null, null);

        progress.Phase = ScenarioPhase.WarmingUp;
        var parameters = progress.Parameters;
        var run = new WarmUpRun(workload, Plan(parameters) with { WaveSize = WaveSize(scenario, parameters) }, options.StallLimit);
        var first = scenario.FirstWarmUp(parameters);
        var warmUp = await (
            options.WarmUp is { } count ? run.OnceAsync(count, limit: null, cancellationToken)
            : scenario.IsBrief(options) ? run.OnceAsync(first, options.WarmUpLimit, cancellationToken)
            : run.UntilWarmAsync(first, WarmUpRule.Of(parameters, options), cancellationToken)
        );
        return (warmUp, run.PerSecond);
    }

    private static async Task<IReadOnlyList<VerificationCheck>> VerifyAsync(
        Scenario scenario,
        LoadOutcome outcome,
        CensusAudit audit,
        Workload workload,
        OperationSet operations,
        CancellationToken cancellationToken
    ) =>
        [
            CensusAudit.Equal("operations started", operations.Count - outcome.Dropped, outcome.Started),
            CensusAudit.Equal("operations completed", operations.Count - outcome.Dropped, outcome.Completed),
            CensusAudit.Equal("operations failed", 0, outcome.Failed),
            .. (IEnumerable<VerificationCheck>)(
                outcome.ScheduleLag is null ? [] : [CensusAudit.Equal("arrivals dropped because no caller became free", 0, outcome.Dropped)]
            ),
            .. audit.Checks((long)(operations.Count - outcome.Dropped) * workload.InstancesPerOperation, operations.Intended),
            .. (IEnumerable<VerificationCheck>)(
                scenario.ForbidsConflicts ? [CensusAudit.Equal("no conflict, resolved or not", 0, audit.Host.Conflicts)] : []
            ),
            .. await operations.VerifyAsync(outcome.Started, cancellationToken),
        ];

    /// <summary>The result of a scenario that the backend has ended.</summary>
    internal static ScenarioMeasurement Failed(ScenarioResult blank, ScenarioProgress progress, WorkflowBackendException error) =>
        Without(blank, ScenarioStatus.Failed, $"The backend failed while {progress.Phase.Words()}: {error.Message}");

    private static ScenarioMeasurement Without(ScenarioResult blank, ScenarioStatus status, string reason) =>
        new(blank with { Status = status, FailureReasons = [reason] }, new Dictionary<string, LatencyHistogram>());
}
