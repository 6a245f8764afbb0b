using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Serdica.Perf.Workflows;

/// <summary>
/// Moves instances: workers claim due signals in batches and decide them, activities run beside them. Any number
/// of hosts, in any number of processes, share one database.
/// </summary>
/// <remarks>
/// A host that stops takes nothing new, commits what it has claimed, and waits for its activities up to
/// <see cref="WorkflowOptions.DrainTimeout"/>. One that is killed loses nothing: its claims fall back at once, the
/// leases of its activities when they run out.
/// </remarks>
public sealed class WorkflowHost : IHostedService, IAsyncDisposable
{
    private static readonly TimeSpan MaintenanceInterval = TimeSpan.FromSeconds(1);

    private readonly IWorkflowBackend _backend;
    private readonly WorkflowRegistry _registry;
    private readonly WorkflowOptions _options;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly CounterSet _counters = new();
    private readonly ActivityRunner _activities;
    private readonly CancellationTokenSource _stop = new();
    private readonly CancellationTokenSource _drained = new();
    private Task[] _loops = [];
    private Task _leaseKeeper = Task.CompletedTask;
    private bool _disposed;

    /// <exception cref="ArgumentException">A definition is registered twice, or an option makes no sense.</exception>
    public WorkflowHost(
        IWorkflowBackend backend,
        WorkflowRegistry registry,
        WorkflowOptions? options = null,
        ILogger<WorkflowHost>? logger = null,
        TimeProvider? time = null)
    {
        _backend = backend;
        _registry = registry;
        _options = options ?? new WorkflowOptions();
        _logger = logger ?? NullLogger<WorkflowHost>.Instance;
        _time = time ?? TimeProvider.System;
        Client = new WorkflowClient(backend, registry, _options, _time);
        _activities = new ActivityRunner(backend, Client, _options, _counters, _time, _logger);
    }

    /// <summary>A client of the same process; what it publishes wakes this host's workers without a detour.</summary>
    public WorkflowClient Client { get; }

    public HostCounters Counters => _counters.Read();

    /// <summary>Initialises the schema and starts the workers.</summary>
    public async Task StartAsync(CancellationToken cancellationToken)
    {
        await _backend.InitializeAsync(cancellationToken).ConfigureAwait(false);
        var loops = new List<Task>
        {
            Task.Run(ListenAsync, CancellationToken.None),
            Task.Run(() => RepeatAsync(MaintenanceInterval, _backend.MaintainAsync, Log.MaintenanceFailed, _stop.Token), CancellationToken.None),
        };
        _leaseKeeper = Task.Run(
            () => RepeatAsync(_options.ActivityLease / 3, _activities.ExtendLeasesAsync, Log.ExtensionFailed, _drained.Token), CancellationToken.None);
        for (var i = 0; i < _options.Workers; i++)
            loops.Add(Task.Run(WorkAsync, CancellationToken.None));
        _loops = [.. loops];
        Log.HostStarted(_logger, _backend.Name, _options.Workers, _registry.Definitions.Count);
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        if (_disposed)
            return;
        await _stop.CancelAsync().ConfigureAwait(false);
        await Task.WhenAll(_loops).WaitAsync(cancellationToken).ConfigureAwait(false);
        await _activities.DisposeAsync().ConfigureAwait(false);

        // Until here: activities that are drained still need their leases.
        await _drained.CancelAsync().ConfigureAwait(false);
        await _leaseKeeper.ConfigureAwait(false);
        _disposed = true;
        await Client.DisposeAsync().ConfigureAwait(false);
        _stop.Dispose();
        _drained.Dispose();
        Log.HostStopped(_logger, _counters.Signals, _counters.DeadLetters);
    }

    /// <summary>Stops the host; the backend stays, it belongs to whoever made it.</summary>
    public async ValueTask DisposeAsync() => await StopAsync(CancellationToken.None).ConfigureAwait(false);

    private async Task WorkAsync()
    {
        var decider = new BatchDecider(_registry, _activities, _options, _time, _logger);
        var failures = 0;
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                await TurnAsync(decider).ConfigureAwait(false);
                failures = 0;
            }
            catch (OperationCanceledException) when (_stop.IsCancellationRequested)
            {
                break;
            }
            catch (Exception e)
            {
                // The outermost loop of a worker: whatever it is, the worker must live on.
                decider.Forget();
                Interlocked.Increment(ref _counters.BackendFailures);
                var pause = RetryPolicy.Default.DelayAfter(++failures, 0) is var delay && delay < TimeSpan.FromSeconds(5)
                    ? delay
                    : TimeSpan.FromSeconds(5);
                Log.WorkerFailed(_logger, pause.TotalMilliseconds, e);
                await PauseAsync(pause).ConfigureAwait(false);
            }
        }

        decider.Forget();
    }

    /// <summary>One look for work, and what it finds; then sleep, unless there is or may be more.</summary>
    private async Task TurnAsync(BatchDecider decider)
    {
        var hints = Client.Hints;
        var began = hints.BeginLook();
        var found = false;
        try
        {
            var outcome = await _backend.ProcessAsync(_options.ClaimBatch, decider.Decide, _stop.Token).ConfigureAwait(false);
            found = outcome.Signals > 0 || outcome.Conflict;
            Follow(outcome, decider);
            if (outcome.Conflict || outcome.Signals >= _options.ClaimBatch)
                return;
        }
        finally
        {
            hints.EndLook(found);
        }

        if (hints.TrySleep(began, found) is { } sleep)
        {
            await sleep.WaitAsync(_stop.Token).ConfigureAwait(false);

            // Behind whoever else is ready to run in this process: what they publish is found by the same look.
            await Task.Yield();
        }
    }

    private void Follow(ProcessOutcome outcome, BatchDecider decider)
    {
        if (outcome.Conflict)
        {
            decider.Forget();
            Interlocked.Increment(ref _counters.Conflicts);
            Telemetry.Conflicts.Add(1);
            return;
        }

        if (outcome.Signals == 0)
        {
            Interlocked.Increment(ref _counters.EmptyClaims);
            if (outcome.NextDue is { } nextDue)
                Client.Hints.WorkDueIn(nextDue);
            return;
        }

        // A full batch: there is more than one worker's share.
        if (outcome.Signals >= _options.ClaimBatch)
            Client.Hints.WakeOne();
        Interlocked.Increment(ref _counters.Batches);
        Interlocked.Add(ref _counters.Signals, outcome.Signals);
        Telemetry.Handled.Add(outcome.Signals);
        Telemetry.ClaimBatch.Record(outcome.Signals);
        decider.Committed(Client.Closed, Client.Hints, _counters);
    }

    /// <summary>Wakes a worker at each hint from outside, and now and then without one: hints may be lost.</summary>
    private async Task ListenAsync()
    {
        var poll = _backend.Capabilities.CrossProcessHints ? _options.MaxPollInterval : _options.MaxPollInterval / 10;
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                await _backend.WaitForWorkAsync(poll, _stop.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (_stop.IsCancellationRequested)
            {
                return;
            }
            catch (Exception e)
            {
                Log.ListenerFailed(_logger, e);
                await PauseAsync(poll).ConfigureAwait(false);
            }

            Client.Hints.WakeOne();
        }
    }

    private async Task RepeatAsync(
        TimeSpan interval, Func<CancellationToken, Task> run, Action<ILogger, Exception> onError, CancellationToken end)
    {
        while (await PauseAsync(interval, end).ConfigureAwait(false))
        {
            try
            {
                await run(end).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (end.IsCancellationRequested)
            {
                return;
            }
            catch (Exception e)
            {
                onError(_logger, e);
            }
        }
    }

    /// <returns>False when the host stops meanwhile.</returns>
    private Task<bool> PauseAsync(TimeSpan pause) => PauseAsync(pause, _stop.Token);

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
