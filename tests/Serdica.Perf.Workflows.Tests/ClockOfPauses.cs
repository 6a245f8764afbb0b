namespace Serdica.Perf.Workflows.Tests;

/// <summary>Timers fire at once.</summary>
internal sealed class ClockOfPauses : TimeProvider
{
    public Channel<TimeSpan> Pauses { get; } = Channel.CreateUnbounded<TimeSpan>();

    /// <summary>Where the clock stands still; null: it runs.</summary>
    public TimeSpan? StandsAt { get; set; }

    public override long GetTimestamp() =>
        StandsAt is { } at ? (long)(at.TotalSeconds * TimestampFrequency) : base.GetTimestamp();

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        Pauses.Writer.TryWrite(dueTime);
        return base.CreateTimer(callback, state, TimeSpan.Zero, period);
    }
}
