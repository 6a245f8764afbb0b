namespace Serdica.Perf.Measurement.LoadTests.Work;

/// <summary>The work of a <see cref="WorkShape"/> on one store.</summary>
internal sealed class ShapedWorkload : HostedWorkload
{
    /// <summary>Room in the state and the payload for data other than padding.</summary>
    private const int Overhead = 4_096;

    private readonly WorkShape _shape;
    private readonly WorkflowDefinition<ShapedState> _definition;
    private long _injectedFailures;

    public ShapedWorkload(IScenarioStore store, WorkShape shape, WorkflowOptions options, string name = "load")
        : base(store, options)
    {
        _shape = shape;
        _definition = ShapedDefinition.Of(shape, () => Interlocked.Increment(ref _injectedFailures), name);
        var standard = new WorkflowOptions();
        Options = Options with
        {
            MaxPayloadBytes = Math.Max(standard.MaxPayloadBytes, shape.PayloadBytes + Overhead),
            MaxStateBytes = Math.Max(standard.MaxStateBytes, shape.StateBytes + Overhead),
        };
    }

    public override string Shape => $"{base.Shape}:{_shape.Words}";

    public override int InstancesPerOperation => _shape.InstancesPerOperation;

    internal override long InjectedFailures => Interlocked.Read(ref _injectedFailures);

    public override bool CanBeEndless => true;

    protected override IReadOnlyList<WorkflowDefinition> Definitions => [_definition, ShapedDefinition.Child];

    public override OperationSet CreateOperations(int count, bool warmUp) =>
        new ShapedOperations(count, _shape, Backend, Client, _definition, WatchStartedAsync);
}
