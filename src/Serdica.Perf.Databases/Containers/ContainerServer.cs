namespace Serdica.Perf.Databases.Containers;

/// <summary>A database in a container. It goes with this object or with this process, unless it is kept.</summary>
internal sealed class ContainerServer : DatabaseServer
{
    private static readonly TimeSpan RemoveLimit = TimeSpan.FromSeconds(30);

    private readonly IContainerEngine _engine;
    private readonly IDatabaseContainer _container;
    private readonly ContainerPlan _plan;
    private int _removed;

    public ContainerServer(
        IContainerEngine engine, IDatabaseContainer container, ContainerPlan plan, string connectionString, ServerDescription description)
    {
        (_engine, _container, _plan) = (engine, container, plan);
        ConnectionString = connectionString;
        Description = description;
        AppDomain.CurrentDomain.ProcessExit += OnProcessExit;
    }

    public override string ConnectionString { get; }

    public override ServerDescription Description { get; }

    public override async Task<ContainerUsage?> ReadUsageAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await _container.ReadUsageAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (ContainerEngineException)
        {
            return null;
        }
    }

    public override async Task<IReadOnlyList<TimeSpan>> MeasureFlushesAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await FlushProbe.MeasureAsync(_container, _plan.DataFolder, cancellationToken).ConfigureAwait(false);
        }
        catch (ContainerEngineException)
        {
            return [];
        }
    }

    public override async ValueTask DisposeAsync()
    {
        AppDomain.CurrentDomain.ProcessExit -= OnProcessExit;
        await RemoveAsync(CancellationToken.None).ConfigureAwait(false);
        _engine.Dispose();
    }

    private async Task RemoveAsync(CancellationToken cancellationToken)
    {
        if (_plan.KeptAs is null && Interlocked.Exchange(ref _removed, 1) == 0)
            await _engine.RemoveAsync(_container.Id, _plan.Volume, cancellationToken).ConfigureAwait(false);
    }

    private void OnProcessExit(object? sender, EventArgs e)
    {
        using var limit = new CancellationTokenSource(RemoveLimit);
        Task.Run(() => RemoveAsync(limit.Token)).Wait(RemoveLimit);
    }
}
