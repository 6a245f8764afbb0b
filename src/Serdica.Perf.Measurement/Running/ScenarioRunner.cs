using System.Diagnostics;
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
/// Runs one scenario once on one fresh store: open, warm up, prepare, measure, drain, verify. Whatever happens becomes a
/// result; only a cancelled run and a fault of this program do not pass as measured.
/// </summary>
public sealed class ScenarioRunner(RunOptions options)
{
    /// <summary>Short against the drain itself; each look is a count of the tables.</summary>
    private static readonly TimeSpan DrainCheckInterval = TimeSpan.FromMilliseconds(1);

    /// <summary>Reads what the server has used; <see langword="null"/> when nobody can.</summary>
    public Func<CancellationToken, Task<ServerUsage?>>? ReadUsageAsync { get; init; }

    /// <summary>See <see cref="FsyncProbeResult.WritesMissing"/>.</summary>
    public string? WritesMissing { get; init; }

    /// <summary>Takes the samples of measured windows, one call at a time; <see langword="null"/> when nobody wants them.</summary>
    public Action<Sample>? Samples { get; init; }

    /// <summary>Takes each operation of the measured window; <see langword="null"/> when nobody wants them.</summary>
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
            return Without(blank, ScenarioStatus.Aborted, $"Stopped while {Words(progress.Phase)}, after {progress.Completed} operations.");
        }
        catch (WorkflowBackendException e)
        {
            return Without(blank, ScenarioStatus.Failed, $"The backend failed while {Words(progress.Phase)}: {e.Message}");
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
        var censusBefore = await workload.Backend.TakeCensusAsync(cancellationToken).ConfigureAwait(false);
        await operations.PrepareAsync(cancellationToken).ConfigureAwait(false);
        var watch = new WindowWatch(progress, options.Statistics ? store.Statistics : null, options.Statistics ? ReadUsageAsync : null, options.Statistics ? Samples : null) { WritesMissing = WritesMissing };
        var window = await MeasuredWindow.OpenAsync(workload, watch, cancellationToken).ConfigureAwait(false);
        await using var sampling = window.ConfigureAwait(false);

        var plan = (calibration is null ? Plan(parameters) : SoakLoad(parameters, calibration.Offered)) with { Log = Log };
        var waves = new WaveSequence(operations, plan, plan.Model == LoadModel.Wave ? scenario.WaveSize : null);
        SoakWatch? soakWatch = null;
        LoadOutcome outcome;
        try
        {
            outcome = await waves.RunAsync(
                load =>
                {
                    progress.Measure(load);
                    soakWatch = soak is null ? null : new(load, store.Statistics, soak);
                },
                cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            if (soakWatch is not null)
                await soakWatch.EndAsync().ConfigureAwait(false);
        }

        progress.Phase = ScenarioPhase.Draining;
        var (census, drainEnd) = await DrainAsync(
            workload.Backend, outcome.Stalled ? TimeSpan.Zero : options.StallLimit, cancellationToken).ConfigureAwait(false);
        await window.CloseAsync(cancellationToken).ConfigureAwait(false);

        progress.Phase = ScenarioPhase.Verifying;
        var audit = new CensusAudit(censusBefore, census, window.Host);
        var checks = await VerifyAsync(scenario, outcome, audit, workload, operations, cancellationToken).ConfigureAwait(false);
        var histograms = ScenarioResults.Histograms(operations, outcome, window);
        return new(
            ScenarioResults.Of(blank, workload, warmUp, outcome, audit, operations.Intended, checks, histograms, window, drainEnd) with
            {
                LatencyToDrain = plan.Model == LoadModel.Open ? null : ToDrain(outcome, waves, drainEnd),
                Soak = soakWatch is null ? null : new()
                {
                    MaximumPerSecond = calibration!.PerSecond,
                    Utilisation = SoakPlan.Utilisation,
                    OfferedPerSecond = plan.PerSecond,
                    Intervals = soakWatch.Intervals,
                    Series = [.. soakWatch.Series()],
                },
            },
            histograms)
        {
            Intervals = outcome.Completed > 0 ? outcome.Timeline.Histograms(outcome.Window) : null,
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

        // Collected now, so that the garbage of the calibration is not seen to leave during the soak.
        var left = Math.Max(0, GC.GetTotalMemory(forceFullCollection: true) - before);
        return outcome.Completed == 0
            ? new(0, 0)
            : new(outcome.Completed / outcome.Window.TotalSeconds, (double)left / outcome.Completed);
    }

    /// <summary>A load before the measured window, with its drain.</summary>
    private async Task<LoadOutcome> PreludeAsync(
        Workload workload, int count, TimeSpan limit, ScenarioParameters parameters, CancellationToken cancellationToken)
    {
        var operations = workload.CreateOperations(count, warmUp: true);
        await operations.PrepareAsync(cancellationToken).ConfigureAwait(false);
        var load = new LoadRun(operations, Plan(parameters) with { MaxDuration = limit });
        var outcome = await load.RunAsync(cancellationToken).ConfigureAwait(false);
        await DrainAsync(workload.Backend, outcome.Stalled ? TimeSpan.Zero : options.StallLimit, cancellationToken).ConfigureAwait(false);
        return outcome;
    }

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

    /// <summary>Looks until nothing is left, or the limit has passed; the last look is returned, with its time.</summary>
    internal static async Task<(BackendCensus Census, long Timestamp)> DrainAsync(
        IWorkflowBackend backend, TimeSpan limit, CancellationToken cancellationToken)
    {
        var begin = Stopwatch.GetTimestamp();
        while (true)
        {
            var census = await backend.TakeCensusAsync(cancellationToken).ConfigureAwait(false);
            if (CensusAudit.IsIdle(census) || Stopwatch.GetElapsedTime(begin) >= limit)
                return (census, Stopwatch.GetTimestamp());

            await Task.Delay(DrainCheckInterval, cancellationToken).ConfigureAwait(false);
        }
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

    private static LatencySummary ToDrain(LoadOutcome outcome, WaveSequence waves, long drainEnd)
    {
        var histogram = new LatencyHistogram();
        for (var operation = 0; operation < outcome.Started; operation++)
            histogram.Record(outcome.StartTimestamps[operation], waves.EndOf(operation, drainEnd));
        return histogram.Summarize();
    }

    private static ScenarioMeasurement Without(ScenarioResult blank, ScenarioStatus status, string reason) =>
        new(blank with { Status = status, FailureReasons = [reason] }, new Dictionary<string, LatencyHistogram>());

    private static string Words(ScenarioPhase phase) => phase switch
    {
        ScenarioPhase.Opening => "opening",
        ScenarioPhase.WarmingUp => "warming up",
        ScenarioPhase.Calibrating => "calibrating",
        ScenarioPhase.Preparing => "preparing",
        ScenarioPhase.Measuring => "measuring",
        ScenarioPhase.Draining => "draining",
        _ => "verifying",
    };
}
