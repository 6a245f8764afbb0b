using Serdica.Perf.Measurement.Driving;
using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>
/// One run of a scenario on one store: opens hosts or pumps, makes sets of operations for the warm-up and for the measured
/// window, and closes everything when it is disposed.
/// </summary>
public abstract class Workload(IScenarioStore store, WorkflowOptions options) : IAsyncDisposable
{
    /// <summary>The backend object of the workers; others may be connected beside it.</summary>
    public IWorkflowBackend Backend { get; } = store.Connect();

    /// <summary>What identifies the work itself: changes when definitions, payloads or states do.</summary>
    public abstract string Shape { get; }

    /// <summary>Instances that each operation leaves.</summary>
    public virtual int InstancesPerOperation => 1;

    /// <summary>
    /// Whether it can make sets of <see cref="OperationSet.Endless"/> operations: nothing is prepared for each, and what is kept
    /// of them stays bounded. A closed load of other work ends when its operations are used up.
    /// </summary>
    public virtual bool CanBeEndless => false;

    public abstract HostCounters Counters { get; }

    /// <summary>What its hosts and pumps have warned of.</summary>
    public EngineTroubles Troubles { get; } = new();

    protected IScenarioStore Store => store;

    protected WorkflowOptions Options { get; init; } = options;

    /// <summary>Makes the schema and starts the workers.</summary>
    public abstract Task OpenAsync(CancellationToken cancellationToken);

    /// <param name="count">How many operations; <see cref="OperationSet.Endless"/> only where <see cref="CanBeEndless"/> says so.</param>
    /// <param name="warmUp">Whether they only warm up: those that would wait on purpose need not.</param>
    public abstract OperationSet CreateOperations(int count, bool warmUp);

    /// <summary>The <see cref="Shape"/> of work that is all in its definitions.</summary>
    protected static string ShapeOf(IEnumerable<WorkflowDefinition> definitions) =>
        string.Join(';', definitions.Select(definition => $"{definition}:{string.Join(',', definition.Steps)}"));

    public virtual async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        await Backend.DisposeAsync().ConfigureAwait(false);
    }
}
