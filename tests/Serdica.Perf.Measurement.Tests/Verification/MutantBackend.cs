using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Tests.Verification;

/// <summary>The in-memory backend with one fault, which it commits once, after it was armed.</summary>
internal sealed class MutantBackend(Mutation mutation) : IWorkflowBackend, IMessageQueue
{
    private readonly InMemoryWorkflowBackend _inner = new();
    private int _strikes = 1;
    private Guid _lost;

    public string Name => _inner.Name;

    public BackendCapabilities Capabilities => _inner.Capabilities;

    public Task InitializeAsync(CancellationToken cancellationToken) => _inner.InitializeAsync(cancellationToken);

    public Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken)
    {
        // An acknowledgement is what the outcome says by default.
        var kept = batch.Where(submission => !(submission is SignalSubmission && Strikes(Mutation.DropSignal))).ToList();
        return _inner.SubmitAsync(kept, cancellationToken);
    }

    public Task<ProcessOutcome> ProcessAsync(int maxSignals, DecideBatch decide, CancellationToken cancellationToken) =>
        _inner.ProcessAsync(
            maxSignals,
            batch =>
            {
                var first = batch.Instances[0];
                if (Strikes(Mutation.ApplyTwice))
                    first.Signals.Add(first.Signals[0]);
                var decisions = decide(batch);
                if (decisions[0].Instance is { } instance && Strikes(Mutation.CorruptState))
                    decisions[0].Instance = instance with { State = "{}"u8.ToArray() };
                return decisions;
            },
            cancellationToken);

    public async Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken)
    {
        if (Strikes(Mutation.LoseInstance))
            _lost = instanceId;
        return instanceId == _lost ? null : await _inner.FindAsync(instanceId, cancellationToken);
    }

    public Task SendAsync(IReadOnlyList<Message> messages, CancellationToken cancellationToken) =>
        _inner.SendAsync([.. messages.Where(_ => !Strikes(Mutation.DropMessage))], cancellationToken);

    public Task<ProcessOutcome> ReceiveAsync(
        int maxMessages, Action<ReceivedMessages> handle, CancellationToken cancellationToken) =>
        _inner.ReceiveAsync(
            maxMessages,
            received =>
            {
                if (Strikes(Mutation.DeliverTwice))
                    received = received with { Messages = [.. received.Messages, received.Messages[0]] };
                if (Strikes(Mutation.DeliverEarly))
                    received = received with { Now = received.Now - TimeSpan.FromHours(1) };
                handle(received);
            },
            cancellationToken);

    public Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
        IReadOnlyList<ActivityLease> leases, TimeSpan duration, CancellationToken cancellationToken) =>
        _inner.ExtendLeasesAsync(leases, duration, cancellationToken);

    public Task WaitForWorkAsync(TimeSpan maximum, CancellationToken cancellationToken) => _inner.WaitForWorkAsync(maximum, cancellationToken);

    public Task NotifyWorkAsync(CancellationToken cancellationToken) => _inner.NotifyWorkAsync(cancellationToken);

    public Task<InstanceRecord?> FindByKeyAsync(string businessKey, CancellationToken cancellationToken) =>
        _inner.FindByKeyAsync(businessKey, cancellationToken);

    public Task<BackendCensus> TakeCensusAsync(CancellationToken cancellationToken) => _inner.TakeCensusAsync(cancellationToken);

    public Task<IReadOnlyList<DeadLetter>> ListDeadLettersAsync(int limit, CancellationToken cancellationToken) =>
        _inner.ListDeadLettersAsync(limit, cancellationToken);

    public Task<int> RequeueDeadLettersAsync(IReadOnlyList<Guid> signalIds, CancellationToken cancellationToken) =>
        _inner.RequeueDeadLettersAsync(signalIds, cancellationToken);

    public Task<int> PurgeAsync(TimeSpan age, CancellationToken cancellationToken) => _inner.PurgeAsync(age, cancellationToken);

    public Task MaintainAsync(CancellationToken cancellationToken) => _inner.MaintainAsync(cancellationToken);

    public ValueTask DisposeAsync() => _inner.DisposeAsync();

    private bool Strikes(Mutation candidate) => mutation == candidate && Interlocked.Decrement(ref _strikes) == 0;
}
