namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>
/// Operations that each start an instance. Starts and signals are timed here, so that <see cref="PhaseNames.Start"/> and <see
/// cref="PhaseNames.SignalPublish"/> have the same meaning in every scenario: from the call until it is durable.
/// </summary>
internal abstract class InstanceOperations : OperationSet
{
    private readonly Guid[] _ids;
    private readonly ConcurrentLatencyRecorder _start;
    private readonly ConcurrentLatencyRecorder? _publish;

    protected InstanceOperations(int count, bool signals = true)
        : base(count)
    {
        _ids = new Guid[count];
        _start = Phases.Add(PhaseNames.Start);
        _publish = signals ? Phases.Add(PhaseNames.SignalPublish) : null;
    }

    /// <summary>The instance of an operation; empty before its start.</summary>
    protected Guid Id(int operation) => _ids[operation];

    /// <summary>The instances of the first operations.</summary>
    protected ReadOnlyMemory<Guid> Ids(int launched) => _ids.AsMemory(0, launched);

    /// <summary>Starts the instance of an operation.</summary>
    /// <returns>When it was durable.</returns>
    /// <exception cref="WorkflowBackendException">An instance with the key existed already.</exception>
    protected async Task<long> StartAsync<TState>(
        int operation,
        WorkflowClient client,
        WorkflowDefinition<TState> definition,
        TState state,
        string? key,
        CancellationToken cancellationToken
    )
        where TState : class
    {
        var begin = Stopwatch.GetTimestamp();
        var started = await client.StartAsync(definition, state, key, cancellationToken);
        var durable = Stopwatch.GetTimestamp();
        if (!started.IsNew)
            throw new WorkflowBackendException($"The key '{key}' had an instance before: {started.Id}.", isTransient: false);
        _start.Record(begin, durable);
        _ids[operation] = started.Id;
        return durable;
    }

    /// <summary>Publishes a signal to the instance of an operation.</summary>
    /// <returns>The response, and when it came.</returns>
    protected Task<(PublishOutcome Outcome, long Durable)> PublishAsync<TPayload>(
        int operation,
        WorkflowClient client,
        string signal,
        TPayload payload,
        PublishOptions? options,
        CancellationToken cancellationToken
    ) => PublishedAsync(Stopwatch.GetTimestamp(), client.SignalAsync(_ids[operation], signal, payload, options, cancellationToken));

    /// <summary>Publishes a signal, which must be accepted.</summary>
    /// <returns>When it was durable.</returns>
    /// <exception cref="OperationFailedException">It was not accepted.</exception>
    protected async Task<long> SignalAsync<TPayload>(
        int operation,
        WorkflowClient client,
        string signal,
        TPayload payload,
        CancellationToken cancellationToken
    )
    {
        var (outcome, durable) = await PublishAsync(operation, client, signal, payload, null, cancellationToken);
        Expect.Accepted(outcome, _ids[operation]);
        return durable;
    }

    /// <summary>Records a signal that was published in another way.</summary>
    /// <returns>The response, and when it came.</returns>
    protected async Task<(PublishOutcome Outcome, long Durable)> PublishedAsync(long begin, Task<PublishOutcome> publishing)
    {
        var outcome = await publishing;
        var durable = Stopwatch.GetTimestamp();
        _publish!.Record(begin, durable);
        return (outcome, durable);
    }

    /// <summary>Performs an action for every operation, with a number of callers.</summary>
    protected Task ForEachAsync(int callers, Func<int, CancellationToken, ValueTask> action, CancellationToken cancellationToken) =>
        Parallel.ForAsync(
            0,
            Count,
            new ParallelOptions { MaxDegreeOfParallelism = callers, CancellationToken = cancellationToken },
            action
        );
}
