namespace Serdica.Perf.Faults.History;

/// <summary>
/// Records what a process writes through the seam: each turn before its commit, and whether the commit succeeded; timers and new
/// instances of turns and starts. It changes nothing of what goes through it. The inner backend is disposed with it.
/// </summary>
internal sealed class RecordingBackend(IWorkflowBackend inner, HistoryWriter history) : IWorkflowBackend
{
    public string Name => inner.Name;

    public BackendCapabilities Capabilities => inner.Capabilities;

    public Task InitializeAsync(CancellationToken cancellationToken) => inner.InitializeAsync(cancellationToken);

    public Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken) =>
        RecordStartsAsync(batch, () => inner.SubmitAsync(batch, cancellationToken));

    public async Task SubmitAsync(IReadOnlyList<Submission> batch, DirectTurns direct, CancellationToken cancellationToken)
    {
        var turns = new RecordedTurns(history, direct.Decide, direct.DecideParents);
        var recorded = direct with { Decide = turns.DecideAsync, DecideParents = turns.DecideParents };
        try
        {
            await RecordStartsAsync(batch, () => inner.SubmitAsync(batch, recorded, cancellationToken));
        }
        catch (Exception e)
        {
            turns.Fail(e);
            throw;
        }

        // After a refused write a backend may store what it had decided, and commit without a turn.
        var isDecided = batch.OfType<SignalSubmission>().Any(static signal => signal.IsDecided);
        turns.Answer(isDecided ? AckOutcome.Committed : AckOutcome.Conflict);
    }

    public async Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken)
    {
        var turns = new RecordedTurns(history, decide, request.DecideParents);
        var recorded = request with { DecideParents = turns.DecideParents };
        try
        {
            var outcome = await inner.ProcessAsync(recorded, turns.DecideAsync, cancellationToken);
            turns.Answer(outcome.Conflict ? AckOutcome.Conflict : AckOutcome.Committed);
            return outcome;
        }
        catch (Exception e)
        {
            turns.Fail(e);
            throw;
        }
    }

    public Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
        IReadOnlyList<ActivityLease> leases,
        TimeSpan duration,
        CancellationToken cancellationToken
    ) => inner.ExtendLeasesAsync(leases, duration, cancellationToken);

    public Task WaitForWorkAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        inner.WaitForWorkAsync(maximum, cancellationToken);

    public Task NotifyWorkAsync(CancellationToken cancellationToken) => inner.NotifyWorkAsync(cancellationToken);

    public bool? IsFirst => inner.IsFirst;

    public Task NotifyAllAsync(CancellationToken cancellationToken) => inner.NotifyAllAsync(cancellationToken);

    public Task<IReadOnlyList<ClosedInstance>> WaitForClosesAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        inner.WaitForClosesAsync(maximum, cancellationToken);

    public Task<bool> NotifyClosesAsync(IReadOnlyList<ClosedInstance> closed, CancellationToken cancellationToken) =>
        inner.NotifyClosesAsync(closed, cancellationToken);

    public Task<IReadOnlyList<InstanceRecord>> FindClosedAsync(IReadOnlyList<Guid> instanceIds, CancellationToken cancellationToken) =>
        inner.FindClosedAsync(instanceIds, cancellationToken);

    public Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken) =>
        inner.FindAsync(instanceId, cancellationToken);

    public Task<InstanceRecord?> FindByKeyAsync(string businessKey, CancellationToken cancellationToken) =>
        inner.FindByKeyAsync(businessKey, cancellationToken);

    public Task<BackendCensus> TakeCensusAsync(CancellationToken cancellationToken) => inner.TakeCensusAsync(cancellationToken);

    public Task<IReadOnlyList<DeadLetter>> ListDeadLettersAsync(DeadLetterQuery query, CancellationToken cancellationToken) =>
        inner.ListDeadLettersAsync(query, cancellationToken);

    public Task<int> RequeueDeadLettersAsync(IReadOnlyList<Guid> signalIds, CancellationToken cancellationToken) =>
        inner.RequeueDeadLettersAsync(signalIds, cancellationToken);

    public Task<int> PurgeAsync(TimeSpan age, CancellationToken cancellationToken) => inner.PurgeAsync(age, cancellationToken);

    public Task MaintainAsync(CancellationToken cancellationToken) => inner.MaintainAsync(cancellationToken);

    public ValueTask DisposeAsync() => inner.DisposeAsync();

    /// <summary>Starts make timers and children; the client that asked for them records their answers.</summary>
    private async Task RecordStartsAsync(IReadOnlyList<Submission> batch, Func<Task> submit)
    {
        var starts = new List<(long Operation, StartSubmission Start)>();
        var lines = new List<HistoryRecord>();
        foreach (var start in batch.OfType<StartSubmission>())
        {
            if (start.Decision.Started is null && start.Decision.Sent is null)
                continue;
            var operation = history.NextOperation();
            starts.Add((operation, start));
            lines.AddRange(DecisionRecords.Of(operation, start.Decision, now: null));
        }

        if (lines.Count > 0)
            history.WriteAll(lines);
        try
        {
            await submit();
        }
        catch (Exception e)
        {
            foreach (var (operation, _) in starts)
                history.Write(RecordingClient.Failure(operation, e));
            throw;
        }

        foreach (var (operation, start) in starts)
            history.Write(RecordedTurns.AnswerTo(operation, start.Existing is null ? AckOutcome.Committed : AckOutcome.Conflict));
    }
}
