namespace Serdica.Perf.Measurement.Tests;

/// <summary>Hosts that stand for processes: each is a workload of its own on the same store.</summary>
internal sealed class SameProcessHosts : IHostProcesses
{
    private readonly HostedWorkload[] _hosts;

    private SameProcessHosts(int count, Func<HostedWorkload> create) => _hosts = [.. Enumerable.Range(0, count).Select(_ => create())];

    public static HostSource Source(int count, Func<IScenarioStore, HostedWorkload> create) =>
        new(count, (task, _) => Task.FromResult<IHostProcesses>(new SameProcessHosts(count, () => create(task.Stores[0]))));

    public Task StartAsync(CancellationToken cancellationToken) =>
        Task.WhenAll(_hosts.Select(host => host.OpenAsWorkerAsync(null, cancellationToken)));

    public Task<IReadOnlyList<HostUsage>> ReadAsync(CancellationToken cancellationToken) =>
        Task.FromResult<IReadOnlyList<HostUsage>>([
            .. _hosts.Select((host, index) => new HostUsage(index + 1, ProcessUsage.Read(), host.Counters, host.InjectedFailures)),
        ]);

    public async ValueTask DisposeAsync()
    {
        foreach (var host in _hosts)
            await host.DisposeAsync();
    }
}
