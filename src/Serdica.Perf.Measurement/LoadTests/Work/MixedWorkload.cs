namespace Serdica.Perf.Measurement.LoadTests.Work;

/// <summary>Several kinds of operations on one host and one store.</summary>
internal sealed class MixedWorkload : HostedWorkload
{
    private readonly IReadOnlyList<(MixPart Part, HostedWorkload Workload)> _kinds;
    private readonly MixChoice _choice;

    /// <param name="store">The store of all kinds.</param>
    /// <param name="options">The options of the host; its limits are those of the kind that needs most.</param>
    /// <param name="seed">Decides the kind of each operation.</param>
    public MixedWorkload(
        IScenarioStore store,
        IReadOnlyList<(MixPart Part, HostedWorkload Workload)> kinds,
        WorkflowOptions options,
        int seed
    )
        : base(store, options)
    {
        _kinds = kinds;
        _choice = new([.. kinds.Select(kind => kind.Part.Weight)], seed);
        Options = Options with
        {
            MaxPayloadBytes = kinds.Max(kind => kind.Workload.OptionsToShare.MaxPayloadBytes),
            MaxStateBytes = kinds.Max(kind => kind.Workload.OptionsToShare.MaxStateBytes),
        };
    }

    public override string Shape => string.Join('|', _kinds.Select(kind => $"{kind.Part.Weight}:{kind.Workload.Shape}"));

    public override bool CanBeEndless => true;

    internal override long InjectedFailures => _kinds.Sum(kind => kind.Workload.InjectedFailures);

    protected override IReadOnlyList<WorkflowDefinition> Definitions =>
        [.. _kinds.SelectMany(kind => kind.Workload.DefinitionsToShare).DistinctBy(definition => definition.ToString())];

    internal override async Task OpenWithoutWorkersAsync(CancellationToken cancellationToken)
    {
        await base.OpenWithoutWorkersAsync(cancellationToken);
        foreach (var (_, workload) in _kinds)
            await workload.OpenWithAsync(this, cancellationToken);
    }

    public override OperationSet CreateOperations(int count, bool warmUp) =>
        new MixedOperations(
            count,
            [.. _kinds.Select(kind => new OperationKind(kind.Part, kind.Workload, kind.Workload.CreateOperations(count, warmUp)))],
            _choice
        );

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync();
        foreach (var (_, workload) in _kinds)
            await workload.DisposeAsync();
    }
}
