namespace Serdica.Perf.Measurement.Tests;

/// <summary>Hosts that stand for processes: each is a workload of its own on the same store.</summary>
internal sealed class SameProcessHosts : IHostProcesses
{
    private readonly HostedWorkload[] _hosts;
    private int _reads;

    private SameProcessHosts(int count, Func<HostedWorkload> create) => _hosts = [.. Range(0, count).Select(_ => create())];

    /// <summary>Database calls of the last host that fail between two readings.</summary>
    private int FailedCalls { get; init; }

    /// <summary>The hosts claim from this reading on.</summary>
    private int IdleReads { get; init; }

    public static HostSource Source(int count, Func<IScenarioStore, HostedWorkload> create, int failedCalls = 0, int idleReads = 0) =>
        new(
            count,
            (task, _) =>
                Task.FromResult<IHostProcesses>(
                    new SameProcessHosts(count, () => create(task.Stores[0])) { FailedCalls = failedCalls, IdleReads = idleReads }
                )
        );

    public Task StartAsync(CancellationToken cancellationToken) =>
        IdleReads > _reads
            ? Task.CompletedTask
            : Task.WhenAll(_hosts.Select(host => host.OpenAsWorkerAsync(null, cancellationToken)));

    public async Task<IReadOnlyList<HostUsage>> ReadAsync(CancellationToken cancellationToken)
    {
        var failed = FailedCalls * Interlocked.Increment(ref _reads);
        if (IdleReads == _reads)
            await StartAsync(CancellationToken.None);
        return
        [
            .. _hosts.Select(
                (host, index) =>
                    new HostUsage(
                        index + 1,
                        ProcessUsage.Read(),
                        index < _hosts.Length - 1 ? host.Counters : host.Counters with { BackendFailures = failed },
                        host.InjectedFailures
                    )
            ),
        ];
    }

    public async ValueTask DisposeAsync()
    {
        foreach (var host in _hosts)
            await host.DisposeAsync();
    }
}
