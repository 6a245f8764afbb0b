using Npgsql;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Which buckets may have something that is due: what this object has written or left there, and what it has seen by a look at all of
/// them. Callers that share it get the one that has waited for longest, and each another. All it knows may be outdated: a bucket that
/// is taken in vain costs an empty claim, and one that nobody takes is found by the next look.
/// </summary>
/// <param name="buckets">Of the schema.</param>
/// <param name="time">The clock of this process.</param>
internal sealed class BucketTurns(Buckets buckets, TimeProvider time)
{
    /// <summary>What other processes write while this one has enough to do of its own waits no longer.</summary>
    private static readonly TimeSpan LookInterval = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan LongestWait = TimeSpan.FromDays(1);

    private readonly Lock _gate = new();

    /// <summary>Since when something is due in each bucket, by the clock of this process; the maximum for none.</summary>
    private readonly long[] _dueSince = [.. Enumerable.Repeat(long.MaxValue, buckets.Count)];

    /// <summary>When the next will be due in each bucket; the maximum for none.</summary>
    private readonly long[] _next = [.. Enumerable.Repeat(long.MaxValue, buckets.Count)];

    private int _looks;
    private long _lastLook = time.GetTimestamp() - (2 * time.TimestampFrequency);

    public Buckets Buckets => buckets;

    /// <summary>The last look was long ago.</summary>
    public bool NeedLook
    {
        get
        {
            lock (_gate)
                return time.GetElapsedTime(_lastLook) >= LookInterval;
        }
    }

    /// <summary>Whether a turn may find something.</summary>
    public bool HasDue
    {
        get
        {
            lock (_gate)
                return _dueSince.Min() < long.MaxValue;
        }
    }

    /// <summary>How long until the next is due that the last look has seen; null for none.</summary>
    public TimeSpan? NextDue
    {
        get
        {
            lock (_gate)
            {
                var (now, next) = (time.GetTimestamp(), _next.Min());
                return next == long.MaxValue ? null : time.GetElapsedTime(now, Math.Max(now, next));
            }
        }
    }

    /// <summary>Something that is due may be there.</summary>
    public void MayBeDue(short bucket)
    {
        var index = buckets.IndexOf(bucket);
        lock (_gate)
            _dueSince[index] = Math.Min(_dueSince[index], time.GetTimestamp());
    }

    /// <summary>Signals that decisions have sent may be due.</summary>
    public void Sent(IEnumerable<Decision> decisions)
    {
        foreach (var decision in decisions)
            decision.Sent?.ForEach(Sent);
    }

    /// <summary>Those of published signals that were not decided may be due.</summary>
    public void Sent(List<Receiver> receivers)
    {
        foreach (var receiver in receivers)
        {
            if (!receiver.Submission.IsDecided)
                Sent(receiver.Signal);
        }
    }

    private void Sent(Signal signal)
    {
        if (signal.Due.IsNow)
            MayBeDue(buckets.Of(signal.InstanceId));
    }

    /// <summary>Gives the bucket that has waited for longest with something that may be due, to one caller.</summary>
    public bool TryTake(out short bucket)
    {
        lock (_gate)
        {
            var oldest = _dueSince.Min();
            var index = Array.IndexOf(_dueSince, oldest);
            _dueSince[index] = long.MaxValue;
            bucket = buckets.All[index];
            return oldest < long.MaxValue;
        }
    }

    /// <summary>Takes from one bucket after the other until there is something; looks at all of them when none is known.</summary>
    /// <param name="connections">Lend the sessions.</param>
    /// <param name="look">The statement that looks.</param>
    /// <param name="lookFirst">Whether to look before anything is taken.</param>
    /// <param name="takeAsync">Takes from a bucket, over a session of its node; null when it has nothing, with no open transaction.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public async Task<ProcessOutcome> TakeAsync(
        PostgreSqlConnections connections,
        Func<PostgreSqlStatements, NpgsqlBatchCommand> look,
        bool lookFirst,
        Func<PostgreSqlSession, short, Task<ProcessOutcome?>> takeAsync,
        CancellationToken cancellationToken
    )
    {
        for (var looks = lookFirst; ; looks = true)
        {
            if (looks)
            {
                // Every node answers, so the loss of one, be it the coordinator, holds up a part of the looks.
                var way = buckets.All[(int)((uint)Interlocked.Increment(ref _looks) % buckets.Count)];
                await connections
                    .ClaimAsync(way, session => LookAsync(session, look(session.Statements), cancellationToken), cancellationToken)
                    .ConfigureAwait(false);
            }

            while (TryTake(out var bucket))
            {
                try
                {
                    var outcome = await connections
                        .ClaimAsync(bucket, session => takeAsync(session, bucket), cancellationToken)
                        .ConfigureAwait(false);
                    if (outcome is { } taken)
                        return taken;
                }
                catch
                {
                    // It is as it was.
                    MayBeDue(bucket);
                    throw;
                }
            }

            if (looks)
                return new ProcessOutcome(0, NextDue: NextDue);
        }
    }

    /// <summary>Looks at all buckets.</summary>
    /// <param name="session">Without an open transaction.</param>
    /// <param name="look">For what.</param>
    /// <param name="cancellationToken">Ends the look.</param>
    private async Task<bool> LookAsync(PostgreSqlSession session, NpgsqlBatchCommand look, CancellationToken cancellationToken)
    {
        var now = time.GetTimestamp();
        var batch = session.FirstBatch();
        batch.BatchCommands.Add(look);
        var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (reader.ConfigureAwait(false))
        {
            await session.SkipPinsAsync(reader, cancellationToken).ConfigureAwait(false);
            while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                Seen(buckets.IndexOf(reader.GetInt16(0)), Seconds(reader, 1), Seconds(reader, 2), now);
        }

        lock (_gate)
            _lastLook = now;
        return true;
    }

    private void Seen(int index, double? dueFor, double? nextIn, long now)
    {
        lock (_gate)
        {
            if (dueFor is { } age)
                _dueSince[index] = Math.Min(_dueSince[index], now - Ticks(age));
            _next[index] = nextIn is { } wait ? now + Ticks(wait) : long.MaxValue;
        }
    }

    private long Ticks(double seconds) => (long)(Math.Clamp(seconds, 0, LongestWait.TotalSeconds) * time.TimestampFrequency);

    private static double? Seconds(NpgsqlDataReader reader, int column) => reader.IsDBNull(column) ? null : reader.GetDouble(column);
}
