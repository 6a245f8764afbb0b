namespace Serdica.Perf.Workflows;

/// <summary>What the workers of one host have found out; lost with the process.</summary>
internal sealed class HostMemory(IWorkflowBackend backend, WorkflowOptions options, TimeProvider time, ILogger logger)
{
    /// <remarks>The limit is that of the handlers. The commit may take as long again.</remarks>
    public Isolation Isolation { get; } = new(options.InstanceRetry, time, 2 * options.DecideTimeout);

    public PutOffSignals PutOff { get; } = new(time);

    public ClosedChildren Children { get; } = new(backend, time, logger);

    public UnknownDefinitions Unknown { get; } = new();

    public ClockReadings Clock { get; } = new(time);

    /// <summary>Instances that this host cannot read; see <see cref="ParkedInstances"/>.</summary>
    public ParkedInstances Parked { get; } = new(options);
}

/// <summary>Definitions that a host has met in the database and does not have; shared by its workers.</summary>
internal sealed class UnknownDefinitions
{
    private readonly Lock _gate = new();
    private volatile IReadOnlyList<DefinitionVersion> _all = [];

    public IReadOnlyList<DefinitionVersion> All => _all;

    /// <returns>False when it was known to be unknown.</returns>
    public bool Add(DefinitionVersion definition)
    {
        lock (_gate)
        {
            if (_all.Contains(definition))
                return false;
            _all = [.. _all, definition];
            return true;
        }
    }
}
