namespace Serdica.Perf.Workflows;

/// <summary>An activity that runs on this host, from its lease until its report is durable or it is cut off.</summary>
internal sealed class RunningActivity : IDisposable
{
    private readonly CancellationTokenSource _cancellation = new();
    private readonly TimeProvider _time;
    private readonly ITimer _deadline;
    private long _endsAt;
    private volatile bool _ended;

    public RunningActivity(LeasedActivity activity, TimeProvider time)
    {
        Activity = activity;
        _time = time;
        _deadline = time.CreateTimer(_ => Expire(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public LeasedActivity Activity { get; }

    /// <summary>Set when the attempt counts for nobody any more: the host stops, or the lease is lost or has run out.</summary>
    public CancellationToken Cancellation => _cancellation.Token;

    /// <summary>Its lease has ended by this host's clock: nobody knows whether another host has it.</summary>
    public bool Expired { get; private set; }

    /// <summary>The database has said that somebody else has the lease, or nobody.</summary>
    public bool Lost { get; private set; }

    /// <summary>Its code has ended, and its report is under way.</summary>
    public bool HasEnded => _ended;

    public Task Task { get; set; } = Task.CompletedTask;

    /// <summary>Records that the lease holds for this time from now, by this host's clock.</summary>
    public void HoldFor(TimeSpan time)
    {
        Volatile.Write(ref _endsAt, _time.GetTimestamp() + (long)(time.TotalSeconds * _time.TimestampFrequency));
        if (!_ended)
            _deadline.Change(time > TimeSpan.Zero ? time : TimeSpan.Zero, Timeout.InfiniteTimeSpan);
    }

    /// <summary>
    /// Whether the code may begin. The deadline has a timer, which may come late where threads are short: what began meanwhile would
    /// run beside the next attempt.
    /// </summary>
    public bool MayBegin()
    {
        if (_time.GetTimestamp() >= Volatile.Read(ref _endsAt))
            Expire();
        return !Cancellation.IsCancellationRequested;
    }

    /// <summary>The code has ended: from now on only the database says whether its report comes too late.</summary>
    public void End()
    {
        _ended = true;
        _deadline.Change(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    public void Lose()
    {
        Lost = true;
        Cancel();
    }

    /// <summary>
    /// Leaves the source of the cancellation, which has nothing to free: disposed of between a cancellation and its delivery, it would
    /// drop it, and the activity's code would go on beside the next attempt.
    /// </summary>
    public void Dispose() => _deadline.Dispose();

    private void Expire()
    {
        if (_ended)
            return;
        Expired = true;
        Cancel();
    }

    // Not on this stack: what the activity's code has registered may take its time, or fail.
    public void Cancel() => _cancellation.CancelAsync().Forget();
}
