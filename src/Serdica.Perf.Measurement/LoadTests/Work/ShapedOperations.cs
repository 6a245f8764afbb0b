using System.Diagnostics;
using Serdica.Perf.Measurement.Load;
using Serdica.Perf.Measurement.Recording;
using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Verification;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>Operations of a <see cref="WorkShape"/>.</summary>
internal sealed class ShapedOperations : OperationSet, IReadableOperations
{
    private readonly WorkShape _shape;
    private readonly IWorkflowBackend _backend;
    private readonly WorkflowClient _client;
    private readonly WorkflowDefinition<ShapedState> _definition;
    private readonly Func<Guid, CancellationToken, Task<Task<ClosedInstance>>> _watchStarted;
    private readonly string _fill;
    private readonly SampledInstances _instances;
    private readonly ConcurrentLatencyRecorder _start;
    private readonly ConcurrentLatencyRecorder? _publish;
    private readonly ConcurrentLatencyRecorder _completion;

    /// <param name="count">How many operations.</param>
    /// <param name="shape">What each does.</param>
    /// <param name="backend">Where instances are read back.</param>
    /// <param name="client">Client of the host that moves the instances.</param>
    /// <param name="definition">Of the shape.</param>
    /// <param name="watchStarted">Watches an instance that may have closed already.</param>
    public ShapedOperations(
        int count,
        WorkShape shape,
        IWorkflowBackend backend,
        WorkflowClient client,
        WorkflowDefinition<ShapedState> definition,
        Func<Guid, CancellationToken, Task<Task<ClosedInstance>>> watchStarted)
        : base(count)
    {
        _shape = shape;
        _backend = backend;
        _client = client;
        _definition = definition;
        _watchStarted = watchStarted;
        _fill = new string('x', shape.StateBytes);
        _instances = new(count, InstanceAudit.MostKept);
        _start = Phases.Add(PhaseNames.Start);
        _publish = shape.Trigger == WorkTrigger.Event ? Phases.Add(PhaseNames.SignalPublish) : null;
        _completion = Phases.Add(shape.Trigger == WorkTrigger.Event ? PhaseNames.SignalToCompletion : PhaseNames.StartToCompletion);
    }

    /// <inheritdoc/>
    public Guid? InstanceToRead(int number) => _instances.Any(number);

    /// <inheritdoc/>
    public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
    {
        if (_shape.FanOut == 1)
            return await LaunchOneAsync(operation, operation, cancellationToken).ConfigureAwait(false);

        var first = (long)operation * _shape.FanOut;
        var launched = await Task.WhenAll(Enumerable.Range(0, _shape.FanOut)
            .Select(index => LaunchOneAsync(index == 0 ? operation : null, first + index, cancellationToken))).ConfigureAwait(false);
        return Task.WhenAll(launched);
    }

    /// <inheritdoc/>
    public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
        InstanceAudit.RunAsync(
            _backend,
            _instances.Of(launched),
            (index, record) => Examine((long)index * _instances.Stride * _shape.FanOut, record),
            cancellationToken,
            launched);

    /// <param name="operation">Given for the instance that is kept.</param>
    /// <param name="number">Of the instance.</param>
    /// <param name="cancellationToken">Stops before what is durable.</param>
    private async Task<Task> LaunchOneAsync(int? operation, long number, CancellationToken cancellationToken)
    {
        var begin = Stopwatch.GetTimestamp();
        var started = await Named("start", _client.StartAsync(_definition, new ShapedState { Number = number, Fill = _fill }, null, cancellationToken)).ConfigureAwait(false);
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
            return Expect.CompletedAsync(await Named("watch", _watchStarted(started.Id, cancellationToken)).ConfigureAwait(false), durable, _completion);

        // Watched before it is published: the host may be quicker than the answer to the publish.
        var closed = _client.WatchClose(started.Id);
        try
        {
            var outcome = await Named("signal", _client.SignalJsonAsync(
                started.Id, ShapedDefinition.Event, ShapedEvent.WriteJson(number, _shape.PayloadBytes), null, cancellationToken)).ConfigureAwait(false);
            var published = Stopwatch.GetTimestamp();
            _publish!.Record(durable, published);
            Expect.Accepted(outcome, started.Id);
            return Expect.CompletedAsync(closed, published, _completion);
        }
        catch
        {
            // Nothing will close it, and the client would remember it for as long as it lives.
            _client.StopWatching(started.Id);
            throw;
        }
    }

    private string? Examine(long number, InstanceRecord record)
    {
        var fails = _shape.Fails(number);
        return Expect.State<ShapedState>(record, state =>
            state.Number == number
            && state.Events == (_shape.Trigger == WorkTrigger.Event ? 1 : 0)
            && state.Activities == (_shape.HasActivity && !fails ? 1 : 0)
            && state.FailedOnPurpose == fails
            && state.Timers == _shape.Timers
            && state.Children == _shape.Children
            && state.Finished == 1
            && state.Fill.Length == _shape.StateBytes);
    }

    private static async Task<T> Named<T>(string operation, Task<T> call)
    {
        try
        {
            return await call.ConfigureAwait(false);
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            throw new LoadOperationException(operation, e);
        }
    }
}
