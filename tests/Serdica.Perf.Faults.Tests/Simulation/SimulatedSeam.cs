namespace Serdica.Perf.Faults.Tests.Simulation;

/// <summary>What one process sees of the database. A process that has died gets no answer any more, and nothing it does arrives.</summary>
internal sealed class SimulatedSeam(IWorkflowBackend inner, Func<SeamFault> nextFault) : DirectDecorator(inner)
{
    private readonly TaskCompletionSource _death = new(RunContinuationsAsynchronously);
    private volatile bool _isDead;
    private int _underWay;

    /// <summary>Whether the database is in a call of this process.</summary>
    public bool IsCalled => Volatile.Read(ref _underWay) > 0;

    /// <summary>Completes when the process has died and the transaction that it was in is rolled back.</summary>
    public Task Death => _death.Task;

    public bool IsDead => _isDead;

    public override BackendCapabilities Capabilities => Inner.Capabilities;

    public override Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken) =>
        CallAsync(async () =>
        {
            await base.SubmitAsync(batch, cancellationToken);
            return true;
        });

    public override Task SubmitAsync(IReadOnlyList<Submission> batch, DirectTurns direct, CancellationToken cancellationToken) =>
        CallAsync(async call =>
        {
            var turns = direct with
            {
                Decide = claimed => DecideAsync(call, direct.Decide, claimed),
                DecideParents = DecidingParents(call, direct.DecideParents),
            };
            await base.SubmitAsync(batch, turns, cancellationToken);
            return true;
        });

    /// <summary>A claim that finds nothing is no call: nothing of it could be lost.</summary>
    public override async Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken)
    {
        var call = new Call();
        ProcessOutcome outcome;
        Interlocked.Increment(ref _underWay);
        try
        {
            outcome = await base.ProcessAsync(
                request with
                {
                    DecideParents = DecidingParents(call, request.DecideParents),
                },
                batch =>
                {
                    Begin(call);
                    return DecideAsync(call, decide, batch);
                },
                cancellationToken
            );
        }
        catch (Exception) when (IsDead)
        {
            return await EndAsync<ProcessOutcome>();
        }
        finally
        {
            Interlocked.Decrement(ref _underWay);
        }

        return await AnswerAsync(outcome, call.Fault);
    }

    public override Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
        IReadOnlyList<ActivityLease> leases,
        TimeSpan duration,
        CancellationToken cancellationToken
    ) => CallAsync(() => base.ExtendLeasesAsync(leases, duration, cancellationToken));

    public override Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken) =>
        CallAsync(() => base.FindAsync(instanceId, cancellationToken));

    private Task<T> CallAsync<T>(Func<Task<T>> call) => CallAsync(_ => call());

    private async Task<T> CallAsync<T>(Func<Call, Task<T>> run)
    {
        var call = new Call();
        T answer;
        Interlocked.Increment(ref _underWay);
        try
        {
            if (IsDead)
                Die();
            Begin(call);
            answer = await run(call);
        }
        catch (Exception) when (IsDead)
        {
            return await EndAsync<T>();
        }
        finally
        {
            Interlocked.Decrement(ref _underWay);
        }

        return await AnswerAsync(answer, call.Fault);
    }

    /// <summary>The lock on parents is a call of its own within the transaction, if there is one.</summary>
    private DecideBatch? DecidingParents(Call call, DecideBatch? decide) =>
        decide is null
            ? null
            : batch =>
            {
                Begin(call);
                return DecideAsync(call, decide, batch);
            };

    private void Begin(Call call)
    {
        var fault = nextFault();
        ThrowIfNotDone(fault);
        if (call.Fault == SeamFault.None)
            call.Fault = fault;
    }

    private async Task<IReadOnlyList<Decision>> DecideAsync(Call call, DecideBatch decide, ClaimedBatch batch)
    {
        var decisions = await decide(batch);
        if (call.Fault == SeamFault.DieDeciding)
            Die();
        return decisions;
    }

    private void ThrowIfNotDone(SeamFault fault)
    {
        if (fault == SeamFault.Refuse)
            throw new WorkflowBackendException("The database refuses connections.", isTransient: true) { NothingWritten = true };
        if (fault == SeamFault.DieBefore)
            Die();
    }

    /// <summary>What the process gets to know of a call that was done.</summary>
    private async Task<T> AnswerAsync<T>(T answer, SeamFault fault)
    {
        if (fault == SeamFault.LoseAnswer)
            throw new WorkflowBackendException("The connection was lost.", isTransient: true);
        if (fault == SeamFault.DieAfter)
            _isDead = true;
        return IsDead ? await EndAsync<T>() : answer;
    }

    private void Die()
    {
        _isDead = true;
        throw new InvalidOperationException("The process has died; its transaction is rolled back.");
    }

    /// <summary>The call is over in the database, and a dead process never learns of it.</summary>
    private Task<T> EndAsync<T>()
    {
        _death.TrySetResult();
        return new TaskCompletionSource<T>().Task;
    }

    /// <summary>A call that is under way.</summary>
    private sealed class Call
    {
        public SeamFault Fault { get; set; }
    }
}
