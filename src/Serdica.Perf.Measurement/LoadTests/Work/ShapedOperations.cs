namespace Serdica.Perf.Measurement.LoadTests.Work;

/// <summary>The operations of a <see cref="WorkShape"/>.</summary>
internal sealed class ShapedOperations : OperationSet, IReadableOperations
{
    private readonly WorkShape _shape;
    private readonly WorkflowClient _client;
    private readonly WorkflowDefinition<ShapedState> _definition;
    private readonly Func<Guid, CancellationToken, Task<Task<ClosedInstance>>> _watchStarted;
    private readonly string _fill;
    private readonly AuditedInstances _instances;
    private readonly ConcurrentLatencyRecorder _start;
    private readonly ConcurrentLatencyRecorder? _publish;
    private readonly ConcurrentLatencyRecorder _completion;

    /// <param name="shape">The shape of each operation.</param>
    public ShapedOperations(
        int count,
        WorkShape shape,
        IWorkflowBackend backend,
        WorkflowClient client,
        WorkflowDefinition<ShapedState> definition,
        Func<Guid, CancellationToken, Task<Task<ClosedInstance>>> watchStarted
    )
        : base(count)
    {
        _shape = shape;
        _client = client;
        _definition = definition;
        _watchStarted = watchStarted;
        _fill = new string('x', shape.StateBytes);
        _instances = new(count, backend, (operation, record) => Examine((long)operation * shape.FanOut, record));
        _start = Phases.Add(PhaseNames.Start);
        _publish = shape.Trigger == WorkTrigger.Event ? Phases.Add(PhaseNames.SignalPublish) : null;
        _completion = Phases.Add(shape.Trigger == WorkTrigger.Event ? PhaseNames.SignalToCompletion : PhaseNames.StartToCompletion);
    }

    internal override int LatenciesPerOperation => _shape.FanOut;

    public Guid? InstanceToRead(int number) => _instances.Any(number);

    public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken) =>
        _instances.Noted(
            operation,
            await (
                _shape.FanOut == 1 ? LaunchOneAsync(operation, operation, cancellationToken) : LaunchAllAsync(operation, cancellationToken)
            )
        );

    public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
        _instances.VerifyAsync(launched, cancellationToken);

    public override Task<IReadOnlyList<VerificationCheck>> VerifyCompletedAsync(int launched, CancellationToken cancellationToken) =>
        _instances.VerifyCompletedAsync(launched, cancellationToken);

    private async Task<Task> LaunchAllAsync(int operation, CancellationToken cancellationToken)
    {
        var first = (long)operation * _shape.FanOut;
        var launched = await Task.WhenAll(
                Enumerable
                    .Range(0, _shape.FanOut)
                    .Select(index => LaunchOneAsync(index == 0 ? operation : null, first + index, cancellationToken))
            );
        return Task.WhenAll(launched);
    }

    /// <param name="operation">Given only for the instance that is kept.</param>
    /// <param name="cancellationToken">Stops before anything is durable.</param>
    private async Task<Task> LaunchOneAsync(int? operation, long number, CancellationToken cancellationToken)
    {
        (Guid Id, Task<ClosedInstance> Closed)? watched = null;
        var call = "start";
        try
        {
            var begin = Stopwatch.GetTimestamp();
            var started = await _client.StartAsync(_definition, new ShapedState { Number = number, Fill = _fill }, null, cancellationToken);
            var durable = Stopwatch.GetTimestamp();
            _start.Record(begin, durable);
            if (operation is { } kept)
                _instances.Add(kept, started.Id);

            if (_shape.CompletesAtStart)
            {
                _completion.Record(durable, durable);
                return Task.CompletedTask;
            }

            if (_shape.Trigger == WorkTrigger.Direct)
            {
                call = "watch";
                return Expect.CompletedAsync(
                    await _watchStarted(started.Id, cancellationToken),
                    durable,
                    _completion
                );
            }

            // Watched before the signal is published: the host may be faster than the response to the publish.
            call = "signal";
            var closed = _client.WatchClose(started.Id);
            watched = (started.Id, closed);
            var payload = ShapedEvent.WriteJson(number, _shape.PayloadBytes);
            var outcome = await _client.SignalJsonAsync(started.Id, ShapedDefinition.Event, payload, null, cancellationToken);
            var published = Stopwatch.GetTimestamp();
            _publish!.Record(durable, published);
            Expect.Accepted(outcome, started.Id);
            return Expect.CompletedAsync(closed, published, _completion);
        }
        catch (Exception e)
        {
            // Nothing will close the instance, and the client would keep it in memory for its whole life.
            if (watched is var (id, watch))
                _client.StopWatching(id, watch);
            if (e is OperationCanceledException or OperationFailedException)
                throw;
            throw new LoadOperationException(call, e);
        }
    }

    private string? Examine(long number, InstanceRecord record)
    {
        var fails = _shape.Fails(number);
        return Version(record)
            ?? Timers(record)
            ?? Expect.State<ShapedState>(record, state =>
                state.Number == number
                && state.Events == (_shape.Trigger == WorkTrigger.Event ? 1 : 0)
                && state.Activities == (_shape.HasActivity && !fails ? 1 : 0)
                && state.FailedOnPurpose == fails
                && state.Timers == _shape.Timers
                && state.Children == _shape.Children
                && state.Finished == 1
                && state.Fill == _fill
            );
    }

    /// <summary>One for each event, timer, child and end of an activity, whose lease may add to it.</summary>
    private string? Version(InstanceRecord record)
    {
        var signals = _shape.Timers + _shape.Children + (_shape.Trigger == WorkTrigger.Event ? 1 : 0) + (_shape.HasActivity ? 1 : 0);
        return _shape.HasActivity && record.Version > signals ? null : Expect.Version(record, signals);
    }

    /// <summary>By the clock of the database.</summary>
    private string? Timers(InstanceRecord record)
    {
        var lasted = record.UpdatedAt - record.CreatedAt;
        return _shape.Timers == 0 || lasted >= Expect.Least(_shape.Timers * _shape.TimerDelay)
            ? null
            : $"instance {record.Id} completed {lasted.TotalMilliseconds:0.###} ms after its start, before its timers were due";
    }
}

/// <summary>Operations whose instances can be read back while the load goes on.</summary>
internal interface IReadableOperations
{
    /// <summary>A started instance, selected by any number; null while there is none.</summary>
    Guid? InstanceToRead(int number);
}
