using System.Diagnostics;
using System.Globalization;
using Serdica.Perf.Analysis.LoadTests;
using Serdica.Perf.Measurement.Driving;
using Serdica.Perf.Measurement.LoadTests.Work;
using Serdica.Perf.Measurement.Measuring;
using Serdica.Perf.Measurement.Running;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Measurement.Verification;
using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Results.Profiles;
using Serdica.Perf.Results.Recording;
using Serdica.Perf.Results.Runs;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>Runs one step: look what is left, load, drain, verify, judge.</summary>
internal sealed class StepRunner(SuiteRun suite, IMeasuredBackend backend, LoadProfile profile, LoadWork work, PhaseLog phases)
{
    private const int BacklogUsers = 64;
    private static readonly TimeSpan LookInterval = TimeSpan.FromMilliseconds(2);

    /// <value>A test puts a slower generator in place.</value>
    public DriverOptions Driver { get; init; } = new();

    /// <value>Steps before this one: random arrivals of each step are their own.</value>
    public int Number { get; init; }

    /// <value>Whether the step is a trial of a search.</value>
    public bool IsTrial { get; init; }

    /// <param name="step">An open one has a rate.</param>
    /// <param name="session">Where it runs.</param>
    /// <param name="isFirst">Whether it is the first of its session, whose workers may start late.</param>
    /// <param name="cancellationToken">Stops; the step has no result then.</param>
    public async Task<StepResult> RunAsync(LoadStep step, LoadSession session, bool isFirst, CancellationToken cancellationToken)
    {
        var workload = session.Workload;
        var scenario = Declare(step);
        var progress = new ScenarioProgress(ScenarioRunner.FullName(session.Store.Backend, scenario), scenario.Parameters);
        suite.Announce(progress);
        progress.Phase = ScenarioPhase.Preparing;
        phases.Enter(LoadPhaseKind.Audit, step.Title);
        workload.Troubles.Clear();
        var before = await LookAsync(workload.Backend, cancellationToken).ConfigureAwait(false);
        var operations = workload.CreateOperations(Count(step, session), warmUp: false);
        progress.Planned = step.Kind == LoadKind.Closed ? step.Operations ?? 0 : operations.Count;
        await operations.PrepareAsync(cancellationToken).ConfigureAwait(false);
        var burnDown = step.Kind == LoadKind.BurnDown ? await PrepareAsync(step, operations, cancellationToken).ConfigureAwait(false) : null;

        var resources = new ResourceSeries(Environment.ProcessorCount, suite.WritesMissing);
        var window = await MeasuredWindow.OpenAsync(
            workload,
            new(progress, session.Store.Statistics, backend.ReadUsageAsync, sample =>
            {
                resources.Add(sample);
                suite.Folder.Append(sample);
            })
            { WritesMissing = suite.WritesMissing },
            cancellationToken).ConfigureAwait(false);
        await using var sampling = window.ConfigureAwait(false);

        phases.Enter(LoadPhaseKind.Step, step.Title);
        var log = suite.OpenLog(progress);
        await using var logging = log.ConfigureAwait(false);
        var injectedBefore = InjectedFailures(workload);
        var load = await DriveAsync(step, session, operations, burnDown, isFirst, log.Operations, progress, cancellationToken).ConfigureAwait(false);
        phases.Enter(LoadPhaseKind.Drain, step.Title);
        progress.Phase = ScenarioPhase.Draining;
        await DrainAsync(load, cancellationToken).ConfigureAwait(false);
        load.InjectedFailures = InjectedFailures(workload) - injectedBefore;
        var (completed, failed) = (load.Recorder.Completed, load.Recorder.Failed);
        var running = load.Recorder.Started - completed - failed;
        var (census, drainEnd) = await ScenarioRunner.DrainAsync(
            workload.Backend, running > 0 ? TimeSpan.Zero : profile.DrainLimit, cancellationToken).ConfigureAwait(false);
        phases.Enter(LoadPhaseKind.Audit, step.Title);
        await window.CloseAsync(cancellationToken).ConfigureAwait(false);

        progress.Phase = ScenarioPhase.Verifying;
        var audit = new CensusAudit(before, census, window.Host);
        var outcome = load.Recorder.Outcome(load.Window, completed, failed, running);
        IReadOnlyList<VerificationCheck> checks = failed + running > 0
            ? []
            : [.. Checks(audit, operations, workload, completed), .. await operations.VerifyAsync(completed, cancellationToken).ConfigureAwait(false)];
        var histograms = ScenarioResults.Histograms(operations, outcome, window);
        histograms.Add(PhaseNames.GeneratorLag, load.Recorder.GeneratorLag.Snapshot());
        if (load.Reads is { } reads)
            histograms.Add(PhaseNames.Read, reads.Recorder.Response.Snapshot());

        var measured = ScenarioResults.Of(
            ScenarioResults.Blank(scenario, session.Store.Backend, scenario.Parameters),
            workload, null, outcome, audit, operations.Intended, checks, histograms, window, drainEnd);
        var result = Judge(Figures(step, load, outcome, measured, audit, drainEnd) with { Resources = resources.Figures() }, measured, checks);
        if (result.Verdict == StepVerdict.Failed)
            result = result with { Reasons = [.. result.Reasons, .. workload.Troubles.Sentences()] };
        var recorded = suite.Record(new(
            measured with { IsTrial = IsTrial, Status = result.Verdict == StepVerdict.Failed ? ScenarioStatus.Failed : ScenarioStatus.Passed, FailureReasons = result.Verdict == StepVerdict.Failed ? result.Reasons : [] },
            histograms)
        {
            Intervals = outcome.Completed > 0 ? outcome.Timeline.Histograms(outcome.Window) : null,
        });
        phases.Leave();
        return result with { Histograms = recorded.Histograms };
    }

    private StepResult Judge(StepResult figures, ScenarioResult measured, IReadOnlyList<VerificationCheck> checks)
    {
        var result = StepJudge.Judge(
            figures with { GeneratorLimited = StepJudge.IsGeneratorLimited(figures) },
            profile.Objectives,
            checks);
        if (result.Verdict == StepVerdict.Passed)
            return result;

        var (layer, evidence) = LimitingLayer.Of(suite.Preview(measured), measured, result, profile, work.Shape);
        return result with { LimitedBy = layer, LimitEvidence = evidence };
    }

    private async Task<BackendCensus> LookAsync(IWorkflowBackend store, CancellationToken cancellationToken) =>
        (await ScenarioRunner.DrainAsync(store, profile.WaitForClean ? profile.DrainLimit : TimeSpan.Zero, cancellationToken).ConfigureAwait(false)).Census;

    private static int Count(LoadStep step, LoadSession session)
    {
        var most = step.Kind switch
        {
            LoadKind.BurnDown => step.Backlog,
            LoadKind.Closed => session.MostWithin(step.Duration),
            _ => ArrivalTimes.AtMost(step.Wave is { } wave ? wave.ArrivalsBy(step.Duration.TotalSeconds) / step.Duration.TotalSeconds : step.PerSecond!.Value, step.Duration, step.Arrivals),
        };
        return Math.Max(1, Math.Min(most, step.Operations ?? int.MaxValue));
    }

    private async Task<BurnDown> PrepareAsync(LoadStep step, OperationSet operations, CancellationToken cancellationToken)
    {
        phases.Enter(LoadPhaseKind.Backlog, step.Title);
        var burnDown = new BurnDown(operations, BacklogUsers);
        await burnDown.PrepareAsync(cancellationToken).ConfigureAwait(false);
        phases.Enter(LoadPhaseKind.Audit, step.Title);
        return burnDown.Problem is { } problem
            ? throw new WorkflowBackendException($"The backlog could not be prepared: {problem.Message}", isTransient: false, problem)
            : burnDown;
    }

    private async Task<DrivenLoad> DriveAsync(
        LoadStep step, LoadSession session, OperationSet operations, BurnDown? burnDown, bool isFirst, OperationLog? log, ScenarioProgress progress, CancellationToken cancellationToken)
    {
        var load = new DrivenLoad(step, log);
        progress.Measure(load.Recorder);
        var late = burnDown is null && isFirst ? StartLateAsync(session, cancellationToken) : Task.CompletedTask;
        var reading = ReadAsync(step, session, operations, load, cancellationToken);
        switch (step.Kind)
        {
            case LoadKind.BurnDown:
                burnDown!.Follow(load.Recorder);
                await session.StartWorkersAsync(cancellationToken).ConfigureAwait(false);
                break;
            case LoadKind.Closed:
                load.Users = step.MinUsers;
                var closed = new ClosedLoad(operations, step.MinUsers, step.Duration, load.Recorder);
                await closed.RunAsync(cancellationToken).ConfigureAwait(false);
                load.UsedUp = closed.UsedUp;
                break;
            default:
                var recorder = load.Recorder;
                var gate = step.BacklogBetween is { } bounds ? new BacklogGate(bounds, () => recorder.Completed + recorder.Failed + recorder.Dropped) : null;
                var arrivals = new ArrivalTimes(
                    recorder.Begin, step.PerSecond!.Value, step.Duration, operations.Count, step.Arrivals, ArrivalSeed.Of(profile.Seed, Number, reads: false), step.Wave, gate);
                var open = new OpenLoad(operations, arrivals, step, recorder, Driver);
                await open.RunAsync(cancellationToken).ConfigureAwait(false);
                (load.Users, load.GivenUp, load.Offered, load.LastDue) = (open.Users, open.Hopeless, arrivals.Taken, arrivals.LastDue);
                load.Oscillation = gate is null ? null : new(gate.Cycles, gate.Peak);
                break;
        }

        await reading.ConfigureAwait(false);
        await late.ConfigureAwait(false);
        return load;
    }

    private async Task StartLateAsync(LoadSession session, CancellationToken cancellationToken)
    {
        await Task.Delay(profile.WorkerDelay, cancellationToken).ConfigureAwait(false);
        await session.StartWorkersAsync(cancellationToken).ConfigureAwait(false);
    }

    private async Task ReadAsync(LoadStep step, LoadSession session, OperationSet operations, DrivenLoad load, CancellationToken cancellationToken)
    {
        if (step.ReadsPerSecond <= 0)
            return;

        var reads = load.Reads = new(step);
        var set = new InstanceReads(ArrivalTimes.AtMost(step.ReadsPerSecond, step.Duration, step.Arrivals), session.Workload.Backend, (IReadableOperations)operations);
        var arrivals = new ArrivalTimes(
            reads.Recorder.Begin, step.ReadsPerSecond, step.Duration, set.Count, step.Arrivals, ArrivalSeed.Of(profile.Seed, Number, reads: true));
        await new OpenLoad(set, arrivals, step, reads.Recorder, Driver)
            .RunAsync(cancellationToken).ConfigureAwait(false);
    }

    private async Task DrainAsync(DrivenLoad load, CancellationToken cancellationToken)
    {
        var begin = Stopwatch.GetTimestamp();
        while ((load.Recorder.InFlight > 0 || load.Reads?.Recorder.InFlight > 0) && Stopwatch.GetElapsedTime(begin) < profile.DrainLimit)
            await Task.Delay(LookInterval, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>A store that was not clean before can't be counted; its instances are still read back.</summary>
    private static IEnumerable<VerificationCheck> Checks(CensusAudit audit, OperationSet operations, Workload workload, int completed) =>
        !CensusAudit.IsIdle(audit.Before) || (operations.Intended != IntendedTrouble.None && completed != operations.Count)
            ? []
            : audit.Checks((long)completed * workload.InstancesPerOperation, operations.Intended);

    private Scenario Declare(LoadStep step) => new()
    {
        Name = $"{profile.Name}-{step.Name}",
        Tier = Tiers.Load,
        Family = ScenarioFamilies.Load,
        Description = $"Step '{step.Name}' of the load test '{profile.Name}': {profile.Workflow}.",
        Parameters = new()
        {
            Operations = 0,
            Repeat = step.Repeat ?? 1,
            DurationSeconds = step.Duration.TotalSeconds,
            Concurrency = step.Kind == LoadKind.Open ? step.MaxUsers : step.MinUsers,
            Workers = profile.Workers,
            Engine = profile.Engine,
            Load = step.Kind switch { LoadKind.Open => LoadModel.Open, LoadKind.Closed => LoadModel.Closed, _ => LoadModel.Wave },
            PayloadBytes = work.Shape?.PayloadBytes ?? 0,
            Options = new Dictionary<string, string>
            {
                ["rate"] = step.PerSecond is { } rate ? string.Create(CultureInfo.InvariantCulture, $"{rate:0.##}/s") : "as fast as it goes",
                ["arrivals"] = step.Arrivals.ToString().ToLowerInvariant(),
                ["work"] = work.Shape?.Words ?? profile.Workflow,
            },
        },
        CreateWorkload = (store, _) => work.Create(store),
    };

    private static long InjectedFailures(Workload workload) => (workload as ShapedWorkload)?.InjectedFailures ?? 0;

    private StepResult Figures(
        LoadStep step, DrivenLoad load, LoadOutcome outcome, ScenarioResult measured, CensusAudit audit, long drainEnd)
    {
        var planned = load.Planned.TotalSeconds;
        var elapsed = Stopwatch.GetElapsedTime(load.Recorder.Begin, outcome.EndTimestamp).TotalSeconds;
        var offered = step.Kind == LoadKind.Open ? load.Offered : outcome.Started;
        var completedPerSecond = Rate(outcome.Completed, outcome.Window.TotalSeconds);
        return new()
        {
            Name = step.Title,
            Repeat = step.Repeat ?? 1,
            Kind = step.Kind,
            Scenario = measured.Name,
            TargetPerSecond = step.BacklogBetween is null ? step.PerSecond : null,
            OfferedPerSecond = step.Kind == LoadKind.Open ? Rate(offered, load.GivenUp ? Math.Min(planned, load.ArrivalSeconds) : planned) : null,
            StartedPerSecond = Rate(outcome.Started, Math.Max(planned, load.Recorder.ToLastStart.TotalSeconds)),
            CompletedPerSecond = completedPerSecond,
            BytesPerSecond = work.Shape is { } shape ? completedPerSecond * shape.PayloadBytes * shape.FanOut : null,
            PlannedSeconds = planned,
            ElapsedSeconds = elapsed,
            DrainSeconds = Math.Max(0, Stopwatch.GetElapsedTime(load.Recorder.Begin, drainEnd).TotalSeconds - Math.Max(planned, load.Recorder.ToLastStart.TotalSeconds)),
            DrainLimitReached = outcome.Stalled,
            Counts = new()
            {
                Offered = offered,
                Started = outcome.Started,
                Completed = outcome.Completed,
                Failed = outcome.Failed,
                Running = outcome.Started - outcome.Completed - outcome.Failed,
                InjectedFailures = load.InjectedFailures,
                Late = outcome.Late,
                Dropped = outcome.Dropped,
            },
            Response = measured.ResponseTime,
            Service = measured.ServiceTime,
            ScheduleLag = outcome.ScheduleLag!.Summarize(),
            GeneratorLag = load.Recorder.GeneratorLag.Snapshot().Summarize(),
            QueueTime = measured.Phases.GetValueOrDefault(PhaseNames.QueueTime, LatencySummary.Empty),
            MinUsers = step.MinUsers,
            MaxUsers = step.Kind == LoadKind.Open ? step.MaxUsers : step.MinUsers,
            PeakUsers = load.Users,
            Contamination = audit.Before.Open + audit.Before.SignalsDue + audit.Before.SignalsLater + audit.Before.Messages,
            Oscillation = load.Oscillation,
            GivenUp = load.GivenUp,
            UsedUp = load.UsedUp && outcome.Started < (step.Operations ?? int.MaxValue),
            Errors = load.Recorder.Errors.Snapshot(),
            CommitsPerOperation = measured.CostPerOperation.GetValueOrDefault(MetricNames.Commits)?.Value,
            ConflictsPerOperation = outcome.Completed == 0 ? 0 : (double)audit.Host.Conflicts / outcome.Completed,
            Reads = load.Reads is { Recorder: var reads }
                ? new(step.ReadsPerSecond, Rate(reads.Completed, step.Duration.TotalSeconds), reads.Completed, reads.Failed, reads.Response.Snapshot().Summarize())
                : null,
        };
    }

    private static double Rate(long count, double seconds) => seconds > 0 ? count / seconds : 0;
}
