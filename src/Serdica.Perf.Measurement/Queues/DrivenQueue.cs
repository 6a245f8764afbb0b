namespace Serdica.Perf.Measurement.Queues;

/// <summary>Writers in progress on a workload.</summary>
internal sealed class DrivenQueue
{
    /// <summary>Throttled writes arrive as those of independent callers. At equal intervals, queues would stay shorter.</summary>
    public const ArrivalPattern Arrivals = ArrivalPattern.Poisson;

    /// <summary>The seed of the arrivals, from which each repeat has its own.</summary>
    public const int Seed = 1;

    private readonly QueuePlan _plan;

    public DrivenQueue(QueueWrites writes, QueuePlan plan, int repeat, DriverOptions options)
    {
        (_plan, Writes, Recorder, Planned) = (plan, writes, new(), plan.Duration);
        if (plan.PerSecond is { } perSecond)
        {
            var seed = ArrivalSeed.Of(Seed, repeat - 1, reads: false);
            var schedule = new ArrivalTimes(Recorder.Begin, perSecond, plan.Duration, writes.Count, Arrivals, seed);
            Driver = new OpenLoad(writes, schedule, plan.Writers, Recorder, options);
        }
        else
        {
            Driver = new ClosedLoad(writes, plan.Writers, Recorder, plan.Duration);
        }
    }

    public QueueWrites Writes { get; }

    public LoadRecorder Recorder { get; }

    public LoadDriver Driver { get; }

    /// <summary>Writes that arrived, a second; null when they follow no schedule.</summary>
    public double? OfferedPerSecond => _plan.PerSecond is null ? null : Driver.Offered / Planned.TotalSeconds;

    public long UnreadAtEnd { get; private set; }

    /// <summary>The time over which all rates are calculated: the planned time, or until the last write if that is longer.</summary>
    public TimeSpan Window => Driver.UsedUp || Recorder.ToLastCompletion > Planned ? Recorder.ToLastCompletion : Planned;

    /// <summary>How long writes were to be started, or how long they were, when too many dropped arrivals ended them sooner.</summary>
    private TimeSpan Planned { get; set; }

    /// <summary>The time over which the rate of reads is calculated: until the last read, which may be during the drain.</summary>
    public TimeSpan ReadWindow => Writes.Ledger.LastRead is > 0 and var last ? Recorder.Elapsed(last) : TimeSpan.Zero;

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        await Driver.RunAsync(cancellationToken);
        UnreadAtEnd = Writes.Unread;
        if (Driver is OpenLoad { GivenUp: true } && Recorder.Elapsed(Recorder.Clock.GetTimestamp()) is var length && length < Planned)
            Planned = length;
    }
}
