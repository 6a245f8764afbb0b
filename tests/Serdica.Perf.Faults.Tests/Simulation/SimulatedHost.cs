namespace Serdica.Perf.Faults.Tests.Simulation;

/// <summary>
/// The parts of a <see cref="WorkflowHost"/> without its loops: the scheduler of a test calls them one at a time. Its clock is its own,
/// so that a host can be stopped like a process.
/// </summary>
internal sealed class SimulatedHost : IAsyncDisposable
{
    private const int Yields = 3;

    /// <summary>Limits the wait, because a report may begin its pause later than <see cref="PausedReports"/> assumes.</summary>
    private static readonly TimeSpan MostSettling = FromSeconds(1);

    private readonly HistoryWriter _history;
    private readonly WorkflowOptions _options;
    private readonly WorkflowClient _client;
    private readonly ActivityRunner _runner;
    private readonly SignalWorker _worker;
    private readonly PausedReports _paused;

    public SimulatedHost(
        string name,
        SimulatedSeam seam,
        HistoryWriter history,
        ConcurrentDictionary<Guid, int> newestAttempts,
        WorkflowOptions options,
        ManualTimeProvider clock,
        TimeSpan patience
    )
    {
        Name = name;
        Seam = seam;
        Clock = clock;
        Activities = new SimulatedActivities(seam, newestAttempts, patience);
        _options = options;
        _history = history;
        var backend = new RecordingBackend(seam, _history);
        var registry = new WorkflowRegistry(ShapedWorkflow.Definitions(new EffectRecorder(_history, Activities.RunAsync)));
        _client = new WorkflowClient(backend, registry, options, clock);
        var counters = new CounterSet();
        _paused = new PausedReports(clock);
        _runner = new ActivityRunner(backend, _client, options, counters, clock, _paused);
        var memory = new HostMemory(backend, options, clock, NullLogger.Instance);
        _worker = new SignalWorker(backend, () => CreateDecider(isDirect: false), _runner, memory, _client, options, counters, clock);
        if (options.DirectSignals && backend.Capabilities.DecidesDirectly)
            _client.DecideBy(
                new(backend, () => CreateDecider(isDirect: true), _runner, _client, options, counters, clock, NullLogger.Instance)
            );

        BatchDecider CreateDecider(bool isDirect) =>
            new(registry, _runner, memory, backend.Capabilities, options, clock, NullLogger.Instance, isDirect);
    }

    public string Name { get; }

    public SimulatedSeam Seam { get; }

    public ManualTimeProvider Clock { get; }

    public SimulatedActivities Activities { get; }

    public bool IsDead => Seam.IsDead;

    /// <summary>The fault that has stopped it as by SIGSTOP: it does nothing, and its timers do not fire. 0 when it runs.</summary>
    public long PausedBy { get; set; }

    public bool IsPaused => PausedBy > 0;

    /// <summary>One turn of its worker.</summary>
    /// <returns>Whether it found something.</returns>
    public async Task<bool> TurnAsync()
    {
        var look = _worker.LookAsync(CancellationToken.None);
        if (await Task.WhenAny(look, Seam.Death) != look || IsDead)
            return true;
        try
        {
            var outcome = await look;
            if (outcome.Conflict)
                _worker.Forget();
            else if (outcome.Signals > 0)
                _worker.Committed();
            return outcome.Conflict || outcome.Signals > 0;
        }
        catch (Exception e)
        {
            _worker.Failed(e);
            _worker.Forget();
            return true;
        }
        finally
        {
            await SettleAsync();
        }
    }

    public async Task ExtendLeasesAsync()
    {
        try
        {
            await Task.WhenAny(_runner.ExtendLeasesAsync(CancellationToken.None), Seam.Death).Unwrap();
        }
        catch (Exception e) when (e is WorkflowBackendException or TimeoutException)
        {
            // It is tried again later.
        }
    }

    /// <summary>
    /// Waits until each activity of this host has begun or ended, and each report is written or waits for its next try, but at most
    /// <see cref="MostSettling"/>. What runs beside the scheduler has then reached its next wait. If virtual time passed earlier, a
    /// handler would seem not to end, or an activity would not have seen its cancellation.
    /// </summary>
    public async Task SettleAsync()
    {
        // A cancellation that a timer has begun is on its way to the activity.
        for (var i = 0; i < Yields; i++)
            await Task.Yield();
        var began = Stopwatch.GetTimestamp();
        while (!IsDead && (Seam.IsCalled || (IsUnderWay() && Stopwatch.GetElapsedTime(began) < MostSettling)))
            await Task.Yield();

        bool IsUnderWay() => _options.MaxActivities - _runner.FreePlaces != Activities.Waiting + _paused.Count;
    }

    public async ValueTask DisposeAsync()
    {
        _worker.Dispose();
        await _history.DisposeAsync();
    }
}
