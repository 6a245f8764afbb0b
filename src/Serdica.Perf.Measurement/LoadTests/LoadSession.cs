namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>A fresh store with workers, for one step or for all. Disposal removes the store.</summary>
internal sealed class LoadSession : IAsyncDisposable
{
    /// <summary>Operations a second for work whose operations cannot be endless; <see cref="MostOperations"/> limits the total.</summary>
    private const int MostPerSecond = 100_000;

    private const int MostOperations = 20_000_000;

    private readonly SuiteRun _suite;
    private readonly bool _workersLater;
    private IHostProcesses? _hosts;
    private WarmUp? _warmUp;

    private LoadSession(SuiteRun suite, IScenarioStore store, Workload workload, bool workersLater)
    {
        _suite = suite;
        Store = store;
        Workload = workload;
        _workersLater = workersLater;
    }

    public IScenarioStore Store { get; }

    public Workload Workload { get; }

    /// <summary>Starts the workers of a session that was opened without; does nothing in others, and when called again.</summary>
    public Func<CancellationToken, Task> StartWorkersAsync { get; private set; } = static _ => Task.CompletedTask;

    /// <summary>Opens a session and warms it up.</summary>
    /// <param name="hosts">Host processes for the store; null for a host in this process.</param>
    /// <param name="workersLater">Whether the workers wait for <see cref="StartWorkersAsync"/>; there is no warm-up then.</param>
    public static async Task<LoadSession> OpenAsync(
        SuiteRun suite,
        IMeasuredBackend backend,
        LoadProfile profile,
        LoadWork work,
        HostSource? hosts,
        bool workersLater,
        CancellationToken cancellationToken
    )
    {
        var store = await backend.CreateStoreAsync(suite.Folder.RunId);
        var session = new LoadSession(suite, store, work.Create(store), workersLater);
        try
        {
            if (hosts is not null)
                await session.UseAsync(hosts, profile, cancellationToken);
            await session.OpenAsync(profile, work, hosts?.Count ?? 0, cancellationToken);
            return session;
        }
        catch
        {
            await session.DisposeAsync();
            throw;
        }
    }

    /// <summary>The warm-up, for the first step after it; null for later ones, and without a warm-up.</summary>
    public WarmUp? TakeWarmUp()
    {
        var warmUp = _warmUp;
        _warmUp = null;
        return warmUp;
    }

    /// <summary>A closed load that is not reported, and its drain.</summary>
    /// <returns>Completed operations a second.</returns>
    public async Task<double> PreludeAsync(int users, TimeSpan duration, TimeSpan drain, CancellationToken cancellationToken)
    {
        var outcome = await MeasuredRun
            .PreludeAsync(
                Workload,
                MostWithin(duration),
                new() { Model = LoadModel.Closed, Concurrency = users, MaxDuration = duration },
                drain,
                cancellationToken
            );
        return outcome.PerSecond;
    }

    /// <summary>The number of operations of a closed load: unlimited where the work allows it.</summary>
    public int MostWithin(TimeSpan duration) =>
        Workload.CanBeEndless ? OperationSet.Endless : (int)Math.Min(MostOperations, Math.Max(1, duration.TotalSeconds) * MostPerSecond);

    public async ValueTask DisposeAsync()
    {
        if (_hosts is not null)
            await _hosts.DisposeAsync();
        await Workload.DisposeAsync();
        await _suite.RemoveAsync(Store);
    }

    private async Task UseAsync(HostSource hosts, LoadProfile profile, CancellationToken cancellationToken)
    {
        var hosted = LoadWork.RemoteHostOf(Workload, profile);
        hosted.HostProcesses = _hosts = await hosts.OpenAsync(new([Store]), cancellationToken);
    }

    private async Task OpenAsync(LoadProfile profile, LoadWork work, int hosts, CancellationToken cancellationToken)
    {
        if (_workersLater)
        {
            var hosted = LoadWork.HostOf(Workload, profile);
            await hosted.OpenWithoutWorkersAsync(cancellationToken);
            StartWorkersAsync = token =>
            {
                StartWorkersAsync = static _ => Task.CompletedTask;
                return hosted.StartWorkersAsync(token);
            };
            return;
        }

        await Workload.OpenAsync(cancellationToken);
        if (profile.WarmUp <= TimeSpan.Zero)
            return;

        var callers = profile.Steps.Max(step => step.MinUsers);
        _warmUp = await new WarmUpRun(Workload, new() { Model = LoadModel.Closed, Concurrency = callers }, profile.DrainLimit)
            .UntilWarmAsync(work.FirstWarmUp(callers), WarmUpRule.Of(callers, profile.WarmUp, hosts), cancellationToken);
    }
}
