using Serdica.Perf.Compliance;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Faults.Tests.Simulation;

/// <summary>What one process sees of the database. A process that has died gets no answer any more, and nothing it does arrives.</summary>
/// <param name="inner">The database.</param>
/// <param name="nextFault">What happens at the next call.</param>
internal sealed class SimulatedSeam(IWorkflowBackend inner, Func<SeamFault> nextFault) : BackendDecorator(inner)
{
    private readonly TaskCompletionSource _death = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool _isDead;

    /// <summary>Completes when the process has died and the transaction that it was in is rolled back.</summary>
    public Task Death => _death.Task;

    public bool IsDead => _isDead;

    public override Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken) =>
        CallAsync(async () =>
        {
            await base.SubmitAsync(batch, cancellationToken);
            return true;
        });

    /// <summary>A claim that finds nothing is no call: nothing of it could be lost.</summary>
    public override async Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken)
    {
        var fault = SeamFault.None;
        ProcessOutcome outcome;
        try
        {
            outcome = await base.ProcessAsync(
                request,
                async batch =>
                {
                    fault = nextFault();
                    ThrowIfNotDone(fault);
                    var decisions = await decide(batch);
                    if (fault == SeamFault.DieDeciding)
                        Die();
                    return decisions;
                },
                cancellationToken
            );
        }
        catch (Exception) when (IsDead)
        {
            return await EndAsync<ProcessOutcome>();
        }

        return await AnswerAsync(outcome, fault);
    }

    public override Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
        IReadOnlyList<ActivityLease> leases,
        TimeSpan duration,
        CancellationToken cancellationToken
    ) => CallAsync(() => base.ExtendLeasesAsync(leases, duration, cancellationToken));

    public override Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken) =>
        CallAsync(() => base.FindAsync(instanceId, cancellationToken));

    private async Task<T> CallAsync<T>(Func<Task<T>> call)
    {
        var fault = SeamFault.None;
        T answer;
        try
        {
            if (IsDead)
                Die();
            fault = nextFault();
            ThrowIfNotDone(fault);
            answer = await call();
        }
        catch (Exception) when (IsDead)
        {
            return await EndAsync<T>();
        }

        return await AnswerAsync(answer, fault);
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
}
