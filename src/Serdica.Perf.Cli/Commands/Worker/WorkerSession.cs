namespace Serdica.Perf.Cli.Commands.Worker;

/// <summary>One worker process: a host for each workload, a probe of the database, and what they report.</summary>
/// <param name="probe">Asks the database whether it answers, beside the connections of the hosts; null for no probe.</param>
internal sealed class WorkerSession(
    WorkerRequest request,
    IWorkflowBackend? probe,
    DatabaseEnvironment environment,
    TextWriter output,
    RunLog log
)
{
    /// <summary>The state of a worker whose hosts claim.</summary>
    public const string Running = "running";

    private static readonly TimeSpan ProbeInterval = FromSeconds(1);

    /// <summary>A probe that takes longer has failed.</summary>
    private static readonly TimeSpan ProbeLimit = FromSeconds(2);

    private IReadOnlyList<IHostedWork> _hosts = [];
    private volatile string _state = "starting";
    private volatile string? _trouble;

    /// <value>Each release is answered with a status line.</value>
    public SemaphoreSlim? Asked { get; init; }

    /// <value>Awaited before the hosts start; default: nothing.</value>
    public Func<CancellationToken, Task> BeforeStart { get; init; } = static _ => Task.CompletedTask;

    /// <summary>Returns when the token has fired and all hosts have stopped: claims are committed, leases given back.</summary>
    /// <exception cref="UsageException">A scenario has no workflows of its own, or the port is not available.</exception>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        _hosts = request.Create(new WorkerStore(request.Backend, request.Store, environment, request.JoinsRun));
        using var health = request.HealthPort is { } port ? Listen(port) : null;
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var beside = Task.WhenAll(
            ProbeAsync(end.Token),
            ReportAsync(end.Token),
            AnswerAsync(end.Token),
            health?.RunAsync(end.Token) ?? Task.CompletedTask
        );
        try
        {
            await BeforeStart(cancellationToken);
            foreach (var host in _hosts)
                await host.OpenAsync(log.Loggers, cancellationToken);

            _state = Running;
            await PrintAsync();
            await Task.Delay(Timeout.InfiniteTimeSpan, cancellationToken);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // Asked to stop, which is how a worker ends.
        }
        finally
        {
            _state = "stopping";
            await Task.WhenAll(_hosts.Select(host => host.DisposeAsync().AsTask()));
            await end.CancelAsync();
            await beside.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        _state = "stopped";
        await PrintAsync();
    }

    private WorkerHealth Listen(int port)
    {
        var health = new WorkerHealth(port, Read);
        try
        {
            health.Start();
            return health;
        }
        catch (HttpListenerException error)
        {
            health.Dispose();
            throw new UsageException($"Port {port} of 127.0.0.1 is not available: {error.Message}. Choose another with --health-port.");
        }
    }

    private async Task ProbeAsync(CancellationToken cancellationToken)
    {
        while (probe is not null)
        {
            await Task.Delay(ProbeInterval, cancellationToken);
            try
            {
                await probe.FindAsync(Guid.Empty, cancellationToken).WaitAsync(ProbeLimit, cancellationToken);
                _trouble = null;
            }
            catch (Exception e) when (!cancellationToken.IsCancellationRequested)
            {
                _trouble =
                    e is TimeoutException
                        ? $"The database has not answered for {ProbeLimit.TotalSeconds} s."
                        : SecretScrubber.Scrub(e.Message);
            }
        }
    }

    private async Task AnswerAsync(CancellationToken cancellationToken)
    {
        while (Asked is not null)
        {
            await Asked.WaitAsync(cancellationToken);
            await PrintAsync();
        }
    }

    private async Task ReportAsync(CancellationToken cancellationToken)
    {
        while (request.StatusInterval > TimeSpan.Zero)
        {
            await Task.Delay(request.StatusInterval, cancellationToken);
            await PrintAsync();
        }
    }

    private WorkerStatus Read()
    {
        var status = WorkerStatus.Of(_state, _trouble, DateTimeOffset.UtcNow, _hosts);
        return request.IsMeasured
            ? status
            : status with { Process = status.Process with { Connections = new ProcessConnections().Of(status.Process.Id) } };
    }

    private Task PrintAsync()
    {
        var status = Read();
        var counters = status.Counters;
        var line = request.Json
            ? JsonSerializer.Serialize(status, MeasurementJson.Compact)
            : Invariant($"{status.At:HH:mm:ss}Z {status.State}: {counters.Signals:N0} signals in {counters.Batches:N0} commits, ")
                + Invariant($"{counters.ActivityAttempts:N0} activities, {counters.DeadLetters:N0} dead letters, ")
                + Invariant($"{counters.Conflicts:N0} conflicts, {counters.BackendFailures:N0} failed calls")
                + (status.Clock is { } clock ? $", clock {clock.Text} ms" : "")
                + (status.Trouble is null ? "" : $". {status.Trouble}");
        return output.WriteLineAsync(line);
    }
}

/// <summary>An application's store as the hosts see it. A worker never removes it.</summary>
/// <param name="name">Schema, database or prefix; null for the backend's default.</param>
/// <param name="mustExist">Whether another process makes it.</param>
internal sealed class WorkerStore(string backend, string? name, DatabaseEnvironment environment, bool mustExist = false) : IScenarioStore
{
    public string Backend => backend;

    public IBackendStatistics? Statistics => null;

    public IWorkflowBackend Connect() =>
        ApplicationStore.Open(backend, name, environment, mustExist).Backend
        ?? throw new InvalidOperationException("The store was opened before; its server is named.");

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
