namespace Serdica.Perf.Measurement.Running;

/// <summary>
/// The run loop of everything that is measured: scenarios, steps of load tests, and bare queues. It opens the window, drives,
/// drains, closes the window and verifies. The caller supplies the content of the phases.
/// </summary>
internal sealed record MeasuredRun
{
    /// <summary>The shortest pause between two checks, each of which counts the rows of the tables.</summary>
    private static readonly TimeSpan ShortestPause = FromMilliseconds(1);

    /// <summary>The next pause, as a share of the drain so far: the drain is measured to within this share, with few checks.</summary>
    private const double PauseShare = 0.02;

    /// <value>The result before anything is measured.</value>
    public required ScenarioResult Blank { get; init; }

    public required Workload Workload { get; init; }

    /// <value>The operations, prepared before the window opens.</value>
    public required OperationSet Operations { get; init; }

    /// <value>What is observed during the window.</value>
    public required WindowWatch Watch { get; init; }

    /// <value>What the store contained before.</value>
    public required BackendCensus Before { get; init; }

    public WarmUp? WarmUp { get; init; }

    /// <value>Records when each phase started; default: not recorded.</value>
    public PhaseLog Phases { get; init; } = new();

    /// <value>The name of the phases.</value>
    public string? Title { get; init; }

    /// <value>Returns when no operation is started any more.</value>
    public required Func<CancellationToken, Task> DriveAsync { get; init; }

    /// <value>Returns when started operations have ended or were abandoned.</value>
    public required Func<CancellationToken, Task<LoadOutcome>> DrainAsync { get; init; }

    /// <value>How long the store may take after that until nothing is left in it. A stopped load does not wait.</value>
    public required TimeSpan DrainLimit { get; init; }

    /// <value>Compares what was left with what should have been left.</value>
    public required Func<LoadOutcome, CensusAudit, CancellationToken, Task<IReadOnlyList<VerificationCheck>>> VerifyAsync { get; init; }

    /// <value>Further latencies by phase, read at the end; default none.</value>
    public Func<IEnumerable<(string Phase, LatencyHistogram Histogram)>> Further { get; init; } = static () => [];

    /// <exception cref="OperationCanceledException">The token fired.</exception>
    /// <exception cref="WorkflowBackendException">The backend failed outside of an operation.</exception>
    public async Task<MeasuredLoad> RunAsync(CancellationToken cancellationToken)
    {
        await using var window = await MeasuredWindow.OpenAsync(Workload, Watch, cancellationToken);
        Phases.Enter(LoadPhaseKind.Step, Title);
        await DriveAsync(cancellationToken);

        Phases.Enter(LoadPhaseKind.Drain, Title);
        Watch.Progress.Phase = ScenarioPhase.Draining;
        var outcome = await DrainAsync(cancellationToken);

        // A failed operation may have left an instance whose signal was never stored, and which would wait for ever.
        var (census, drainEnd) = await WaitUntilIdleAsync(
                Workload.Backend,
                outcome.Stalled ? TimeSpan.Zero : DrainLimit,
                Before.Open + ((long)outcome.Failed * Workload.InstancesPerOperation),
                cancellationToken
            );
        Phases.Enter(LoadPhaseKind.Audit, Title);
        await window.CloseAsync(cancellationToken);

        Watch.Progress.Phase = ScenarioPhase.Verifying;
        var audit = new CensusAudit(Before, census, window.Host);
        var checks = await VerifyAsync(outcome, audit, cancellationToken);
        var histograms = ScenarioResults.Histograms(Operations, outcome, window);
        foreach (var (phase, histogram) in Further())
            histograms.Add(phase, histogram);
        var result = ScenarioResults.Of(Blank, Workload, WarmUp, outcome, audit, Operations.Intended, checks, histograms, window, drainEnd);
        return new(
            outcome,
            audit,
            checks,
            drainEnd,
            new(result, histograms) { Intervals = outcome.Completed > 0 ? outcome.Timeline.Histograms(outcome.Window) : null }
        );
    }

    /// <summary>
    /// Waits until a store holds only instances that may wait, or the limit has passed; returns the last census and its time.
    /// </summary>
    internal static async Task<(BackendCensus Census, long Timestamp)> WaitUntilIdleAsync(
        IWorkflowBackend backend,
        TimeSpan limit,
        long mayWait,
        CancellationToken cancellationToken
    )
    {
        var begin = Stopwatch.GetTimestamp();
        while (true)
        {
            var census = await backend.TakeCensusAsync(cancellationToken);
            var passed = Stopwatch.GetElapsedTime(begin);
            if (CensusAudit.IsIdle(census, mayWait) || passed >= limit)
                return (census, Stopwatch.GetTimestamp());

            var pause = PauseShare * passed;
            await Task.Delay(pause > ShortestPause ? pause : ShortestPause, cancellationToken);
        }
    }

    /// <summary>A load before the measured window, with its drain; it is not reported.</summary>
    internal static async Task<LoadOutcome> PreludeAsync(
        Workload workload,
        int count,
        LoadPlan plan,
        TimeSpan drainLimit,
        CancellationToken cancellationToken
    )
    {
        var operations = workload.CreateOperations(count, warmUp: true);
        await operations.PrepareAsync(cancellationToken);
        var outcome = await new LoadRun(operations, plan).RunAsync(cancellationToken);
        await WaitUntilIdleAsync(workload.Backend, outcome.Stalled ? TimeSpan.Zero : drainLimit, mayWait: 0, cancellationToken);
        return outcome;
    }
}

/// <summary>A load that was measured.</summary>
/// <param name="Audit">What the store contained before and after.</param>
/// <param name="DrainEnd">Reading of the stopwatch when nothing was left, or the limit had passed.</param>
internal sealed record MeasuredLoad(
    LoadOutcome Outcome,
    CensusAudit Audit,
    IReadOnlyList<VerificationCheck> Checks,
    long DrainEnd,
    ScenarioMeasurement Measurement
);
