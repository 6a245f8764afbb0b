namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>A workload whose instances are run by one <see cref="WorkflowHost"/>, or by the hosts of other processes.</summary>
public abstract class HostedWorkload(IScenarioStore store, WorkflowOptions options) : Workload(store, options), IHostedWork
{
    private WorkflowHost? _host;
    private WorkflowHost? _shared;

    /// <inheritdoc/>
    public override string Shape => ShapeOf(Definitions);

    /// <inheritdoc/>
    public override HostCounters Counters => _host?.Counters ?? new();

    /// <inheritdoc/>
    public override bool? IsDirect => Backend.Capabilities.DecidesDirectly ? Options.DirectSignals && HostProcesses is null : null;

    /// <summary>Activities of this process that failed on purpose.</summary>
    internal virtual long InjectedFailures => 0;

    /// <summary>How far the clock of this process is from the database's; null without a host here that has claimed something.</summary>
    internal HostClock? HostClock =>
        _host?.ClockDifference is { } difference
            ? new() { AheadMs = difference.Ahead.TotalMilliseconds, UncertaintyMs = difference.Uncertainty.TotalMilliseconds }
            : null;

    long IHostedWork.InjectedFailures => InjectedFailures;

    HostClock? IHostedWork.Clock => HostClock;

    protected abstract IReadOnlyList<WorkflowDefinition> Definitions { get; }

    /// <summary>
    /// The workload, when its instances can be run by another process or beside others: nothing about single operations is prepared in
    /// this process. Null when they cannot, and when it has no host.
    /// </summary>
    internal static HostedWorkload? RunningAnywhere(Workload workload) =>
        workload is HostedWorkload { CanBeEndless: true } hosted ? hosted : null;

    /// <summary>The definitions, for a host that runs them with others.</summary>
    internal IReadOnlyList<WorkflowDefinition> DefinitionsToShare => Definitions;

    /// <summary>The options, for a host that runs the definitions with others.</summary>
    internal WorkflowOptions OptionsToShare => Options;

    protected WorkflowRegistry Registry => field ??= new WorkflowRegistry(Definitions);

    /// <summary>The client of the host; what it publishes wakes the host's workers directly.</summary>
    protected WorkflowClient Client => (_host ?? _shared)?.Client ?? throw new InvalidOperationException("The workload is not open.");

    /// <inheritdoc/>
    public override async Task OpenAsync(CancellationToken cancellationToken)
    {
        await OpenWithoutWorkersAsync(cancellationToken);
        await StartWorkersAsync(cancellationToken);
    }

    /// <summary>
    /// Replaces <see cref="OpenAsync"/> in a process that only works: operations are started by other processes. While the database
    /// cannot be reached it waits.
    /// </summary>
    /// <param name="logger">What the host has to say; <see cref="Workload.Troubles"/> by default.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    internal Task OpenAsWorkerAsync(ILogger<WorkflowHost>? logger, CancellationToken cancellationToken)
    {
        _host = new WorkflowHost(Backend, Registry, Options, logger ?? Troubles);
        return _host.StartAsync(cancellationToken);
    }

    Task IHostedWork.OpenAsync(ILoggerFactory loggers, CancellationToken cancellationToken) =>
        OpenAsWorkerAsync(loggers.CreateLogger<WorkflowHost>(), cancellationToken);

    /// <summary>Replaces <see cref="OpenAsync"/>: operations can be started and no worker handles them, so that a backlog forms.</summary>
    internal virtual async Task OpenWithoutWorkersAsync(CancellationToken cancellationToken)
    {
        _host = new WorkflowHost(Backend, Registry, Options, Troubles);
        await Backend.InitializeAsync(cancellationToken);
    }

    /// <summary>Replaces <see cref="OpenAsync"/>: the instances run on the host of another workload on the same store.</summary>
    internal Task OpenWithAsync(HostedWorkload other, CancellationToken cancellationToken)
    {
        _shared = other._host;
        return Backend.InitializeAsync(cancellationToken);
    }

    /// <summary>To be called once after <see cref="OpenWithoutWorkersAsync"/>.</summary>
    internal Task StartWorkersAsync(CancellationToken cancellationToken) =>
        _host is null ? throw new InvalidOperationException("The workload is not open.")
        : HostProcesses is { } processes ? processes.StartAsync(cancellationToken)
        : _host.StartAsync(cancellationToken);

    /// <inheritdoc/>
    public override async ValueTask DisposeAsync()
    {
        if (_host is not null)
            await _host.DisposeAsync();
        await base.DisposeAsync();
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
            record = await Backend.FindAsync(instanceId, cancellationToken);
        }
        catch
        {
            Client.StopWatching(instanceId, closed);
            throw;
        }

        if (record is null || !record.Status.IsClosed())
            return closed;

        // The host may never report this instance any more.
        Client.StopWatching(instanceId, closed);
        return Task.FromResult(new ClosedInstance(instanceId, record.Status, null));
    }
}
