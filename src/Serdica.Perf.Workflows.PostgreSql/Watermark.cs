namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// From where a claim polls. Nothing that is due lies far below the last claim, except what was committed late or
/// passed over; a full poll finds that, about once a second, and less often when it is slow. In between the scan starts a little
/// below the newest due time that was claimed, and so leaves out the dead entries at the head of the index.
/// </summary>
/// <remarks>
/// Only what is committed counts. A full poll that could not take all there was lowers the position to where it stopped, so
/// that the next claims go on from there; so does one that finds the server's clock behind the position.
/// </remarks>
internal sealed class Watermark(TimeProvider time)
{
    /// <summary>Longer than a commit usually takes: whoever commits later than this waits for the full poll.</summary>
    private static readonly TimeSpan Slack = FromMilliseconds(200);

    private static readonly TimeSpan FullPollInterval = FromSeconds(1);

    /// <summary>The pause after a slow full poll, in durations of that poll.</summary>
    private const int PauseAfterFullPoll = 5;

    /// <summary>What only a full poll finds waits no longer than this for the next one to begin.</summary>
    private static readonly TimeSpan LongestPause = FromSeconds(10);

    /// <summary>In UTC: applications may have Npgsql refuse other times.</summary>
    private static readonly DateTime Beginning = DateTime.SpecifyKind(DateTime.MinValue, DateTimeKind.Utc);

    private readonly Lock _gate = new();
    private DateTime _position = Beginning;
    private long _descents;
    private int _fullPolls;
    private long _lastFullPoll = time.GetTimestamp();
    private TimeSpan _pause;

    /// <summary>From where the next claim polls.</summary>
    /// <param name="full">From the very beginning, whatever the last full poll was.</param>
    /// <returns>A poll to call <see cref="Ended"/> with, whatever becomes of the claim.</returns>
    public Poll Next(bool full = false)
    {
        lock (_gate)
        {
            var now = time.GetTimestamp();
            if (!full && (_fullPolls > 0 || time.GetElapsedTime(_lastFullPoll, now) < _pause))
                return new Poll(_position, _descents, IsFull: false, now);
            _fullPolls++;
            return new Poll(Beginning, _descents, IsFull: true, now);
        }
    }

    /// <summary>To be called once for each poll.</summary>
    /// <param name="answered">False when it failed, which says nothing about what polls cost.</param>
    public void Ended(Poll poll, bool answered)
    {
        if (!poll.IsFull)
            return;
        lock (_gate)
        {
            _fullPolls--;
            _lastFullPoll = time.GetTimestamp();
            var pause = answered ? time.GetElapsedTime(poll.Began, _lastFullPoll) * PauseAfterFullPoll : TimeSpan.Zero;
            _pause = FromTicks(Math.Clamp(pause.Ticks, FullPollInterval.Ticks, LongestPause.Ticks));
        }
    }

    /// <summary>What a claim took is committed.</summary>
    /// <param name="now">The server's clock at the claim.</param>
    /// <param name="filled">Whether it left something that was due, for want of room in its batch.</param>
    public void Committed(Poll poll, DateTime newest, DateTime now, bool filled)
    {
        var reached = Below(newest);
        lock (_gate)
        {
            if (poll.IsFull)
                Descend(filled ? reached : Below(now));
            // A claim that began above what has been found since does not know of it.
            else if (poll.Descents != _descents)
                return;
            if (reached > _position)
                _position = reached;
        }
    }

    private void Descend(DateTime position)
    {
        if (position >= _position)
            return;
        _position = position;
        _descents++;
    }

    private static DateTime Below(DateTime due) => due - Beginning > Slack ? due - Slack : Beginning;

    /// <summary>Where a claim polls.</summary>
    /// <param name="Descents">How often the position had been lowered.</param>
    /// <param name="IsFull">Everything that is due is in its sight.</param>
    /// <param name="Began">Timestamp of this process at its start.</param>
    public readonly record struct Poll(DateTime From, long Descents, bool IsFull, long Began);
}
