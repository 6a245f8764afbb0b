namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Which buckets may have something that is due: what this object has written or left there, and what it has seen by a look at all of
/// them. Callers that share it get the one that has waited for longest, and each another. All it knows may be outdated: a bucket that
/// is taken in vain costs an empty claim, and one that nobody takes is found by the next look.
/// </summary>
internal sealed class BucketTurns(Buckets buckets, TimeProvider time)
{
    /// <summary>What other processes write while this one has enough to do of its own waits no longer.</summary>
    private static readonly TimeSpan LookInterval = FromSeconds(1);

    private static readonly TimeSpan LongestWait = FromDays(1);

    /// <summary>
    /// A search asks every bucket, which on a busy machine takes tens of milliseconds. Where it can be put off, workers spend at most a
    /// sixth of the time on searches.
    /// </summary>
    private const int PauseAfterLook = 5;

    private readonly Lock _gate = new();

    /// <summary>Since when something is due in each bucket, by the clock of this process; the maximum for none.</summary>
    private readonly long[] _dueSince = [.. Enumerable.Repeat(long.MaxValue, buckets.Count)];

    /// <summary>When the next will be due in each bucket; the maximum for none.</summary>
    private readonly long[] _next = [.. Enumerable.Repeat(long.MaxValue, buckets.Count)];

    /// <summary>Where this process has left something that is due, which others do not know yet.</summary>
    private readonly bool[] _unannounced = new bool[buckets.Count];

    /// <summary>Where it has done so since it took the bucket: its claim may not have seen that.</summary>
    private readonly bool[] _leftSinceTaken = new bool[buckets.Count];

    private readonly HintDelay[] _hintDelays = [.. buckets.All.Select(_ => new HintDelay(time))];

    /// <summary>When to follow a hint of another process in each bucket; the maximum for none.</summary>
    private readonly long[] _hinted = [.. Enumerable.Repeat(long.MaxValue, buckets.Count)];

    private int _looks;
    private TimeSpan _pause;

    /// <summary>When the last look began; null when the next turn is to look.</summary>
    private long? _lastLook;

    public Buckets Buckets => buckets;

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
                return Until(_next.Min());
        }
    }

    /// <summary>Something that is due may be there.</summary>
    public void MayBeDue(short bucket)
    {
        lock (_gate)
            MarkDue(buckets.IndexOf(bucket));
    }

    /// <summary>
    /// Another process has left something there that is due. All processes hear of it, and one finds it. Each learns for each bucket how
    /// late to follow: so the buckets are shared out among the processes, and each claims where it has found something.
    /// </summary>
    public void Heard(short bucket)
    {
        var index = buckets.IndexOf(bucket);
        lock (_gate)
        {
            var delay = _hintDelays[index].Heard();
            _hinted[index] = Math.Min(_hinted[index], time.GetTimestamp() + Ticks(delay.TotalSeconds));
        }
    }

    /// <summary>This process has left something there that is due.</summary>
    public void Left(short bucket)
    {
        var index = buckets.IndexOf(bucket);
        lock (_gate)
        {
            MarkDue(index);
            _unannounced[index] = true;
            _leftSinceTaken[index] = true;
        }
    }

    /// <summary>This process has left something that is due, and does not know where.</summary>
    public void LeftAnywhere()
    {
        foreach (var bucket in buckets.All)
            Left(bucket);
    }

    /// <summary>The buckets that others have to know of; each is given once.</summary>
    public List<short> TakeUnannounced()
    {
        lock (_gate)
        {
            List<short> unannounced = [.. buckets.All.Where((_, index) => _unannounced[index])];
            Array.Clear(_unannounced);
            return unannounced;
        }
    }

    /// <summary>Something may be due in any bucket: the next turn looks first.</summary>
    public void LookNext()
    {
        lock (_gate)
            _lastLook = null;
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
        var bucket = buckets.Of(signal.InstanceId);
        if (signal.Due.IsNow)
        {
            Left(bucket);
            return;
        }

        var delay = signal.Due.At is { } at ? at - time.GetUtcNow() : signal.Due.Delay;
        var index = buckets.IndexOf(bucket);
        lock (_gate)
            _next[index] = Math.Min(_next[index], time.GetTimestamp() + Ticks(delay.TotalSeconds));
    }

    /// <summary>Gives the bucket that has waited for longest with something that may be due, to one caller.</summary>
    public bool TryTake(out short bucket)
    {
        lock (_gate)
        {
            var now = time.GetTimestamp();
            for (var i = 0; i < _next.Length; i++)
            {
                _dueSince[i] = Math.Min(_dueSince[i], Reached(ref _next[i], now));
                _dueSince[i] = Math.Min(_dueSince[i], Reached(ref _hinted[i], now));
            }

            var oldest = _dueSince.Min();
            bucket = default;
            if (oldest == long.MaxValue)
                return false;
            var index = Array.IndexOf(_dueSince, oldest);
            _dueSince[index] = long.MaxValue;
            _hinted[index] = long.MaxValue;
            _leftSinceTaken[index] = false;
            bucket = buckets.All[index];
            return true;
        }
    }

    /// <summary>Takes from one bucket after the other until there is something; looks at all of them when none is known.</summary>
    /// <param name="lookAsync">Looks at all buckets, over the node of the one that it is given.</param>
    /// <param name="takeAsync">Takes from a bucket; null when it has nothing, with no open transaction.</param>
    /// <param name="lookFirst">Whether to look before anything is taken, however short a time ago the last look was.</param>
    /// <param name="mayPutOff">Whether a look may be put off until some time has passed since the last one.</param>
    public async Task<ProcessOutcome> TakeAsync(
        Func<short, Task<IReadOnlyList<BucketSeen>>> lookAsync,
        Func<short, Task<ProcessOutcome?>> takeAsync,
        bool lookFirst,
        bool mayPutOff
    )
    {
        var hasLooked = await LookAsync(lookAsync, lookFirst ? TimeSpan.Zero : LookInterval).ConfigureAwait(false);
        while (true)
        {
            while (TryTake(out var bucket))
            {
                if (await TakeFromAsync(bucket, takeAsync).ConfigureAwait(false) is { } taken)
                    return taken;
            }

            if (hasLooked)
                return new ProcessOutcome(0, NextDue: NextDue);
            if (mayPutOff && NextHint is { } hint)
                return new ProcessOutcome(0, NextDue: hint) { IsPutOff = true };
            hasLooked = await LookAsync(lookAsync, mayPutOff ? Pause : TimeSpan.Zero).ConfigureAwait(false);
            if (!hasLooked)
                return new ProcessOutcome(0, NextDue: UntilLook) { IsPutOff = true };
        }
    }

    private TimeSpan Pause
    {
        get
        {
            lock (_gate)
                return _pause;
        }
    }

    /// <summary>How long until a hint is followed, left to the other processes until then; null for none.</summary>
    private TimeSpan? NextHint
    {
        get
        {
            lock (_gate)
                return Until(_hinted.Min());
        }
    }

    /// <summary>How long until a look that was put off, or until the next is due if that comes first.</summary>
    private TimeSpan? UntilLook
    {
        get
        {
            lock (_gate)
                return Until(_lastLook is { } last ? Math.Min(last + Ticks(_pause.TotalSeconds), _next.Min()) : time.GetTimestamp());
        }
    }

    private async Task<ProcessOutcome?> TakeFromAsync(short bucket, Func<short, Task<ProcessOutcome?>> takeAsync)
    {
        try
        {
            var outcome = await takeAsync(bucket).ConfigureAwait(false);
            Claimed(buckets.IndexOf(bucket), found: outcome is not null);
            return outcome;
        }
        catch
        {
            // It is as it was.
            MayBeDue(bucket);
            throw;
        }
    }

    private void Claimed(int index, bool found)
    {
        lock (_gate)
        {
            if (found)
            {
                _unannounced[index] &= _leftSinceTaken[index];
                _hintDelays[index].Found();
            }
            else
            {
                _hintDelays[index].FoundNothing();
            }
        }
    }

    /// <summary>Looks at all buckets, unless the last look is a shorter time ago.</summary>
    /// <returns>Whether it looked.</returns>
    private async Task<bool> LookAsync(Func<short, Task<IReadOnlyList<BucketSeen>>> lookAsync, TimeSpan after)
    {
        var now = time.GetTimestamp();
        lock (_gate)
        {
            if (_lastLook is { } last && time.GetElapsedTime(last, now) < after)
                return false;
            _lastLook = now;
        }

        try
        {
            // Every node answers, so that the work of looks is shared out.
            var way = buckets.All[(int)((uint)Interlocked.Increment(ref _looks) % buckets.Count)];
            var all = await lookAsync(way).ConfigureAwait(false);
            lock (_gate)
            {
                foreach (var seen in all)
                    Seen(seen, now);
                _pause = time.GetElapsedTime(now) * PauseAfterLook;
            }
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            // One node that is lost fails the look, which asks all. Each bucket is asked by itself until the next look: those of other
            // nodes answer, and the error of one that does not is the caller's.
            foreach (var bucket in buckets.All)
                MayBeDue(bucket);
        }

        return true;
    }

    private void Seen(BucketSeen seen, long now)
    {
        var index = buckets.IndexOf(seen.Bucket);
        if (seen.DueFor is { } age)
            _dueSince[index] = Math.Min(_dueSince[index], now - Ticks(age));
        _next[index] = seen.NextIn is { } wait ? now + Ticks(wait) : long.MaxValue;
    }

    /// <summary>A time that has come, which is then forgotten; the maximum for none.</summary>
    private static long Reached(ref long at, long now)
    {
        if (at > now)
            return long.MaxValue;
        var reached = at;
        at = long.MaxValue;
        return reached;
    }

    private TimeSpan? Until(long at)
    {
        var now = time.GetTimestamp();
        return at == long.MaxValue ? null : time.GetElapsedTime(now, Math.Max(now, at));
    }

    private void MarkDue(int index) => _dueSince[index] = Math.Min(_dueSince[index], time.GetTimestamp());

    private long Ticks(double seconds) => (long)(Math.Clamp(seconds, 0, LongestWait.TotalSeconds) * time.TimestampFrequency);
}
