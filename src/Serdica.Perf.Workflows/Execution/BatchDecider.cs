using Microsoft.Extensions.Logging;

namespace Serdica.Perf.Workflows;

/// <summary>
/// Decides claimed batches for one worker and keeps what is to follow the commit. One instance's trouble is
/// that instance's: it is put off, and its batch mates go on.
/// </summary>
internal sealed class BatchDecider
{
    private readonly WorkflowRegistry _registry;
    private readonly ActivityRunner _activities;
    private readonly TurnEnvironment _environment;
    private readonly ILogger _logger;
    private readonly List<Decision> _decisions = [];
    private readonly List<Turn> _turns = [];
    private readonly List<TimeSpan> _queueTimes = [];
    private int _reserved;
    private int _deferred;
    private long _decidedAt;

    public BatchDecider(
        WorkflowRegistry registry, ActivityRunner activities, WorkflowOptions options, TimeProvider time, ILogger logger)
    {
        _registry = registry;
        _activities = activities;
        _logger = logger;
        _environment = new TurnEnvironment(options, time) { CanRunActivity = ReserveActivity, Registry = registry };
    }

    /// <summary>The instances that the decisions of this batch close.</summary>
    public IEnumerable<Guid> Closing => _decisions
        .SelectMany(static decision => (decision.Started ?? []).Append(decision.Instance))
        .Where(static instance => instance is not null && instance.Status.IsClosed())
        .Select(static instance => instance!.Id);

    public IReadOnlyList<Decision> Decide(ClaimedBatch batch)
    {
        Forget();
        foreach (var claimed in batch.Instances)
        {
            if (Telemetry.QueueTime.Enabled)
                NoteQueueTimes(claimed, batch.Now);
            _decisions.Add(DecideOne(claimed, batch.Now));
        }

        _decidedAt = _environment.Time.GetTimestamp();
        return _decisions;
    }

    /// <summary>The batch was not committed, or is dealt with: give back what was reserved for it.</summary>
    public void Forget()
    {
        _activities.Release(_reserved);
        _reserved = 0;
        _deferred = 0;
        _decisions.Clear();
        foreach (var turn in _turns)
            turn.End();
        _turns.Clear();
        _queueTimes.Clear();
    }

    /// <summary>After the commit: runs the leased activities, tells waiting callers, counts.</summary>
    public void Committed(ClosedInstances closed, WorkHints hints, CounterSet counters)
    {
        foreach (var turn in _turns)
        {
            if (turn.Leases is { } leases)
                Run(leases);
            if (turn.StaleSignals > 0)
                Interlocked.Add(ref counters.StaleSignals, turn.StaleSignals);
            CountFailures(turn, counters);
        }

        foreach (var time in _queueTimes)
            Telemetry.QueueTime.Record(time.TotalSeconds);
        var age = _environment.Time.GetElapsedTime(_decidedAt);
        var workAdded = false;
        foreach (var decision in _decisions)
        {
            if (decision.Sent is { } sent)
            {
                foreach (var signal in sent)
                    workAdded |= hints.Arm(signal.Due, age);
            }

            if (decision.DeadLetters is { } letters)
                Count(letters, counters);
            Tell(closed, decision.Instance);
            if (decision.Started is { } started)
                Tell(closed, started);
        }

        if (_deferred > 0)
            Interlocked.Add(ref counters.Deferred, _deferred);
        Forget();
        if (workAdded)
            hints.WorkAdded();
    }

    private void NoteQueueTimes(ClaimedInstance claimed, DateTimeOffset now)
    {
        foreach (var signal in claimed.Signals)
            _queueTimes.Add(now - signal.Due.Resolve(now));
    }

    private void Run(List<LeasedActivity> leases)
    {
        foreach (var lease in leases)
        {
            _reserved--;
            _activities.Run(lease, _decidedAt);
        }
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

    private static void Tell(ClosedInstances closed, List<InstanceRecord> started)
    {
        foreach (var instance in started)
            Tell(closed, instance);
    }

    private static void Tell(ClosedInstances closed, InstanceRecord? instance)
    {
        if (instance is null || !instance.Status.IsClosed())
            return;
        Telemetry.Closed.Add(1);
        closed.Tell(new ClosedInstance(instance.Id, instance.Status, Progress.Read(instance.Progress).ContinuedAs));
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
        if (!_activities.TryReserve())
            return false;
        _reserved++;
        return true;
    }

    private Decision DecideOne(ClaimedInstance claimed, DateTimeOffset now)
    {
        var instance = claimed.Instance;
        if (!_registry.TryFind(instance.Definition, instance.DefinitionVersion, out var definition))
            return Defer(claimed, "this host does not know the definition");
        if (!definition.Steps.Contains(instance.Step))
            return Defer(claimed, $"the definition has no step '{instance.Step}'; was it renamed without a new version?");

        try
        {
            var turn = definition.ContinueTurn(_environment, claimed, now);
            _turns.Add(turn);
            return turn.Decision;
        }
        catch (Exception e)
        {
            // Handlers' errors are dealt with inside of the turn. This is damage to the stored instance itself.
            return Defer(claimed, ActivityReport.Describe(e));
        }
    }

    /// <summary>Puts the signals back, a little later: another host, or a later version of this one, may take them.</summary>
    private Decision Defer(ClaimedInstance claimed, string reason)
    {
        var instance = claimed.Instance;
        var delay = _environment.Options.UnknownDefinitionDelay;
        _deferred += claimed.Signals.Count;
        Log.Deferred(_logger, instance.Id, $"{instance.Definition} v{instance.DefinitionVersion}", delay.TotalMilliseconds, reason);
        return new Decision { Sent = claimed.Signals.ConvertAll(signal => signal with { Due = Due.After(delay) }) };
    }
}
