namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// From where a claim polls. Nothing that is due lies far below the last claim, except what was committed late or
/// passed over; a full poll about once a second finds that. In between the scan starts a little below the newest due
/// time that was claimed, and so leaves out the dead entries at the head of the index.
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

    /// <summary>Full polls that take long take a sixth of the time at most.</summary>
    private const int PauseAfterFullPoll = 5;

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
    /// <returns>Is to be <see cref="Ended"/>, whatever becomes of the claim.</returns>
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

    /// <summary>The server has answered the poll, or failed. Each poll ends once.</summary>
    public void Ended(Poll poll)
    {
        if (!poll.IsFull)
            return;
        lock (_gate)
        {
            _fullPolls--;
            _lastFullPoll = time.GetTimestamp();
            var pause = time.GetElapsedTime(poll.Began, _lastFullPoll) * PauseAfterFullPoll;
            _pause = pause > FullPollInterval ? pause : FullPollInterval;
        }
    }

    /// <summary>What a claim took is committed.</summary>
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
    /// <param name="From">The due time from which on; the minimum for a full poll.</param>
    /// <param name="Descents">How often the position had been lowered.</param>
    /// <param name="IsFull">Everything that is due is in its sight.</param>
    /// <param name="Began">By the clock of this process.</param>
    public readonly record struct Poll(DateTime From, long Descents, bool IsFull, long Began);
}
