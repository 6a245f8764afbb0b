namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>
/// One run of a scenario on one store: opens hosts or pumps, creates sets of operations for the warm-up and for the measured
/// window, and closes everything on disposal.
/// </summary>
public abstract class Workload(IScenarioStore store, WorkflowOptions options) : IAsyncDisposable
{
    private int _warmUps;
    private int _measured;

    /// <summary>The backend object of the workers; others may be connected to the same store.</summary>
    public IWorkflowBackend Backend { get; } = store.Connect();

    /// <summary>Identifies the work itself: changes when definitions, payloads or states do.</summary>
    public abstract string Shape { get; }

    /// <summary>The number of instances that each operation creates.</summary>
    public virtual int InstancesPerOperation => 1;

    /// <summary>
    /// Whether it can create sets of <see cref="OperationSet.Endless"/> operations: nothing is prepared for each, and memory
    /// stays bounded. A closed load of other work ends when its operations are used up.
    /// </summary>
    public virtual bool CanBeEndless => false;

    /// <summary>What its hosts and pumps in this process have done.</summary>
    public abstract HostCounters Counters { get; }

    /// <summary>Whether its hosts decide signals directly; null where they cannot, or where there are no signals.</summary>
    public virtual bool? IsDirect => null;

    /// <summary>The warnings of its hosts and pumps.</summary>
    internal EngineTroubles Troubles { get; } = new();

    protected IScenarioStore Store => store;

    protected WorkflowOptions Options { get; init; } = options;

    /// <summary>
    /// Processes that do the work of the hosts or pumps; null when this process does. To be set before the workload is opened.
    /// </summary>
    internal IHostProcesses? HostProcesses { get; set; }

    /// <summary>What its hosts in other processes have used and done; empty without such.</summary>
    internal Task<IReadOnlyList<HostUsage>> ReadHostsAsync(CancellationToken cancellationToken) =>
        HostProcesses?.ReadAsync(cancellationToken) ?? Task.FromResult<IReadOnlyList<HostUsage>>([]);

    /// <summary>Creates the schema and starts the workers.</summary>
    public abstract Task OpenAsync(CancellationToken cancellationToken);

    /// <param name="count">
    /// The number of operations; <see cref="OperationSet.Endless"/> only where <see cref="CanBeEndless"/> allows it.
    /// </param>
    /// <param name="warmUp">Whether they only warm up: operations that wait on purpose need not wait then.</param>
    public abstract OperationSet CreateOperations(int count, bool warmUp);

    /// <summary>
    /// What business keys of a set of operations start with. A key is taken for ever, and a warm-up and a load test have several sets,
    /// each of which gets a prefix of its own.
    /// </summary>
    /// <param name="warmUp">Whether the set only warms up.</param>
    /// <param name="measured">The prefix of the first measured operations; later ones add their number.</param>
    protected string KeyPrefix(bool warmUp, string measured) =>
        warmUp ? Invariant($"warm-up-{++_warmUps}")
        : ++_measured == 1 ? measured
        : Invariant($"{measured}-{_measured}");

    /// <summary>The <see cref="Shape"/> of work that its definitions describe completely.</summary>
    protected static string ShapeOf(IEnumerable<WorkflowDefinition> definitions) =>
        string.Join(';', definitions.Select(definition => $"{definition}:{string.Join(',', definition.Steps)}"));

    public virtual async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        await Backend.DisposeAsync();
    }
}
