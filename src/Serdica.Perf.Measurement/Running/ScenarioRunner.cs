using Serdica.Perf.Measurement.Driving;
using Serdica.Perf.Measurement.Measuring;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Measurement.Soak;
using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Measurement.Verification;
using Serdica.Perf.Results.Machine;
using Serdica.Perf.Results.Recording;
using Serdica.Perf.Results.Runs;
using Serdica.Perf.Results.Samples;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Running;

/// <summary>
/// Runs one scenario once on one fresh store: open, warm up, prepare, measure, drain, verify. Every outcome becomes a result;
/// only a cancelled run and a defect of this program do not count as measured.
/// </summary>
public sealed class ScenarioRunner(RunOptions options)
{
    /// <summary>Reads what the server has used; <see langword="null"/> when it is unknown.</summary>
    public Func<CancellationToken, Task<ServerUsage?>>? ReadUsageAsync { get; init; }

    /// <summary>See <see cref="FsyncProbeResult.WritesMissing"/>.</summary>
    public string? WritesMissing { get; init; }

    /// <summary>Writes the samples of measured windows, one call at a time; <see langword="null"/> when they are not wanted.</summary>
    public Action<Sample>? Samples { get; init; }

    /// <summary>Records each operation of the measured window; <see langword="null"/> when they are not wanted.</summary>
    public OperationLog? Log { get; init; }

    public static string FullName(string backend, Scenario scenario) => $"{backend}-{scenario?.Name}";

    public async Task<ScenarioMeasurement> RunAsync(
        Scenario scenario, IScenarioStore store, ScenarioProgress progress, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(progress);
        var blank = ScenarioResults.Blank(scenario, store.Backend, progress.Parameters);
        var workload = scenario.CreateWorkload(store, progress.Parameters);
        try
        {
            return await MeasureAsync(scenario, blank, workload, store, progress, cancellationToken).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return Without(blank, ScenarioStatus.Aborted, $"Stopped while {progress.Phase.Words()}, after {progress.Completed} operations.");
        }
        catch (WorkflowBackendException e)
        {
            return Without(blank, ScenarioStatus.Failed, $"The backend failed while {progress.Phase.Words()}: {e.Message}");
        }
        finally
        {
            await workload.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task<ScenarioMeasurement> MeasureAsync(
        Scenario scenario,
        ScenarioResult blank,
        Workload workload,
        IScenarioStore store,
        ScenarioProgress progress,
        CancellationToken cancellationToken)
    {
        var parameters = blank.Parameters;
        await workload.OpenAsync(cancellationToken).ConfigureAwait(false);
        var warmUp = await WarmUpAsync(scenario, workload, progress, cancellationToken).ConfigureAwait(false);
        var soak = SoakPlan.Of(parameters);
        var calibration = soak is null ? null : await CalibrateAsync(soak, workload, progress, cancellationToken).ConfigureAwait(false);
        if (calibration?.Problem(soak!, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes) is { } problem)
            return Without(blank, ScenarioStatus.Failed, problem);

        progress.Phase = ScenarioPhase.Preparing;
        var operations = workload.CreateOperations(
            calibration is null ? parameters.Operations : soak!.Arrivals(calibration.Offered), warmUp: false);
        progress.Planned = operations.Count;
        var before = await workload.Backend.TakeCensusAsync(cancellationToken).ConfigureAwait(false);
        await operations.PrepareAsync(cancellationToken).ConfigureAwait(false);
        var plan = (calibration is null ? Plan(parameters) : SoakLoad(parameters, calibration.Offered)) with
        {
            Log = Log,
            WaveSize = scenario.WaveSize,
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
                options.Statistics ? Samples : null)
            { WritesMissing = WritesMissing },
            Before = before,
            WarmUp = warmUp,
            DriveAsync = async token =>
            {
                load = new(operations, plan);
                progress.Measure(load.Recorder);
                soakWatch = soak is null ? null : new(load.Recorder, store.Statistics, soak);
                try
                {
                    outcome = await load.RunAsync(token).ConfigureAwait(false);
                }
                finally
                {
                    if (soakWatch is not null)
                        await soakWatch.EndAsync().ConfigureAwait(false);
                }
            },
            DrainAsync = _ => Task.FromResult(outcome!),
            DrainLimit = options.StallLimit,
            VerifyAsync = (ended, audit, token) => VerifyAsync(scenario, ended, audit, workload, operations, token),
        }.RunAsync(cancellationToken).ConfigureAwait(false);
        return measured.Measurement with
        {
            Result = measured.Measurement.Result with
            {
                LatencyToDrain = plan.Model == LoadModel.Open ? null : load!.ToDrain(measured.DrainEnd),
                Soak = soakWatch is null ? null : new()
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

    /// <summary>The scenario's load; an open one has no rate before the calibration and is closed until then.</summary>
    private LoadPlan Plan(ScenarioParameters parameters) => new()
    {
        Model = parameters.Load == LoadModel.Open ? LoadModel.Closed : parameters.Load,
        Concurrency = parameters.Concurrency,
        StallLimit = options.StallLimit,
    };

    private LoadPlan SoakLoad(ScenarioParameters parameters, double perSecond) => new()
    {
        Model = LoadModel.Open,
        Concurrency = parameters.Concurrency * SoakPlan.InFlightPerCaller,
        PerSecond = perSecond,
        StallLimit = options.StallLimit,
    };

    private async Task<SoakCalibration> CalibrateAsync(
        SoakPlan soak, Workload workload, ScenarioProgress progress, CancellationToken cancellationToken)
    {
        progress.Phase = ScenarioPhase.Calibrating;
        var before = GC.GetTotalMemory(forceFullCollection: true);
        var outcome = await PreludeAsync(
            workload, SoakPlan.CalibrationOperations, soak.Calibration, progress.Parameters, cancellationToken).ConfigureAwait(false);

        // Collected now, so that the garbage of the calibration does not appear to shrink memory during the soak.
        var left = Math.Max(0, GC.GetTotalMemory(forceFullCollection: true) - before);
        return outcome.Completed == 0
            ? new(0, 0)
            : new(outcome.Completed / outcome.Window.TotalSeconds, (double)left / outcome.Completed);
    }

    private Task<LoadOutcome> PreludeAsync(
        Workload workload, int count, TimeSpan limit, ScenarioParameters parameters, CancellationToken cancellationToken) =>
        MeasuredRun.PreludeAsync(workload, count, Plan(parameters) with { MaxDuration = limit }, options.StallLimit, cancellationToken);

    private async Task<WarmUp?> WarmUpAsync(
        Scenario scenario, Workload workload, ScenarioProgress progress, CancellationToken cancellationToken)
    {
        var parameters = progress.Parameters;
        var count = options.WarmUp ?? scenario.WarmUp ?? RunOptions.DefaultWarmUp(parameters);
        if (count == 0)
            return null;

        progress.Phase = ScenarioPhase.WarmingUp;
        var outcome = await PreludeAsync(workload, count, options.WarmUpLimit, parameters, cancellationToken).ConfigureAwait(false);
        return new(outcome.Completed, outcome.Window.TotalMilliseconds);
    }

    private static async Task<IReadOnlyList<VerificationCheck>> VerifyAsync(
        Scenario scenario,
        LoadOutcome outcome,
        CensusAudit audit,
        Workload workload,
        OperationSet operations,
        CancellationToken cancellationToken) =>
    [
        CensusAudit.Equal("operations started", operations.Count - outcome.Dropped, outcome.Started),
        CensusAudit.Equal("operations completed", operations.Count - outcome.Dropped, outcome.Completed),
        CensusAudit.Equal("operations failed", 0, outcome.Failed),
        .. audit.Checks((long)(operations.Count - outcome.Dropped) * workload.InstancesPerOperation, operations.Intended),
        .. (IEnumerable<VerificationCheck>)(scenario.ForbidsConflicts
            ? [CensusAudit.Equal("no conflict, resolved or not", 0, audit.Host.Conflicts)]
            : []),
        .. await operations.VerifyAsync(outcome.Started, cancellationToken).ConfigureAwait(false),
    ];

    private static ScenarioMeasurement Without(ScenarioResult blank, ScenarioStatus status, string reason) =>
        new(blank with { Status = status, FailureReasons = [reason] }, new Dictionary<string, LatencyHistogram>());
}
