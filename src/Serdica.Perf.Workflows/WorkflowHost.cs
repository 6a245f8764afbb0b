using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging.Abstractions;

namespace Serdica.Perf.Workflows;

/// <summary>
/// Moves instances: workers claim due signals in batches and decide them, activities run beside them. Any number
/// of hosts, in any number of processes, share one database.
/// </summary>
/// <remarks>
/// A host that stops takes nothing new, commits what it has claimed, and waits for its activities up to
/// <see cref="WorkflowOptions.DrainTimeout"/>; those that it has to cancel then may run elsewhere at once. One that is
/// killed loses nothing: its claims fall back at once, the leases of its activities when they run out.
/// </remarks>
public sealed class WorkflowHost : IHostedService, IAsyncDisposable
{
    private static readonly TimeSpan MaintenanceInterval = FromSeconds(1);

    private static readonly RetryPolicy StartRetry = new() { MaxDelay = FromSeconds(5) };

    private readonly IWorkflowBackend _backend;
    private readonly WorkflowRegistry _registry;
    private readonly WorkflowOptions _options;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly CounterSet _counters = new();
    private readonly ActivityRunner _activities;
    private readonly WorkLoop _loop;
    private readonly HostMemory _memory;
    private readonly DirectCommits? _direct;
    private readonly CancellationTokenSource _drained = new();
    private readonly CancellationTokenSource _cutShort = new();
    private readonly Lock _stopping = new();
    private Task _maintenance = Task.CompletedTask;
    private Task _leaseKeeper = Task.CompletedTask;
    private Task? _claimsEnd;
    private Task? _end;

    /// <exception cref="ArgumentException">A definition is registered twice, or an option makes no sense.</exception>
    public WorkflowHost(
        IWorkflowBackend backend,
        WorkflowRegistry registry,
        WorkflowOptions? options = null,
        ILogger<WorkflowHost>? logger = null,
        TimeProvider? time = null
    )
    {
        _backend = backend;
        _registry = registry;
        _options = (options ?? new WorkflowOptions()).On(backend.Capabilities);
        _logger = new QuietLogger(logger ?? NullLogger<WorkflowHost>.Instance);
        _time = time ?? TimeProvider.System;
        Client = new WorkflowClient(backend, registry, _options, _time) { Host = this };
        _activities = new ActivityRunner(backend, Client, _options, _counters, _time, _logger);
        _memory = new HostMemory(backend, _options, _time, _logger);
        _loop = new WorkLoop(backend, Client.Hints, _options, _counters, _time, _logger);
        if (_options.DirectSignals && backend.Capabilities.DecidesDirectly)
            _direct = new DirectCommits(backend, CreateDirectDecider, _activities, Client, _options, _counters, _time, _logger);
    }

    /// <summary>A client of the same process; what it publishes wakes this host's workers without a detour.</summary>
    public WorkflowClient Client { get; }

    public HostCounters Counters => _counters.Read();

    /// <summary>
    /// How far the clock of this host is from the database's, as the claims of about a minute bound it; null before the first. No due
    /// time, lease or order depends on it.
    /// </summary>
    public ClockDifference? ClockDifference => _memory.Clock.Difference;

    /// <summary>
    /// Initialises the schema and starts the workers. While the database cannot be reached it waits, and tries again until
    /// it is cancelled: a service may start before its database.
    /// </summary>
    /// <exception cref="WorkflowBackendException">The database refused, for a reason that does not pass by itself.</exception>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        await InitializeAsync(cancellationToken).ConfigureAwait(false);
        _loop.Start(CreateWorker);
        if (_direct is not null)
            Client.DecideBy(_direct);
        _maintenance = RepeatAsync(MaintenanceInterval, MaintenanceInterval, _backend.MaintainAsync, Log.MaintenanceFailed, _loop.Stopping);
        _leaseKeeper = RepeatAsync(
            _options.ActivityLease / 3,
            _options.ActivityLease / 15,
            _activities.ExtendLeasesAsync,
            Log.ExtensionFailed,
            _drained.Token
        );
        Log.HostStarted(_logger, _backend.Name, _options.Workers, _registry.Definitions.Count);
    }

    /// <summary>Stops the host. Several calls at once stop it once.</summary>
    /// <param name="cancellationToken">Ends the wait for activities, which are then cancelled at once.</param>
    /// <exception cref="OperationCanceledException">What was claimed is not committed yet; the host can be stopped again.</exception>
    public async Task StopAsync(CancellationToken cancellationToken)
    {
        await Once(ref _claimsEnd, EndClaimsAsync).WaitAsync(cancellationToken).ConfigureAwait(false);
        using var hurry = cancellationToken.UnsafeRegister(static host => ((WorkflowHost)host!)._cutShort.Cancel(), this);
        await Once(ref _end, EndAsync).ConfigureAwait(false);
    }

    private Task Once(ref Task? task, Func<Task> begin)
    {
        lock (_stopping)
            return task ??= begin();
    }

    private Task EndClaimsAsync() => Task.WhenAll(_loop.StopAsync(), _maintenance, _direct?.StopAsync() ?? Task.CompletedTask);

    private async Task EndAsync()
    {
        await _activities.StopAsync(_cutShort.Token).ConfigureAwait(false);

        // Until here: activities that are drained still need their leases.
        await _drained.CancelAsync().ConfigureAwait(false);
        await _leaseKeeper.ConfigureAwait(false);
        await Client.EndAsync().ConfigureAwait(false);
        await _loop.DisposeAsync().ConfigureAwait(false);
        _drained.Dispose();
        Log.HostStopped(_logger, _counters.Signals, _counters.DeadLetters);
    }

    /// <summary>Stops the host; the backend stays, it belongs to whoever made it.</summary>
    public async ValueTask DisposeAsync() => await StopAsync(CancellationToken.None).ConfigureAwait(false);

    private SignalWorker CreateWorker() => new(_backend, CreateDecider, _activities, _memory, Client, _options, _counters, _time);

    private BatchDecider CreateDecider() => CreateDecider(isDirect: false);

    private BatchDecider CreateDirectDecider() => CreateDecider(isDirect: true);

    private BatchDecider CreateDecider(bool isDirect) =>
        new(_registry, _activities, _memory, _backend.Capabilities, _options, _time, _logger, isDirect);

    private async Task InitializeAsync(CancellationToken cancellationToken)
    {
        for (var failures = 1; ; failures++)
        {
            try
            {
                await _backend.InitializeAsync(cancellationToken).ConfigureAwait(false);
                return;
            }
            catch (WorkflowBackendException e) when (e.IsTransient && !cancellationToken.IsCancellationRequested)
            {
                var pause = StartRetry.DelayAfter(failures, Random.Shared.NextDouble());
                Log.StartDelayed(_logger, _backend.Name, pause.TotalMilliseconds, DriverErrors.TextOf(e), e);
                await Task.Delay(pause, _time, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    private async Task RepeatAsync(
        TimeSpan interval,
        TimeSpan afterFailure,
        Func<CancellationToken, Task> run,
        Action<ILogger, string, Exception> onError,
        CancellationToken end
    )
    {
        var pause = interval;
        while (await PauseAsync(pause, end).ConfigureAwait(false))
        {
            try
            {
                await run(end).ConfigureAwait(false);
                pause = interval;
            }
            catch (OperationCanceledException) when (end.IsCancellationRequested)
            {
                return;
            }
            catch (Exception e)
            {
                onError(_logger, DriverErrors.TextOf(e), e);
                pause = afterFailure;
            }
        }
    }

    /// <returns>False when the end has come meanwhile.</returns>
    private async Task<bool> PauseAsync(TimeSpan pause, CancellationToken end)
    {
        try
        {
            await Task.Delay(pause, _time, end).ConfigureAwait(false);
            return true;
        }
        catch (OperationCanceledException)
        {
            return false;
        }
    }
}
