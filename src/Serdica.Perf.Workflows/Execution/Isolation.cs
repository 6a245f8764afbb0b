namespace Serdica.Perf.Workflows;

/// <summary>
/// Finds the instance that makes claims fail, and keeps it from its batch mates. Shared by the workers of a host.
/// </summary>
/// <remarks>
/// <para>
/// All instances of a batch that failed are suspects. A claim with suspects decides at most half as many of them as failed
/// together, and puts everything else back as it was; so the group halves until one fails alone, twice.
/// That one is put off with a growing delay, and tried again alone, each time after what came meanwhile: a claim that takes longer
/// than the delay must not always meet it first.
/// </para>
/// <para>
/// Whether it is the instance or the database that fails is seen by the others: only where other instances could be
/// written since the first failure, one that has used up its tries is given up (<see cref="Treatment.GiveUp"/>).
/// </para>
/// <para>
/// A transient failure, such as a timeout or a lost connection, is weaker evidence: it puts an instance off only where others could be
/// written, and it never makes the engine give an instance up.
/// </para>
/// <para>
/// What it knows is lost with the process, which costs the next one the same few failures. It is not shared with other hosts
/// either: one of them may hand a later signal to an instance whose earlier ones are put off here.
/// </para>
/// </remarks>
/// <param name="longestTry">After that time a claim has ended, whether it succeeded or not.</param>
internal sealed class Isolation(RetryPolicy retry, TimeProvider time, TimeSpan longestTry)
{
    /// <summary>A bound for what is remembered of instances that never come again.</summary>
    private const int MaxSuspects = 10_000;

    private readonly Lock _gate = new();
    private readonly Dictionary<Guid, Suspect> _suspects = [];
    private volatile bool _hasSuspects;
    private long _commits;
    private bool _othersAreNext;

    /// <summary>
    /// Whether the next claim needs a full poll. Signals of suspects, and of others beside them, that were undone or put back may be older
    /// than what a claim otherwise reads. Suspects that were put off become due by themselves; if one does not, a full poll shows
    /// that it is gone.
    /// </summary>
    public bool NeedsFullPoll
    {
        get
        {
            if (!_hasSuspects)
                return false;
            lock (_gate)
                return _othersAreNext || _suspects.Values.Any(suspect => suspect.IsStored && MayBeGone(suspect));
        }
    }

    /// <summary>Whether the instance has failed, or was in a batch that has, and no worker has written it since.</summary>
    public bool IsSuspect(Guid instanceId)
    {
        if (!_hasSuspects)
            return false;
        lock (_gate)
            return _suspects.ContainsKey(instanceId);
    }

    /// <summary>Whether a handler of this instance held its thread for too long.</summary>
    public bool TookTooLong(Guid instanceId)
    {
        lock (_gate)
            return _suspects.TryGetValue(instanceId, out var suspect) && suspect.Refusal is { IsCertain: true };
    }

    /// <summary>What is done with each claimed instance; <see langword="null"/>: all are decided.</summary>
    public Treatment[]? Choose(IReadOnlyList<ClaimedInstance> claimed)
    {
        if (!_hasSuspects)
            return null;
        lock (_gate)
        {
            var suspects = new Suspect?[claimed.Count];
            for (var i = 0; i < claimed.Count; i++)
            {
                suspects[i] = _suspects.GetValueOrDefault(claimed[i].Instance.Id);
                suspects[i]?.Meet(time);
            }

            if (Array.TrueForAll(suspects, static suspect => suspect is null))
            {
                _othersAreNext = false;
                return null;
            }

            // Only one kind at a time, or a failure would not say which one it is of.
            return Pick(suspects, Treatment.PutOff, claimed.Count)
                ?? PickOthers(suspects)
                ?? Pick(suspects, Treatment.GiveUp, 1)
                ?? Pick(suspects, Treatment.Decide, most: null)
                ?? PutOffWaiting(suspects);
        }
    }

    /// <summary>How long the signals of an instance that is put off are to wait.</summary>
    public TimeSpan DelayOf(Guid instanceId)
    {
        lock (_gate)
        {
            var suspect = _suspects[instanceId];
            return suspect.RetryAt is { } at && time.GetElapsedTime(time.GetTimestamp(), at) is var left && left > TimeSpan.Zero
                ? left
                : retry.DelayAfter(suspect.Tries + 1, 0);
        }
    }

    /// <summary>Why an instance is given up.</summary>
    public Refusal RefusalOf(Guid instanceId)
    {
        lock (_gate)
            return _suspects[instanceId].Refusal!;
    }

    /// <summary>The transaction of a batch was undone by an error that one of its instances may have caused.</summary>
    /// <param name="areStored">False for signals that were being decided directly, which no claim need ever meet.</param>
    /// <returns>Whether the next claim will be another one: the group has become smaller, or a culprit is put off.</returns>
    public bool Failed(
        IReadOnlyList<ClaimedInstance> claimed,
        Treatment[]? treatments,
        Refusal refusal,
        out Culprit? culprit,
        bool areStored = true
    )
    {
        culprit = null;
        lock (_gate)
        {
            var tried = claimed
                .Where((_, i) => (treatments?[i] ?? Treatment.Decide) is Treatment.Decide or Treatment.GiveUp)
                .Select(static instance => instance.Instance.Id)
                .ToList();
            if (_suspects.Count > MaxSuspects)
                _suspects.Clear();
            _hasSuspects |= tried.Count > 0;
            foreach (var id in tried)
            {
                if (!_suspects.TryGetValue(id, out var suspect))
                    _suspects.Add(id, suspect = new Suspect(_commits));
                if (areStored)
                    suspect.Meet(time);
                suspect.Group = Math.Max(1, tried.Count / 2);
                suspect.Refusal = refusal;
            }

            if (tried.Count != 1)
                return tried.Count > 0;
            var alone = _suspects[tried[0]];
            if (++alone.FailuresAlone < 2 && !refusal.IsCertain)
                return !refusal.MayPass;
            _othersAreNext = true;
            if (refusal.MayPass && _commits <= alone.CommitsBefore)
                return false;
            var givesUp =
                !refusal.MayPass
                && alone.Next != Treatment.GiveUp
                && alone.Refusals + 1 >= retry.MaxAttempts
                && (refusal.IsCertain || _commits > alone.CommitsBefore);
            alone.Next = givesUp ? Treatment.GiveUp : Treatment.PutOff;
            alone.RetryAt = null;
            culprit = new Culprit(tried[0], alone.Tries + 1);
            return true;
        }
    }

    /// <summary>The transaction of a batch was committed.</summary>
    public void Committed(IReadOnlyList<ClaimedInstance> claimed, Treatment[]? treatments)
    {
        if (treatments is null)
        {
            Interlocked.Increment(ref _commits);
            return;
        }

        lock (_gate)
        {
            for (var i = 0; i < claimed.Count; i++)
            {
                var id = claimed[i].Instance.Id;
                switch (treatments[i])
                {
                    case Treatment.PutOff when _suspects.TryGetValue(id, out var suspect):
                        suspect.Wait(time, retry);
                        break;
                    case Treatment.Decide or Treatment.GiveUp:
                        _suspects.Remove(id);
                        _commits++;
                        break;
                }
            }

            _hasSuspects = _suspects.Count > 0;
        }
    }

    /// <summary>
    /// To be called after a look at everything that is due, oldest first. It forgets the suspects that the look did not meet: other
    /// hosts have handled them, unless a worker of this host may hold them, or they were put off and may not be due.
    /// </summary>
    public void ForgetIdle()
    {
        lock (_gate)
        {
            foreach (var (id, suspect) in _suspects)
            {
                if (MayBeGone(suspect) && time.GetElapsedTime(suspect.SeenAt) > longestTry)
                    _suspects.Remove(id);
            }

            _hasSuspects = _suspects.Count > 0;
        }
    }

    /// <summary>Whether it was not put off, or its next try has been due for a long time.</summary>
    private bool MayBeGone(Suspect suspect) =>
        suspect.RetryAt is not { } at || time.GetElapsedTime(at) > longestTry + retry.MaxDelay;

    /// <summary>
    /// Picks suspects of one kind: those of the smallest group first, and those that have failed alone last. So nobody waits for one that
    /// fails repeatedly, and the others show whether the database is at fault. Everything else is put back.
    /// </summary>
    /// <param name="suspects">In the order of the claim; null for each instance that is none.</param>
    /// <param name="most">How many; without it, the size of the smallest group.</param>
    private Treatment[]? Pick(Suspect?[] suspects, Treatment kind, int? most)
    {
        var all = Enumerable
            .Range(0, suspects.Length)
            .Where(i => suspects[i] is { } suspect && suspect.Next == kind && !suspect.IsWaiting(time))
            .OrderBy(i => suspects[i] is { FailuresAlone: 0 } suspect ? suspect.Group : int.MaxValue)
            .ToList();
        if (all.Count == 0)
            return null;

        // One that is known to fail would fail those that were only beside one that did.
        var hasFailedAlone = suspects[all[0]]!.FailuresAlone > 0;
        var chosen = all.Take(most ?? suspects[all[0]]!.Group)
            .Where(i => most is not null || suspects[i]!.FailuresAlone > 0 == hasFailedAlone)
            .ToList();
        var treatments = new Treatment[suspects.Length];
        Array.Fill(treatments, Treatment.PutBack);
        foreach (var i in chosen)
            treatments[i] = kind;
        return treatments;
    }

    /// <summary>What is no suspect, once for each time that a culprit was put off; null when it is the turn of suspects.</summary>
    private Treatment[]? PickOthers(Suspect?[] suspects)
    {
        if (!_othersAreNext || !suspects.Contains(null))
            return null;
        _othersAreNext = false;

        // They are put back where they were, which may be before what was claimed last.
        foreach (var suspect in suspects)
        {
            if (suspect?.IsWaiting(time) == false)
                suspect.RetryAt = null;
        }

        return PutOffWaiting(suspects);
    }

    /// <summary>
    /// What is no suspect, with the new signals of those that wait for their next try: that these can be put off is known, and
    /// others must not wait for an instance that gets signals faster than it is tried.
    /// </summary>
    private Treatment[] PutOffWaiting(Suspect?[] suspects) => Array.ConvertAll(suspects, suspect => suspect switch
            {
                null => Treatment.Decide,
                _ when suspect.IsWaiting(time) => Treatment.PutOff,
                _ => Treatment.PutBack,
            });

    private sealed class Suspect(long commitsBefore)
    {
        /// <summary>Commits of other instances before its first failure.</summary>
        public long CommitsBefore { get; } = commitsBefore;

        /// <summary>How many may be decided together with it.</summary>
        public int Group { get; set; }

        /// <summary>Timestamp of its last claim by this host.</summary>
        public long SeenAt { get; private set; }

        /// <summary>Signals to it were in a claim.</summary>
        public bool IsStored { get; private set; }

        public int FailuresAlone { get; set; }

        /// <summary>How often it was put off.</summary>
        public int Tries { get; private set; }

        /// <summary>How often it was put off for an error that is not transient.</summary>
        public int Refusals { get; private set; }

        public Treatment Next { get; set; }

        /// <summary>Timestamp before which it is not tried again, whatever signals come; it is put off.</summary>
        public long? RetryAt { get; set; }

        public Refusal? Refusal { get; set; }

        /// <summary>It was put off, and its next try is not due.</summary>
        public bool IsWaiting(TimeProvider time) => RetryAt is { } at && time.GetTimestamp() < at;

        public void Meet(TimeProvider time)
        {
            SeenAt = time.GetTimestamp();
            IsStored = true;
        }

        public void Wait(TimeProvider time, RetryPolicy retry)
        {
            // Signals that came before its next try are put off beside the others: that is no further try, however long it took.
            if (Next != Treatment.PutOff)
                return;
            Tries++;
            if (Refusal is { MayPass: false })
                Refusals++;
            RetryAt = time.GetTimestamp() + (long)(retry.DelayAfter(Tries, 0).TotalSeconds * time.TimestampFrequency);
            Next = Treatment.Decide;
            FailuresAlone = 1;
            Group = 1;
        }
    }
}

/// <summary>What a worker does with a claimed instance.</summary>
internal enum Treatment
{
    Decide,

    /// <summary>Its signals stay as they were: it is the turn of others.</summary>
    PutBack,

    /// <summary>Its signals come again later: it has failed alone.</summary>
    PutOff,

    /// <summary>It has used up its tries: no handler runs, and its signals become dead letters or it faults.</summary>
    GiveUp,
}

/// <summary>Why a batch could not be decided or committed.</summary>
/// <param name="Reason">What its signals become dead letters for, when they are given up.</param>
/// <param name="IsCertain">It is known that this instance is the cause; else it may be the database as a whole.</param>
internal sealed record Refusal(DeadLetterReason Reason, string Detail, bool IsCertain)
{
    /// <summary>Whether a later attempt may succeed, whatever is done with the instance.</summary>
    public bool MayPass { get; init; }
}

/// <summary>An instance that fails alone.</summary>
internal readonly record struct Culprit(Guid InstanceId, int Tries);
