using Serdica.Perf.Measurement.Stores;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>A workload whose instances are run by one <see cref="WorkflowHost"/>.</summary>
public abstract class HostedWorkload(IScenarioStore store, WorkflowOptions options) : Workload(store, options)
{
    private WorkflowHost? _host;

    /// <inheritdoc/>
    public override string Shape => ShapeOf(Definitions);

    /// <inheritdoc/>
    public override HostCounters Counters => _host?.Counters ?? new();

    protected abstract IReadOnlyList<WorkflowDefinition> Definitions { get; }

    protected WorkflowRegistry Registry => field ??= new WorkflowRegistry(Definitions);

    /// <summary>The client of the host; what it publishes wakes the host's workers directly.</summary>
    protected WorkflowClient Client =>
        _host?.Client ?? throw new InvalidOperationException("The workload is not open.");

    /// <inheritdoc/>
    public override async Task OpenAsync(CancellationToken cancellationToken)
    {
        await OpenWithoutWorkersAsync(cancellationToken).ConfigureAwait(false);
        await StartWorkersAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Replaces <see cref="OpenAsync"/>: operations can be started and no worker handles them, so that a backlog forms.</summary>
    public async Task OpenWithoutWorkersAsync(CancellationToken cancellationToken)
    {
        _host = new WorkflowHost(Backend, Registry, Options, Troubles);
        await Backend.InitializeAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>To be called once after <see cref="OpenWithoutWorkersAsync"/>.</summary>
    public Task StartWorkersAsync(CancellationToken cancellationToken) =>
        _host?.StartAsync(cancellationToken) ?? throw new InvalidOperationException("The workload is not open.");

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        if (_host is not null)
            await _host.DisposeAsync().ConfigureAwait(false);
        await base.DisposeAsync().ConfigureAwait(false);
    }

    /// <summary>
    /// Watches an instance that needs nothing from outside and may close before it is watched; one query of the database covers
    /// this case.
    /// </summary>
    /// <returns>The task that ends when the instance has closed.</returns>
    protected async Task<Task<ClosedInstance>> WatchStartedAsync(Guid instanceId, CancellationToken cancellationToken)
    {
        var closed = Client.WatchClose(instanceId);
        InstanceRecord? record;
        try
        {
            record = await Backend.FindAsync(instanceId, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            Client.StopWatching(instanceId);
            throw;
        }

        if (record is null || !record.Status.IsClosed())
            return closed;

        // The host may never report this instance any more.
        Client.StopWatching(instanceId);
        return Task.FromResult(new ClosedInstance(instanceId, record.Status, null));
    }
}
