namespace Serdica.Perf.Faults.Tests.Simulation;

/// <summary>The in-memory backend, with one thing wrong. What processes record of their calls is above it and stays true.</summary>
internal sealed class MutantEngine(IWorkflowBackend inner, Mutation mutation) : BackendDecorator(inner)
{
    private readonly Dictionary<Guid, InstanceRecord> _older = [];
    private readonly Dictionary<Guid, int> _tokens = [];
    private IReadOnlyList<Submission>? _held;
    private Guid _hidden;
    private Signal? _swallowed;
    private int _strikes = 1;

    public override async Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken)
    {
        if (mutation == Mutation.AcknowledgeSignalBeforeCommit && batch.OfType<SignalSubmission>().Any(IsExternal))
        {
            var before = _held ?? [];
            _held = batch;
            if (before.Count > 0)
                await base.SubmitAsync(before, cancellationToken);
            return;
        }

        var kept = batch
            .Where(submission => !IsLost(submission))
            .Select(submission => (Original: submission, Written: Spoil(submission)))
            .ToList();
        await base.SubmitAsync([.. kept.Select(pair => pair.Written)], cancellationToken);
        foreach (var (original, written) in kept)
        {
            if (original is SignalSubmission signal)
                signal.Outcome = ((SignalSubmission)written).Outcome;
        }

        if (mutation == Mutation.KeyWithoutSignal && kept.Exists(pair => pair.Original != pair.Written))
            throw new WorkflowBackendException("The connection was lost.", isTransient: true);
    }

    public override Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken)
    {
        var rolledBack = 0;
        return AcknowledgedAsync();

        async Task<ProcessOutcome> AcknowledgedAsync()
        {
            try
            {
                return await base.ProcessAsync(request, DecideWronglyAsync, cancellationToken);
            }
            catch (OperationCanceledException) when (rolledBack > 0)
            {
                return new ProcessOutcome(rolledBack);
            }
        }

        async Task<IReadOnlyList<Decision>> DecideWronglyAsync(ClaimedBatch batch)
        {
            var claimed = batch.Instances.Select(Claim).ToList();
            var decisions = await decide(new ClaimedBatch(batch.Now, claimed));
            for (var i = 0; i < decisions.Count; i++)
                Spoil(decisions[i], batch.Instances[i]);
            if (mutation == Mutation.AcknowledgeTurnWithoutCommit && Closes(decisions) && Strikes())
            {
                rolledBack = batch.Instances.Sum(instance => instance.Signals.Count);
                throw new OperationCanceledException();
            }

            return decisions;
        }
    }

    public override async Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken)
    {
        var found = await base.FindAsync(instanceId, cancellationToken);
        if (mutation == Mutation.HideInstance && found?.Status == InstanceStatus.Completed && Strikes())
            _hidden = instanceId;
        return instanceId == _hidden ? null : found;
    }

    private static bool IsExternal(SignalSubmission submission) => submission.Signal.Kind == SignalKind.External;

    private static bool Closes(IReadOnlyList<Decision> decisions) =>
        decisions.Any(decision => decision.Instance?.Status.IsClosed() == true);

    private bool IsLost(Submission submission) =>
        submission switch
        {
            SignalSubmission { Signal.Kind: SignalKind.Cancel } => mutation == Mutation.ForgetCancel,
            SignalSubmission signal => mutation == Mutation.DropSignal && IsExternal(signal) && Strikes(),
            _ => mutation == Mutation.AcknowledgeStartBeforeCommit,
        };

    /// <summary>What a submission is written as.</summary>
    private Submission Spoil(Submission submission)
    {
        switch (submission)
        {
            case SignalSubmission { DedupKey: not null } signal when mutation == Mutation.IgnoreDedupKeys:
                return new SignalSubmission(signal.Signal, signal.BusinessKey);
            case SignalSubmission { DedupKey: not null } signal when mutation == Mutation.KeyWithoutSignal && Strikes():
                return new SignalSubmission(Without(signal.Signal), signal.BusinessKey, signal.DedupKey);
            case StartSubmission start when mutation == Mutation.BreakBusinessKey:
                start.Decision.Instance = start.Decision.Instance! with { BusinessKey = null };
                break;
            case StartSubmission start:
                SpoilSent(start.Decision);
                break;
        }

        return submission;
    }

    /// <summary>What is handed out of a claim.</summary>
    private ClaimedInstance Claim(ClaimedInstance claimed)
    {
        var record = claimed.Instance;
        if (mutation == Mutation.SkipVersionCheck && _older.Remove(record.Id, out var older))
            record = older;
        else
            _older[record.Id] = record;
        var copy = new ClaimedInstance(record);
        copy.Signals.AddRange(claimed.Signals);
        if (mutation == Mutation.ApplyTwice && copy.Signals.Find(IsExternal) is { } twice && Strikes())
            copy.Signals.Add(twice);
        if (mutation == Mutation.WrongOrder)
            copy.Signals.Reverse();
        if (mutation == Mutation.InventSignal && copy.Signals.Find(IsExternal) is { } real && Strikes())
            copy.Signals.Insert(0, real with { Id = Guid.CreateVersion7(), Payload = "\"invented\""u8.ToArray() });
        for (var i = 0; i < copy.Signals.Count; i++)
        {
            if (copy.Signals[i].Kind == SignalKind.ActivityResult)
                copy.Signals[i] = Report(copy.Signals[i]);
            if (IsSwallowed(copy.Signals[i]) && Strikes())
                copy.Signals[i] = Without(_swallowed = copy.Signals[i]);
        }

        return copy;
    }

    private bool IsSwallowed(Signal signal) =>
        (mutation == Mutation.BuryAccepted && IsExternal(signal))
        || (mutation == Mutation.SkipActivity && signal is { Kind: SignalKind.Activity, Attempt: > 0 });

    /// <summary>One in its place that the engine takes and that does nothing.</summary>
    private static Signal Without(Signal signal) => signal with { Id = Guid.CreateVersion7(), Kind = SignalKind.Retry };

    private Signal Report(Signal signal)
    {
        var report = ActivityReport.Read(signal.Payload);
        if (mutation == Mutation.SkipFencing && _tokens.TryGetValue(report.Activity, out var token) && token > signal.Attempt)
            return signal with { Attempt = token };
        if (mutation != Mutation.TakeFailedAttempt || report.Error is null)
            return signal;
        var result = JsonSerializer.SerializeToUtf8Bytes(new TakenResult("work", report.Activity, signal.Attempt), WorkflowJson.Options);
        return signal with { Payload = new ActivityReport { Activity = report.Activity, Result = result }.Write() };
    }

    /// <summary>What is written of a decision.</summary>
    private void Spoil(Decision decision, ClaimedInstance claimed)
    {
        SpoilSent(decision);
        if (mutation == Mutation.SkipVersionCheck && decision.Instance is not null)
            decision.ExpectedVersion = claimed.Instance.Version;
        if (mutation == Mutation.LoseChild)
            decision.Started = null;
        if (mutation == Mutation.FireTwice && claimed.Signals.Find(signal => signal.Kind == SignalKind.Timer) is { } fired && Strikes())
            (decision.Sent ??= []).Add(fired with { Due = Due.Now });
        if (mutation == Mutation.ForgetBufferedSignals && decision.Instance is { Progress: { } progress } keeping && Keeps(progress))
            decision.Instance = keeping with { Progress = null };
        if (mutation == Mutation.ReopenClosed && decision.Instance is { } closing && closing.Status.IsClosed())
            decision.Instance = closing with { Status = InstanceStatus.Waiting, Waits = WaitKinds.External };
        if (mutation is Mutation.CompleteEarly or Mutation.FaultInstance && claimed.Signals.Exists(IsExternal) && Strikes())
            End(decision, mutation == Mutation.CompleteEarly ? InstanceStatus.Completed : InstanceStatus.Faulted);
        if (mutation == Mutation.ForgetSecondChild && decision.Instance is { Progress: { } waiting } parent)
            decision.Instance = parent with { Progress = WithOneChild(waiting) };
        if (_swallowed?.InstanceId != claimed.Instance.Id)
            return;
        if (mutation == Mutation.SkipActivity)
            End(decision, InstanceStatus.Completed);
        else
            (decision.DeadLetters ??= []).Add(new DeadLetter(_swallowed, DeadLetterReason.BufferFull, "There is no room."));
        _swallowed = null;
    }

    private static void End(Decision decision, InstanceStatus status) =>
        decision.Instance = decision.Instance! with { Status = status, Waits = WaitKinds.None };

    private void SpoilSent(Decision decision)
    {
        if (decision.Sent is not { } sent)
            return;
        if (mutation == Mutation.LoseChildResult)
            sent.RemoveAll(signal => signal.Kind == SignalKind.ChildClosed);
        for (var i = 0; i < sent.Count; i++)
        {
            if (sent[i].Kind == SignalKind.Activity)
                _tokens[sent[i].Id] = sent[i].Attempt;
            if (mutation == Mutation.FireEarly && sent[i].Kind == SignalKind.Timer)
                sent[i] = sent[i] with { Due = Due.After(sent[i].Due.Delay / 2) };
            if (mutation == Mutation.BreakLease && sent[i] is { Kind: SignalKind.Activity, Attempt: 1 })
                sent[i] = sent[i] with { Due = Due.Now };
        }

        if (mutation == Mutation.LeakLease)
            sent.RemoveAll(signal => signal is { Kind: SignalKind.Activity, Attempt: > 0 });
    }

    private static bool IsExternal(Signal signal) => signal.Kind == SignalKind.External;

    private static bool Keeps(byte[] progress) => Encoding.UTF8.GetString(progress).Contains("\"inbox\"");

    private static byte[] WithOneChild(byte[] progress) =>
        Encoding.UTF8.GetBytes(Encoding.UTF8.GetString(progress).Replace("\"count\":2", "\"count\":1"));

    private bool Strikes() => Interlocked.Decrement(ref _strikes) == 0;
}
