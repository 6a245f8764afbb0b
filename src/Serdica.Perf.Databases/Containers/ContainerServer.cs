namespace Serdica.Perf.Databases.Containers;

/// <summary>A database in a container. It goes with this object or with this process, unless it is kept.</summary>
internal sealed class ContainerServer : DatabaseServer
{
    private static readonly TimeSpan RemoveLimit = FromSeconds(30);

    private readonly IContainerEngine _engine;
    private readonly IDatabaseContainer _container;
    private readonly ContainerPlan _plan;
    private readonly ILogger _logger;
    private readonly Func<string> _connectionString;
    private readonly Func<CancellationToken, Task> _untilItAnswers;
    private int _removed;

    public ContainerServer(
        IContainerEngine engine,
        IDatabaseContainer container,
        ContainerPlan plan,
        ILogger logger,
        Func<string> connectionString,
        Func<CancellationToken, Task> untilItAnswers,
        ServerDescription description
    )
    {
        (_engine, _container, _plan, _logger) = (engine, container, plan, logger);
        (_connectionString, _untilItAnswers) = (connectionString, untilItAnswers);
        Description = description;
        AppDomain.CurrentDomain.ProcessExit += OnProcessExit;
    }

    public override string ConnectionString => _connectionString();

    public override ServerDescription Description { get; }

    public IDatabaseContainer Container => _container;

    /// <summary>Whether it ends with this process; others may use one that is kept.</summary>
    public bool IsOwn => _plan.KeptAs is null;

    /// <summary>Starts the container after it has ended, perhaps on another port, and returns once the server answers.</summary>
    public async Task StartAgainAsync(CancellationToken cancellationToken)
    {
        await _container.StartAgainAsync(cancellationToken);
        await _untilItAnswers(cancellationToken);
    }

    public override async Task<ContainerUsage?> ReadUsageAsync(CancellationToken cancellationToken)
    {
        try
        {
            return await _container.ReadUsageAsync(cancellationToken);
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
            return await FlushProbe.MeasureAsync(_container, _plan.DataFolder, cancellationToken);
        }
        catch (ContainerEngineException)
        {
            return [];
        }
    }

    public override async ValueTask DisposeAsync()
    {
        AppDomain.CurrentDomain.ProcessExit -= OnProcessExit;
        if (Volatile.Read(ref _removed) == 0)
            await TellOfMemoryAsync();
        await RemoveAsync(CancellationToken.None);
        _engine.Dispose();
    }

    /// <summary>Whoever worked on the server saw connections that broke, and no cause.</summary>
    private async Task TellOfMemoryAsync()
    {
        try
        {
            if (await MemoryProbe.RanOutAsync(_container, CancellationToken.None))
                Log.RanOutOfMemory(
                    _logger,
                    Description.Product,
                    _plan.MemoryBytes is { } limit ? $"its {limit >> 20} MiB" : "memory of the machine"
                );
        }
        catch (ContainerEngineException)
        {
            // It is gone, and what there was to tell with it.
        }
    }

    private async Task RemoveAsync(CancellationToken cancellationToken)
    {
        if (_plan.KeptAs is null && Interlocked.Exchange(ref _removed, 1) == 0)
            await _engine.RemoveAsync(_container.Id, _plan.Labels, cancellationToken);
    }

    private void OnProcessExit(object? sender, EventArgs e)
    {
        using var limit = new CancellationTokenSource(RemoveLimit);
        Task.Run(() => RemoveAsync(limit.Token)).Wait(RemoveLimit);
    }
}
