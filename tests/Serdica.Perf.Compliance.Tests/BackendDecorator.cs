namespace Serdica.Perf.Compliance;

/// <summary>A backend with one fault of a test's making; everything else goes through. The inner one is not disposed.</summary>
internal abstract class BackendDecorator(IWorkflowBackend inner) : IWorkflowBackend
{
    public string Name => inner.Name;

    protected IWorkflowBackend Inner => inner;

    /// <summary>Faults of claims need claims: what decides directly is a <c>DirectDecorator</c>.</summary>
    public virtual BackendCapabilities Capabilities => inner.Capabilities with { DecidesDirectly = false };

    public virtual Task InitializeAsync(CancellationToken cancellationToken) => inner.InitializeAsync(cancellationToken);

    public virtual Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken) =>
        inner.SubmitAsync(batch, cancellationToken);

    public virtual Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken) =>
        inner.ProcessAsync(
            request,
            async batch =>
            {
                var decisions = await decide(batch);
                Decided(decisions);
                return decisions;
            },
            cancellationToken
        );

    /// <summary>What a claim has decided is about to be written.</summary>
    protected virtual void Decided(IReadOnlyList<Decision> decisions) { }

    public virtual Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
        IReadOnlyList<ActivityLease> leases,
        TimeSpan duration,
        CancellationToken cancellationToken
    ) => inner.ExtendLeasesAsync(leases, duration, cancellationToken);

    public Task WaitForWorkAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        inner.WaitForWorkAsync(maximum, cancellationToken);

    public virtual Task NotifyWorkAsync(CancellationToken cancellationToken) => inner.NotifyWorkAsync(cancellationToken);

    public virtual bool? IsFirst => inner.IsFirst;

    public virtual Task NotifyAllAsync(CancellationToken cancellationToken) => inner.NotifyAllAsync(cancellationToken);

    public virtual Task<IReadOnlyList<ClosedInstance>> WaitForClosesAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        inner.WaitForClosesAsync(maximum, cancellationToken);

    public virtual Task<bool> NotifyClosesAsync(IReadOnlyList<ClosedInstance> closed, CancellationToken cancellationToken) =>
        inner.NotifyClosesAsync(closed, cancellationToken);

    public virtual Task<IReadOnlyList<InstanceRecord>> FindClosedAsync(
        IReadOnlyList<Guid> instanceIds,
        CancellationToken cancellationToken
    ) => inner.FindClosedAsync(instanceIds, cancellationToken);

    public virtual Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken) =>
        inner.FindAsync(instanceId, cancellationToken);

    public Task<InstanceRecord?> FindByKeyAsync(string businessKey, CancellationToken cancellationToken) =>
        inner.FindByKeyAsync(businessKey, cancellationToken);

    public virtual Task<BackendCensus> TakeCensusAsync(CancellationToken cancellationToken) => inner.TakeCensusAsync(cancellationToken);

    public virtual Task<IReadOnlyList<DeadLetter>> ListDeadLettersAsync(DeadLetterQuery query, CancellationToken cancellationToken) =>
        inner.ListDeadLettersAsync(query, cancellationToken);

    public virtual Task<int> RequeueDeadLettersAsync(IReadOnlyList<Guid> signalIds, CancellationToken cancellationToken) =>
        inner.RequeueDeadLettersAsync(signalIds, cancellationToken);

    public Task<int> PurgeAsync(TimeSpan age, CancellationToken cancellationToken) => inner.PurgeAsync(age, cancellationToken);

    public Task MaintainAsync(CancellationToken cancellationToken) => inner.MaintainAsync(cancellationToken);

    public virtual ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
