namespace Serdica.Perf.Workflows;

/// <summary>
/// Decides claimed batches for one worker and keeps what is to follow the commit. One instance's trouble is
/// that instance's: it is put off, and its batch mates go on.
/// </summary>
internal sealed class BatchDecider
{
    private readonly WorkflowRegistry _registry;
    private readonly ActivityRunner _activities;
    private readonly HostMemory _memory;
    private readonly bool _filtersDefinitions;
    private readonly bool _isDirect;
    private readonly TurnEnvironment _environment;
    private readonly ILogger _logger;
    private readonly List<Decision> _decisions = [];
    private readonly List<Decision> _ofParents = [];
    private readonly List<Turn> _turns = [];
    private readonly List<TimeSpan> _queueTimes = [];

    /// <summary>
    /// What was put off sets no timer of this host: it would always be the first to meet it again, and a host that can go on
    /// with it the last.
    /// </summary>
    private readonly HashSet<Decision> _putOff = [];

    /// <summary>Guards the places: an abandoned thread may come back at any moment.</summary>
    private readonly Lock _places = new();

    private int _held;
    private int _reserved;
    private volatile bool _isAbandoned;
    private int _reports;
    private long _begunAt;
    private long _decidedAt;
    private DateTimeOffset _databaseNow;
    private IReadOnlyList<ClaimedInstance> _claimed = [];
    private Treatment[]? _treatments;
    private volatile ClaimedInstance? _underway;
    private HashSet<Guid>? _left;

    /// <param name="isDirect">
    /// The signals are not stored yet. An instance in trouble is left undecided then, for the workers, and no place is taken
    /// from activities that wait for one.
    /// </param>
    public BatchDecider(
        WorkflowRegistry registry,
        ActivityRunner activities,
        HostMemory memory,
        BackendCapabilities capabilities,
        WorkflowOptions options,
        TimeProvider time,
        ILogger logger,
        bool isDirect = false
    )
    {
        _isDirect = isDirect;
        _registry = registry;
        _activities = activities;
        _memory = memory;
        _filtersDefinitions = capabilities.FiltersDefinitions;
        _logger = logger;
        _environment = new TurnEnvironment(options, time)
        {
            CanRunActivity = ReserveActivity,
            Registry = registry,
            FindChildren = memory.Children.Find,
        };
    }

    /// <summary>The activities that the decisions of this batch lease to this host.</summary>
    public IEnumerable<LeasedActivity> Leased => _turns.SelectMany(static turn => turn.Leases ?? []);

    /// <summary>The clock's reading before the leases are written.</summary>
    public long DecidedAt => _decidedAt;

    /// <summary>
    /// Instances of this batch stay open, or are continued: what was stored for them while they were held is of use to them, and
    /// workers that looked meanwhile have passed it over.
    /// </summary>
    public bool LeavesInstances => _decisions.Exists(LeavesInstance) || _ofParents.Exists(LeavesInstance);

    /// <inheritdoc cref="IWorker.SignalsPutBack"/>
    public int SignalsPutBack { get; private set; }

    /// <summary>An activity of this batch had to be put back, for all places are taken.</summary>
    public bool FoundNoPlace { get; private set; }

    /// <summary>There was no time for all signals of this batch: the rest was put back and is due.</summary>
    public bool LeftSome { get; private set; }

    /// <summary>Activities of the next batch may use these places, which are taken; the rest is given back with the batch.</summary>
    public void Hold(int places)
    {
        lock (_places)
            _held += places;
    }

    public IReadOnlyList<Decision> Decide(ClaimedBatch batch)
    {
        Clear();
        _claimed = batch.Instances;
        _begunAt = _environment.Time.GetTimestamp();
        _databaseNow = batch.Now;
        _treatments = _isDirect ? null : _memory.Isolation.Choose(batch.Instances);
        for (var i = 0; i < batch.Instances.Count && !_isAbandoned; i++)
        {
            var claimed = batch.Instances[i];
            if (!TryBegin(claimed, isFirst: i == 0))
            {
                _decisions.Add(LeaveForTime(i));
                continue;
            }

            if (Telemetry.QueueTime.Enabled)
                NoteQueueTimes(claimed, batch.Now);
            _decisions.Add(_isDirect ? DecideDirectly(i, batch.Now) : Treat(i, batch.Now));
        }

        _underway = null;
        _decidedAt = _environment.Time.GetTimestamp();
        return _decisions;
    }

    /// <summary>
    /// Decides parents of instances that the batch closes, with the reports of these. The reports to an instance that cannot be
    /// decided here are stored; so are all of them while the batch has suspects, because a failure has to tell which one it is of.
    /// </summary>
    public IReadOnlyList<Decision> DecideParents(ClaimedBatch batch)
    {
        var isSearching = !_isDirect && _treatments is not null;
        var first = _claimed.Count;
        var decided = new HashSet<Guid>();
        _claimed = [.. _claimed, .. batch.Instances];
        if (_treatments is not null)
            Array.Resize(ref _treatments, _claimed.Count);
        for (var i = first; i < _claimed.Count && !_isAbandoned; i++)
        {
            var claimed = _claimed[i];
            var decision = isSearching || !TryBegin(claimed, isFirst: false) ? Leave(i) : DecideDirectly(i, batch.Now);
            _ofParents.Add(decision);
            if (decision.Instance is null)
                continue;
            decided.UnionWith(claimed.Signals.Select(static report => report.Id));
            if (Telemetry.QueueTime.Enabled)
                NoteQueueTimes(claimed, batch.Now);
        }

        _underway = null;
        _reports = decided.Count;
        foreach (var decision in _decisions)
            decision.Sent?.RemoveAll(signal => signal.Kind == SignalKind.ChildClosed && decided.Contains(signal.Id));
        _decidedAt = _environment.Time.GetTimestamp();
        return _ofParents;
    }

    /// <summary>The batch was not committed, or is dealt with: give back what was reserved for it.</summary>
    public void Forget()
    {
        GiveBack(alsoHeld: true);
        Clear();
    }

    /// <summary>Gives the places back at once: a handler holds the thread, perhaps for ever. It decides no other instance.</summary>
    public void Abandon()
    {
        lock (_places)
            _isAbandoned = true;
        GiveBack(alsoHeld: true);
    }

    private void GiveBack(bool alsoHeld)
    {
        int places;
        lock (_places)
        {
            (places, _reserved) = (_reserved, 0);
            if (alsoHeld)
                (places, _held) = (places + _held, 0);
        }

        _activities.Release(places);
    }

    private void Clear()
    {
        GiveBack(alsoHeld: false);
        SignalsPutBack = 0;
        _reports = 0;
        _decisions.Clear();
        _ofParents.Clear();
        foreach (var turn in _turns)
            turn.End();
        _turns.Clear();
        _queueTimes.Clear();
        _claimed = [];
        _treatments = null;
        _putOff.Clear();
        _left = null;
        FoundNoPlace = false;
        LeftSome = false;
    }

    /// <summary>The transaction was undone by an error that one of its instances may have caused.</summary>
    /// <param name="isAbandoned">A handler took too long; its thread still uses this object.</param>
    /// <returns>Whether the next claim is another one than this.</returns>
    public bool Failed(Exception error, bool isAbandoned, CounterSet counters)
    {
        var claimed = _claimed;
        var treatments = _treatments;
        var refusal = new Refusal(DeadLetterReason.Refused, ActivityReport.Describe(error), IsCertain: false)
        {
            MayPass = TimedDecider.MayPass(error),
        };
        var isCulprit = isAbandoned && HoldsThread;
        if (isAbandoned && IsTriedAlone(claimed, treatments) && !isCulprit)
        {
            // It had hardly begun: this process was short of threads. No instance is to blame.
            return false;
        }

        if (isCulprit && _underway is { } underway)
        {
            // Its handler holds the thread, so the instance is known.
            claimed = [underway];
            treatments = null;
            refusal = refusal with { Reason = DeadLetterReason.AttemptsExhausted, IsCertain = true };
            Interlocked.Increment(ref counters.HandlerFailures);
            Telemetry.HandlerFailures.Add(1);
            Log.HandlerFailed(_logger, NameOf(underway.Instance), underway.Instance.Id, error);
        }

        var knowsMore = _memory.Isolation.Failed(claimed, treatments, refusal, out var culprit, areStored: !_isDirect);
        if (culprit is { } alone)
            Log.Isolated(_logger, alone.InstanceId, alone.Tries, refusal.Detail);
        return knowsMore;
    }

    /// <summary>After the commit: runs the leased activities, notifies waiting callers and counts.</summary>
    public void Committed(ClosedInstances closed, WorkHints hints, CounterSet counters)
    {
        foreach (var turn in _turns)
        {
            if (turn.Leases is { } leases)
                Run(leases);
            if (turn.StaleSignals > 0)
                Interlocked.Add(ref counters.StaleSignals, turn.StaleSignals);
            CountFailures(turn, counters);
            if (turn.UnreadChildren is { } unread)
                _memory.Children.Read(unread);
            if (turn.TakenChildren is { } taken)
                _memory.Children.Forget(taken);
        }

        foreach (var time in _queueTimes)
            Telemetry.QueueTime.Record(time.TotalSeconds);
        var age = _environment.Time.GetElapsedTime(_decidedAt);
        var workAdded = false;
        foreach (var decision in _decisions)
            workAdded |= Follow(decision, closed, hints, counters, age);
        foreach (var decision in _ofParents)
            workAdded |= Follow(decision, closed, hints, counters, age);

        for (var i = 0; i < _claimed.Count; i++)
        {
            if (_left is not null)
                _claimed[i].Signals.RemoveAll(signal => _left.Contains(signal.Id));
            if ((_treatments?[i] ?? Treatment.Decide) is Treatment.Decide or Treatment.GiveUp)
                _memory.PutOff.Handled(_claimed[i]);
        }

        _memory.Isolation.Committed(_claimed, _treatments);
        if (SignalsPutBack > 0)
            Interlocked.Add(ref counters.Deferred, SignalsPutBack);
        CountReports(counters);
        Forget();
        if (workAdded)
            hints.WorkAdded();
    }

    /// <returns>Whether something is due at once.</returns>
    private bool Follow(Decision decision, ClosedInstances closed, WorkHints hints, CounterSet counters, TimeSpan age)
    {
        var workAdded = false;
        if (decision.Sent is { } sent && !_putOff.Contains(decision))
        {
            foreach (var signal in sent)
                workAdded |= Arm(hints, signal.Due, age);
        }

        if (decision.DeadLetters is { } letters)
            Count(letters, counters);
        Tell(closed, decision.Instance);
        foreach (var started in CollectionsMarshal.AsSpan(decision.Started))
            Tell(closed, started);
        return workAdded;
    }

    /// <summary>Reports of children that were decided in the commit that would otherwise have stored them.</summary>
    private void CountReports(CounterSet counters)
    {
        if (_reports == 0)
            return;
        Interlocked.Add(ref counters.Signals, _reports);
        Interlocked.Add(ref counters.DirectSignals, _reports);
        Telemetry.Handled.Add(_reports);
    }

    private static bool LeavesInstance(Decision decision) =>
        decision.Instance is { } instance && (!instance.Status.IsClosed() || decision.Continued is not null);

    /// <summary>A time of the database's clock is compared with what that clock showed, for the one of this host may be wrong.</summary>
    private bool Arm(WorkHints hints, Due due, TimeSpan age)
    {
        if (due.At is not { } at)
            return hints.Arm(due, age);
        hints.WorkDueIn(at - _databaseNow - _environment.Time.GetElapsedTime(_begunAt));
        return false;
    }

    private void NoteQueueTimes(ClaimedInstance claimed, DateTimeOffset now)
    {
        foreach (var signal in claimed.Signals)
            _queueTimes.Add(now - signal.Due.Resolve(now));
    }

    private void Run(List<LeasedActivity> leases)
    {
        lock (_places)
            _reserved -= leases.Count;
        foreach (var lease in leases)
            _activities.Run(lease, _decidedAt);
    }

    private void Count(List<DeadLetter> letters, CounterSet counters)
    {
        foreach (var letter in letters)
        {
            Interlocked.Increment(ref counters.DeadLetters);
            Telemetry.DeadLetters.Add(1);
            Log.DeadLettered(_logger, letter.Signal.Id, letter.Signal.Name, letter.Signal.InstanceId, letter.Reason, letter.Detail);
        }
    }

    private static void Tell(ClosedInstances closed, InstanceRecord? instance)
    {
        if (instance is null || !instance.Status.IsClosed())
            return;
        Telemetry.Closed.Add(1);
        closed.Report(instance);
    }

    private void CountFailures(Turn turn, CounterSet counters)
    {
        if (turn.HandlerFailures == 0)
            return;
        Interlocked.Add(ref counters.HandlerFailures, turn.HandlerFailures);
        Telemetry.HandlerFailures.Add(turn.HandlerFailures);
        Log.HandlerFailed(_logger, turn.Definition.ToString(), turn.Context.InstanceId, turn.HandlerError);
    }

    private bool ReserveActivity()
    {
        lock (_places)
        {
            if (_isAbandoned)
                return false;
            if (_held > 0)
            {
                _held--;
            }
            else if (!(_isDirect ? _activities.TryReserveAhead() : _activities.TryReserve()))
            {
                NoteNoPlace();
                return false;
            }

            _reserved++;
            return true;
        }
    }

    private void NoteNoPlace()
    {
        FoundNoPlace = true;
        _activities.IsCrowded = true;
    }

    /// <summary>
    /// Whether the present handler alone has used half of the time limit. One that had just started when the limit passed is not to
    /// blame: handlers before it, of other instances or of its own, used the time.
    /// </summary>
    private bool HoldsThread =>
        _underway is not null && _environment.Time.GetElapsedTime(_environment.CallBegan) >= _environment.Options.DecideTimeout / 2;

    /// <summary>
    /// Begins an instance, unless half of the time limit has passed: what was decided before it must be committed in time. The first
    /// one always begins. An instance whose handler took too long before gets one signal in each turn.
    /// </summary>
    private bool TryBegin(ClaimedInstance claimed, bool isFirst)
    {
        var now = _environment.Time.GetTimestamp();
        var limit = _environment.Options.DecideTimeout;
        if (!isFirst && _environment.Time.GetElapsedTime(_begunAt, now) >= limit / 2)
            return false;
        _environment.CallBegan = now;
        _environment.TurnLimit =
            _treatments is not null && _memory.Isolation.TookTooLong(claimed.Instance.Id) ? TimeSpan.Zero : limit / 4;
        _underway = claimed;
        return true;
    }

    private Decision LeaveForTime(int place)
    {
        var decision = Leave(place);
        if (_isDirect)
            return decision;
        LeftSome = true;
        return PutBack(_claimed[place]);
    }

    private static bool IsTriedAlone(IReadOnlyList<ClaimedInstance> claimed, Treatment[]? treatments) =>
        treatments is null ? claimed.Count == 1 : treatments.Count(static treatment => treatment == Treatment.Decide) == 1;

    private Decision Treat(int place, DateTimeOffset now)
    {
        var claimed = _claimed[place];
        var treatment = _treatments?[place] ?? Treatment.Decide;
        if (treatment != Treatment.PutBack && _memory.PutOff.Arrange(claimed) is { } first)
        {
            Leave(place);
            return PutBehind(claimed, first, now);
        }

        return treatment switch
        {
            Treatment.PutBack => PutBack(claimed),
            Treatment.PutOff => PutOffInOrder(claimed, now),
            Treatment.GiveUp => GiveUp(claimed, now),
            _ => FindsNoPlace(claimed) ? PutBack(claimed) : DecideOne(claimed, now),
        };
    }

    /// <summary>Its signals stay, whatever its treatment was to be.</summary>
    private Decision Leave(int place)
    {
        _treatments ??= new Treatment[_claimed.Count];
        _treatments[place] = Treatment.PutBack;
        return new Decision();
    }

    private Decision DecideDirectly(int place, DateTimeOffset now)
    {
        var claimed = _claimed[place];
        var instance = claimed.Instance;
        if (
            !_memory.Isolation.IsSuspect(instance.Id)
            && !_memory.PutOff.Has(instance.Id)
            && TryFind(instance, out var definition)
            && definition.Steps.Contains(instance.Step)
        )
        {
            try
            {
                // All signals of an instance are decided, or none.
                var turn = Continue(definition, claimed, now);
                if (turn.Left is null)
                    return turn.Decision;
                _turns.RemoveAt(_turns.Count - 1);
                turn.End();
            }
            catch (Exception)
            {
                // Damage to the stored instance: a worker says so, and parks it.
            }
        }

        return Leave(place);
    }

    /// <summary>
    /// What comes to a closed instance is forwarded or dead-lettered, for which no host needs the definition: it may have been retired.
    /// </summary>
    private bool TryFind(InstanceRecord instance, [NotNullWhen(true)] out WorkflowDefinition? definition)
    {
        var (name, version) = (instance.Definition, instance.DefinitionVersion);
        if (!_registry.TryFind(name, version, out definition) && instance.Status.IsClosed())
            definition = new WorkflowDefinition<object>(name, version, [], WorkflowJson.Options);
        return definition is not null;
    }

    private Turn Continue(WorkflowDefinition definition, ClaimedInstance claimed, DateTimeOffset now)
    {
        var turn = definition.ContinueTurn(_environment, claimed, now);
        _turns.Add(turn);
        _memory.Parked.Unpark(claimed.Instance.Id);
        return turn;
    }

    private Decision DecideOne(ClaimedInstance claimed, DateTimeOffset now)
    {
        var instance = claimed.Instance;
        if (!TryFind(instance, out var definition))
            return LeaveToOthers(claimed);
        if (!instance.Status.IsClosed() && !definition.Steps.Contains(instance.Step))
            return Park(claimed, $"the definition has no step '{instance.Step}'; was it renamed without a new version?");

        try
        {
            var turn = Continue(definition, claimed, now);
            if (turn.Left is { } left)
            {
                LeftSome = true;
                SignalsPutBack += left.Count;
                (_left ??= []).UnionWith(left.Select(static signal => signal.Id));
            }

            return turn.Decision;
        }
        catch (Exception e)
        {
            // Handlers' errors are dealt with inside of the turn. This is damage to the stored instance itself.
            return Park(claimed, ActivityReport.Describe(e));
        }
    }

    /// <summary>No handler runs: the database refuses what they decide, or they do not end.</summary>
    private Decision GiveUp(ClaimedInstance claimed, DateTimeOffset now)
    {
        if (!TryFind(claimed.Instance, out var definition))
            return LeaveToOthers(claimed);
        var refusal = _memory.Isolation.RefusalOf(claimed.Instance.Id);
        try
        {
            var turn = definition.GiveUpTurn(_environment, claimed, now, refusal);
            _turns.Add(turn);
            return turn.Decision;
        }
        catch (Exception e)
        {
            return Park(claimed, ActivityReport.Describe(e));
        }
    }

    /// <summary>
    /// This host lacks the definition. Its signals stay as they are, in their order, and later claims leave the definition
    /// alone; where claims can't, they are put off.
    /// </summary>
    private Decision LeaveToOthers(ClaimedInstance claimed)
    {
        var instance = claimed.Instance;
        if (_memory.Unknown.Add(new DefinitionVersion(instance.Definition, instance.DefinitionVersion)))
            Log.UnknownDefinition(_logger, NameOf(instance), instance.Id);
        return _filtersDefinitions ? PutBack(claimed) : PutOff(claimed, _memory.Parked.Park(instance.Id, out _));
    }

    private Decision Park(ClaimedInstance claimed, string reason)
    {
        var delay = _memory.Parked.Park(claimed.Instance.Id, out var isFirst);
        if (isFirst)
            Log.Parked(_logger, claimed.Instance.Id, NameOf(claimed.Instance), delay.TotalMilliseconds, reason);
        var decision = PutOff(claimed, delay);
        Mark(claimed.Instance, reason, decision);
        return decision;
    }

    /// <summary>For the census, once; the next turn of a host that can continue the instance removes the mark.</summary>
    private static void Mark(InstanceRecord instance, string reason, Decision decision)
    {
        if (instance.Status.IsClosed() || (instance.Waits & WaitKinds.Parked) != 0)
            return;
        decision.Instance = instance with { Waits = instance.Waits | WaitKinds.Parked, Error = StoredText.Clean(reason) };
        decision.ExpectedVersion = instance.Version;
    }

    /// <summary>
    /// An activity waits for a place, and this host has none: its instance stays as it is. While a failure is being searched for it is
    /// decided and written all the same, for only that clears it of suspicion.
    /// </summary>
    private bool FindsNoPlace(ClaimedInstance claimed)
    {
        if (_treatments is not null || claimed.Signals is not [{ Kind: SignalKind.Activity }] || _held > 0 || _activities.FreePlaces > 0)
            return false;
        NoteNoPlace();
        return true;
    }

    /// <summary>The signals come again as they were: the same due time, so the same order.</summary>
    private Decision PutBack(ClaimedInstance claimed)
    {
        SignalsPutBack += claimed.Signals.Count;
        return new Decision { Sent = [.. claimed.Signals] };
    }

    private Decision PutOff(ClaimedInstance claimed, TimeSpan delay) => PutOff(claimed, Due.After(delay));

    /// <summary>They come again later, in the order in which they came, before whatever comes until then.</summary>
    private Decision PutOffInOrder(ClaimedInstance claimed, DateTimeOffset now)
    {
        var id = claimed.Instance.Id;
        return PutOff(claimed, Due.AtTime(_memory.PutOff.PutOff(id, claimed.Signals, now, _memory.Isolation.DelayOf(id))));
    }

    private Decision PutOff(ClaimedInstance claimed, Due due)
    {
        var decision = SendAgain(claimed, 0, due);
        _putOff.Add(decision);
        return decision;
    }

    /// <summary>Those that would overtake others come again after them; the rest stays as it was.</summary>
    private Decision PutBehind(ClaimedInstance claimed, int first, DateTimeOffset now)
    {
        var due = _memory.PutOff.PutOff(claimed.Instance.Id, claimed.Signals[first..], now, TimeSpan.Zero);
        return SendAgain(claimed, first, Due.AtTime(due));
    }

    private Decision SendAgain(ClaimedInstance claimed, int first, Due due)
    {
        SignalsPutBack += claimed.Signals.Count;
        return new Decision { Sent = [.. claimed.Signals.Select((signal, i) => i < first ? signal : signal with { Due = due })] };
    }

    private static string NameOf(InstanceRecord instance) => $"{instance.Definition} v{instance.DefinitionVersion}";
}
