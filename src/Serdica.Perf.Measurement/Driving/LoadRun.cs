namespace Serdica.Perf.Measurement.Driving;

/// <summary>
/// One load by the rules of a <see cref="LoadPlan"/>, to the end of its last operation. Its time starts with its construction.
/// </summary>
internal sealed class LoadRun
{
    private readonly LoadPlan _plan;
    private readonly LoadDriver _driver;

    /// <param name="clock">The system's clock by default.</param>
    public LoadRun(OperationSet operations, LoadPlan plan, TimeProvider? clock = null)
    {
        var isOpen = plan.Model == LoadModel.Open;
        _plan = plan;
        Recorder = new(clock, plan.Log, keptStarts: isOpen || plan.MaxDuration is not null ? 0 : operations.Count);

        // Open loads take long, and may be watched for growing memory.
        if (isOpen)
            Recorder.Timeline.Reserve();
        _driver = plan.Model switch
        {
            LoadModel.Open => new OpenLoad(
                operations,
                new(Recorder.Begin, plan.PerSecond, plan.MaxDuration, operations.Count, plan.Arrivals, plan.Seed),
                plan.Concurrency,
                Recorder,
                new() { DropAfter = plan.DropAfter, GiveUpShare = 1 }
            ),
            LoadModel.Wave => new WaveLoad(operations, plan.Concurrency, plan.WaveSize, Recorder, plan.MaxDuration),
            LoadModel.Serial => new ClosedLoad(operations, 1, Recorder, plan.MaxDuration),
            _ => new ClosedLoad(operations, plan.Concurrency, Recorder, plan.MaxDuration),
        };
    }

    public LoadRecorder Recorder { get; }

    /// <summary>Returns when every operation has ended, or the load has stalled.</summary>
    /// <exception cref="OperationCanceledException">The token fired; no further operation is started.</exception>
    public async Task<LoadOutcome> RunAsync(CancellationToken cancellationToken)
    {
        var ended = await _driver.RunToEndAsync(_plan.StallLimit, cancellationToken);
        var end = Recorder.LastEnd;
        var outcome = Recorder.Outcome(_driver.Offered, Recorder.Elapsed(end), end) with { Stalled = !ended };

        // Only an open load has a schedule and so a schedule lag.
        return _plan.Model == LoadModel.Open ? outcome : outcome with { ScheduleLag = null };
    }

    /// <summary>From the start of each operation to the end of its wave; without a later wave, to the end of the drain.</summary>
    public LatencyHistogram ToDrain(long drainEnd)
    {
        var histogram = new LatencyHistogram();
        for (var operation = 0; operation < Recorder.Started; operation++)
            histogram.Record(Recorder.Starts[operation], (_driver as WaveLoad)?.EndOf(operation, drainEnd) ?? drainEnd);
        return histogram;
    }
}
