namespace Serdica.Perf.Workflows;

/// <summary>Counts from the database, all of one moment; in a store that is divided, those of each part are of one.</summary>
public sealed record BackendCensus
{
    /// <summary>Instances by status; a status without instances counts 0.</summary>
    public required IReadOnlyDictionary<InstanceStatus, long> Instances { get; init; }

    /// <summary>
    /// Open instances by the definition and version that they need: what must stay deployed.
    /// </summary>
    public IReadOnlyDictionary<DefinitionVersion, long> OpenByDefinition { get; init; } = new Dictionary<DefinitionVersion, long>();

    /// <summary>
    /// Open instances that the last host that met them could not continue, by definition and version (<see cref="WaitKinds.Parked"/>).
    /// </summary>
    public IReadOnlyDictionary<DefinitionVersion, ParkedCount> ParkedByDefinition { get; init; } =
        new Dictionary<DefinitionVersion, ParkedCount>();

    /// <summary>Signals that are due and not handled.</summary>
    public required long SignalsDue { get; init; }

    /// <summary>Signals whose time has not come: timers, leases, delayed signals.</summary>
    public required long SignalsLater { get; init; }

    public required long DeadLetters { get; init; }

    /// <summary>
    /// Open instances that nothing will ever move: they wait for a timer, an activity or a child that does not
    /// exist. Instances that wait for an external signal are not stuck.
    /// </summary>
    public required long Stuck { get; init; }

    /// <summary>Messages in the bare queue.</summary>
    public required long Messages { get; init; }

    /// <summary>
    /// Messages of the bare queue that the database has put aside, after more rollbacks than it allows (100 on Oracle): no
    /// receiver gets them any more. Always 0 where the database puts nothing aside.
    /// </summary>
    public long DeadMessages { get; init; }

    public long Total => Instances.Values.Sum();

    public long Open => Count(InstanceStatus.Running) + Count(InstanceStatus.Waiting);

    public long Count(InstanceStatus status) => Instances.TryGetValue(status, out var count) ? count : 0;
}

/// <summary>What an instance names its definition by.</summary>
/// <param name="Name">The definition's name.</param>
/// <param name="Version">The definition's version.</param>
public readonly record struct DefinitionVersion(string Name, int Version)
{
    /// <inheritdoc/>
    public override string ToString() => $"{Name} v{Version}";
}

/// <summary>Parked instances of one definition and version.</summary>
/// <param name="Instances">How many.</param>
/// <param name="Example">One of them; its <see cref="InstanceRecord.Error"/> says why it is parked.</param>
public sealed record ParkedCount(long Instances, Guid Example);
