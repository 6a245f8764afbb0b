namespace Serdica.Perf.Faults.Tests.Simulation;

/// <summary>
/// Clients and two hosts on one database in one process, in virtual time, one step at a time in an order that the seed decides. A host
/// that dies is replaced. At the end everything comes to rest, and the history is checked.
/// </summary>
internal sealed class SimulatedRun : IAsyncDisposable
{
    private const int Hosts = 2;

    /// <summary>A fraction of the tenth of a lease that a host keeps to itself.</summary>
    private static readonly TimeSpan Piece = FromMilliseconds(400);

    private const int MostDrainSteps = 400;

    /// <summary>What the last call of a client has begun goes on for a while in a random order, before everything comes to rest.</summary>
    private const int StepsAfterwards = 60;

    private readonly SimulatedPlan _plan;
    private readonly string _folder;
    private readonly IWorkflowBackend _database;
    private readonly ManualTimeProvider _time;
    private readonly Random _random;
    private readonly WorkflowOptions _options;
    private readonly HistoryWriter _run;
    private readonly HistoryWriter _clients;
    private readonly WorkflowClient _client;
    private readonly List<SimulatedHost> _hosts = [];
    private readonly List<SimulatedHost> _dead = [];
    private readonly ConcurrentDictionary<Guid, int> _newestAttempts = [];
    private readonly List<(ShapeClient Client, IAsyncEnumerator<bool> Script)> _scripts = [];
    private long _faults;
    private int _hostCalls;
    private int _clientCalls;
    private bool _isAtRest;

    public SimulatedRun(SimulatedPlan plan, string folder, Func<TimeProvider, IWorkflowBackend> database)
    {
        _plan = plan;
        _folder = folder;
        _time = new ManualTimeProvider();
        _database = database(_time);
        _random = new Random(plan.Seed);
        _options = new WorkflowOptions
        {
            ActivityLease = FromSeconds(10),
            DirectSignals = plan.Direct,
            SignalRetry = new RetryPolicy { MaxAttempts = plan.SignalAttempts, FirstDelay = FromMilliseconds(50) },
        };
        _run = new HistoryWriter(folder, "run", "run", _time);
        _run.Write(
            new() { Kind = HistoryKind.Limits, Limits = new() { SignalAttempts = 3, ActivityAttempts = RetryPolicy.Default.MaxAttempts } }
        );
        _clients = new HistoryWriter(folder, "clients", "client", _time);
        var seam = new SimulatedSeam(_database, ClientFault);
        _client = new WorkflowClient(
            new RecordingBackend(seam, _clients),
            new WorkflowRegistry(ShapedWorkflow.Definitions(new EffectRecorder(_clients))),
            _options,
            _time
        );
    }

    /// <summary>Calls of the seam by hosts.</summary>
    public int Calls => _hostCalls;

    public static async Task<(CheckReport Report, int Calls)> CheckAsync(
        SimulatedPlan plan,
        string folder,
        Func<TimeProvider, IWorkflowBackend>? database = null
    )
    {
        await using var run = new SimulatedRun(plan, folder, database ?? (time => new InMemoryWorkflowBackend(time)));
        await run.RunAsync();
        return (HistoryChecker.Check(folder), run.Calls);
    }

    private async Task RunAsync()
    {
        for (var i = 0; i < Hosts; i++)
            AddHost();
        for (var i = 0; i < _plan.Clients; i++)
        {
            var client = new ShapeClient(_client, _clients, $"c{i}");
            _scripts.Add((client, _plan.Shape.Run(client).GetAsyncEnumerator()));
        }

        var open = _scripts.ToList();
        while (open.Count > 0)
        {
            if (_random.Next(3) == 0)
            {
                var chosen = _random.Next(open.Count);
                if (!await open[chosen].Script.MoveNextAsync())
                    open.RemoveAt(chosen);
            }
            else
            {
                await StepAsync();
            }
        }

        for (var i = 0; i < StepsAfterwards; i++)
            await StepAsync();
        await DrainAsync();
        _isAtRest = true;
        foreach (var (client, _) in _scripts)
            await client.SeeClosesAsync();
        foreach (var host in _hosts.Concat(_dead))
            await host.DisposeAsync();
        await _clients.DisposeAsync();
        await _run.DisposeAsync();
        await FinalState.WriteAsync(_database, _folder, _time);
    }

    private async Task StepAsync()
    {
        await ReplaceDeadAsync();
        var host = _hosts[_random.Next(_hosts.Count)];
        if (host.IsPaused)
        {
            if (_random.Next(4) == 0)
                await ResumeAsync(host);
            else
                await AdvanceAsync(FromSeconds(_random.Next(1, 8)));
            return;
        }

        switch (_random.Next(_plan.Pauses ? 12 : 11))
        {
            case < 6:
                await host.TurnAsync();
                break;
            case < 8:
                await EndAsync(host);
                break;
            case 8:
                await host.ExtendLeasesAsync();
                break;
            case < 11:
                await AdvanceAsync(FromMilliseconds(_random.Next(1, 400)));
                break;
            default:
                Pause(host);
                break;
        }
    }

    /// <summary>Lets everything that is due happen, until nothing is due and nothing will be.</summary>
    private async Task DrainAsync()
    {
        for (var i = 0; i < MostDrainSteps; i++)
        {
            await ReplaceDeadAsync();
            foreach (var host in _hosts.ToList())
            {
                if (host.IsPaused)
                    await ResumeAsync(host);
                while (await host.TurnAsync() && !host.IsDead) { }
                while (!host.IsDead && host.Activities.Waiting > 0)
                    await EndAsync(host);
                await host.ExtendLeasesAsync();
            }

            if (_hosts.TrueForAll(host => !host.IsDead) && await _database.TakeCensusAsync(default) is { SignalsDue: 0, SignalsLater: 0 })
                return;
            await AdvanceAsync(FromMilliseconds(500));
        }
    }

    private async Task EndAsync(SimulatedHost host)
    {
        await host.Activities.EndAsync(_random.Next, context => _plan.AttemptFails(context.Attempt), host.IsPaused);
        await host.SettleAsync();
    }

    private void Pause(SimulatedHost host)
    {
        host.PausedBy = ++_faults;
        WriteFault(host, HistoryPhase.Began, null);
    }

    /// <summary>A process that resumes goes on with its instruction before its timers fire.</summary>
    private async Task ResumeAsync(SimulatedHost host)
    {
        while (host.Activities.Waiting > 0)
            await EndAsync(host);
        host.Clock.Advance(_time.GetUtcNow() - host.Clock.GetUtcNow());
        await host.SettleAsync();
        WriteFault(host, HistoryPhase.Done, 1);
        host.PausedBy = 0;
    }

    private void WriteFault(SimulatedHost host, HistoryPhase phase, double? evidence) =>
        _run.Write(
            new()
            {
                Kind = HistoryKind.Fault,
                Operation = host.PausedBy,
                Name = FaultTraits.Name(FaultKind.PauseHost),
                Process = host.Name,
                Phase = phase,
                Value = evidence,
            }
        );

    /// <summary>In short pieces: a host that gives an activity up before its lease ends must be able to do so in between.</summary>
    private async Task AdvanceAsync(TimeSpan time)
    {
        for (var rest = time; rest > TimeSpan.Zero; rest -= Piece)
        {
            _time.Advance(rest < Piece ? rest : Piece);
            foreach (var host in _hosts)
            {
                if (host.IsPaused)
                    continue;
                host.Clock.Advance(_time.GetUtcNow() - host.Clock.GetUtcNow());
                await host.SettleAsync();
            }
        }
    }

    private SeamFault HostFault() => _plan.HostFaults(Interlocked.Increment(ref _hostCalls));

    /// <summary>None at rest: a client that looks again after a failure would wait for a time that does not pass any more.</summary>
    private SeamFault ClientFault() => _isAtRest ? SeamFault.None : _plan.ClientFaults(Interlocked.Increment(ref _clientCalls));

    /// <summary>The transaction in which a host has died is rolled back beside the scheduler, and holds its instances until then.</summary>
    private async Task ReplaceDeadAsync()
    {
        foreach (var host in _hosts.FindAll(host => host.IsDead))
        {
            await host.Seam.Death;
            _hosts.Remove(host);
            _dead.Add(host);
            AddHost();
        }
    }

    private void AddHost()
    {
        var name = $"host-{_hosts.Count + _dead.Count + 1}";
        var clock = new ManualTimeProvider();
        clock.Advance(_time.GetUtcNow() - clock.GetUtcNow());

        // The monotonic clock of the machine goes on while a process is stopped.
        var history = new HistoryWriter(_folder, name, "host", _time);
        var seam = new SimulatedSeam(_database, HostFault);
        _hosts.Add(new SimulatedHost(name, seam, history, _newestAttempts, _options, clock, _plan.Patience));
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var (_, script) in _scripts)
            await script.DisposeAsync();
        await _clients.DisposeAsync();
        await _run.DisposeAsync();
    }
}
