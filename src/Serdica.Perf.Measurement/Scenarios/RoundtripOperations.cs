namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>Round trips: an instance is started, receives the signals it waits for, and completes.</summary>
internal sealed class RoundtripOperations<TState> : OperationSet
    where TState : class
{
    private readonly WorkflowClient _client;
    private readonly WorkflowDefinition<TState> _definition;
    private readonly Func<int, TState> _begin;
    private readonly Func<WorkflowClient, Guid, int, CancellationToken, Task<PublishOutcome>> _signal;
    private readonly AuditedInstances _instances;
    private readonly ConcurrentLatencyRecorder _start;
    private readonly ConcurrentLatencyRecorder _publish;
    private readonly ConcurrentLatencyRecorder _completion;

    /// <param name="begin">The first state of an operation's instance.</param>
    /// <param name="signal">Sends a started instance the signals it waits for, and returns the response to the last one.</param>
    /// <param name="examine">Null when the instance of an operation is as expected, otherwise the problem.</param>
    public RoundtripOperations(
        int count,
        IWorkflowBackend backend,
        WorkflowClient client,
        WorkflowDefinition<TState> definition,
        Func<int, TState> begin,
        Func<WorkflowClient, Guid, int, CancellationToken, Task<PublishOutcome>> signal,
        Func<int, InstanceRecord, string?> examine
    )
        : base(count)
    {
        _client = client;
        _definition = definition;
        _begin = begin;
        _signal = signal;
        _instances = new(count, backend, examine);
        _start = Phases.Add(PhaseNames.Start);
        _publish = Phases.Add(PhaseNames.SignalPublish);
        _completion = Phases.Add(PhaseNames.SignalToCompletion);
    }

    public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
    {
        var begin = Stopwatch.GetTimestamp();
        var started = await _client.StartAsync(_definition, _begin(operation), null, cancellationToken);
        var durable = Stopwatch.GetTimestamp();
        _start.Record(begin, durable);
        _instances.Add(operation, started.Id);

        // Watched before the signal: the host may be faster than the response to it.
        var closed = _client.WatchClose(started.Id);
        try
        {
            var outcome = await _signal(_client, started.Id, operation, cancellationToken);
            var published = Stopwatch.GetTimestamp();
            _publish.Record(durable, published);
            Expect.Accepted(outcome, started.Id);
            return _instances.Noted(operation, Expect.CompletedAsync(closed, published, _completion));
        }
        catch
        {
            // Nothing will close the instance, and the client would keep it in memory for its whole life.
            _client.StopWatching(started.Id, closed);
            throw;
        }
    }

    public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
        _instances.VerifyAsync(launched, cancellationToken);

    public override Task<IReadOnlyList<VerificationCheck>> VerifyCompletedAsync(int launched, CancellationToken cancellationToken) =>
        _instances.VerifyCompletedAsync(launched, cancellationToken);
}
