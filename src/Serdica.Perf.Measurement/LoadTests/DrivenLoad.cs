namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>The load of one step, in progress or ended: its driver, and the figures that follow from it and the step.</summary>
internal sealed class DrivenLoad
{
    private readonly LoadStep _step;
    private ArrivalTimes? _arrivals;
    private BacklogGate? _gate;

    private DrivenLoad(LoadStep step, OperationLog? log, Func<DrivenLoad, LoadDriver> driver)
    {
        _step = step;
        Recorder = new(log: log);
        Driver = driver(this);
    }

    public LoadRecorder Recorder { get; }

    public LoadDriver Driver { get; }

    /// <summary>The largest number of callers in use at once.</summary>
    public int Users => (Driver as OpenLoad)?.Callers ?? _step.MinUsers;

    /// <summary>How long operations arrived, in seconds.</summary>
    public double ArrivalSeconds { get; private set; }

    /// <summary>The swings of a backlog that was to swing; null for other loads.</summary>
    public OscillationFigures? Oscillation => _gate is null ? null : new(_gate.Cycles, _gate.Peak);

    public bool GivenUp => Driver is OpenLoad { GivenUp: true };

    /// <summary>Why the load was ended before its time; null when it was not.</summary>
    public string? EndedEarly { get; private set; }

    /// <summary>Activities that failed on purpose, from its start to the end of its drain.</summary>
    public long InjectedFailures { get; set; }

    /// <summary>
    /// How long operations were to be started, or how long they were, when a fixed number of them, a broken threshold or too many
    /// dropped arrivals ended the step sooner.
    /// </summary>
    public TimeSpan Planned =>
        _step switch
        {
            { Kind: LoadKind.BurnDown } => TimeSpan.Zero,
            _ when EndedEarly is not null || GivenUp => FromSeconds(Math.Min(ArrivalSeconds, _step.Duration.TotalSeconds)),
            { Kind: LoadKind.Closed } => Driver.UsedUp ? Recorder.ToLastStart : _step.Duration,
            { Operations: { } operations, PerSecond: { } rate } when Driver.Offered == operations => FromSeconds(
                Math.Min(_step.Duration.TotalSeconds, Math.Max(operations / rate, Recorder.Elapsed(_arrivals!.LastDue).TotalSeconds))
            ),
            _ => _step.Duration,
        };

    /// <summary>
    /// The time over which the step's rates are calculated: the planned time, or until the last completion if that is longer.
    /// </summary>
    public TimeSpan Window => Recorder.ToLastCompletion > Planned ? Recorder.ToLastCompletion : Planned;

    /// <summary>The reads beside it; null when there are none.</summary>
    public DrivenLoad? Reads { get; set; }

    /// <summary>Makes the calls of the operations; see <see cref="LoadDriver.RunAsync"/>.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        await Driver.RunAsync(cancellationToken);
        ArrivalSeconds = Recorder.Elapsed(Recorder.Clock.GetTimestamp()).TotalSeconds;
    }

    /// <summary>Starts no further operation or read.</summary>
    public void EndEarly(string why)
    {
        EndedEarly = why;
        Reads?.EndEarly(why);
        Driver.Stop();
    }

    /// <summary>The result; operations that have not ended are abandoned.</summary>
    public LoadOutcome Outcome() => Recorder.Outcome(Driver.Offered, Window, Recorder.LastCompletion);

    public static DrivenLoad Closed(LoadStep step, OperationSet operations, OperationLog? log) =>
        new(step, log, load => new ClosedLoad(operations, step.MinUsers, load.Recorder, step.Duration));

    public static DrivenLoad BurnDown(
        LoadStep step,
        OperationSet operations,
        IReadOnlyList<Task> backlog,
        Func<CancellationToken, Task> startWorkers,
        OperationLog? log
    ) => new(step, log, load => new BacklogLoad(operations, backlog, startWorkers, load.Recorder));

    public static DrivenLoad Open(LoadStep step, OperationSet operations, int seed, DriverOptions options, OperationLog? log) =>
        new(step, log, load =>
        {
            var recorder = load.Recorder;
            load._gate = step.BacklogBetween is { } bounds
                ? new BacklogGate(bounds, () => recorder.Completed + recorder.Failed + recorder.Dropped)
                : null;
            load._arrivals = new(
                recorder.Begin,
                step.PerSecond!.Value,
                step.Duration,
                operations.Count,
                step.Arrivals,
                seed,
                step.Wave,
                load._gate,
                step.Phase
            );
            return new OpenLoad(operations, load._arrivals, step.MaxUsers, recorder, options);
        });

    /// <summary>The reads beside a step's operations.</summary>
    public static DrivenLoad ReadsOf(LoadStep step, OperationSet reads, int seed, DriverOptions options) =>
        Open(step with { PerSecond = step.ReadsPerSecond, Wave = null, BacklogBetween = null }, reads, seed, options, log: null);
}
