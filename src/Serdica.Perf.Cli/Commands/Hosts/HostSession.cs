using Serdica.Perf.Cli.Commands.Worker;

namespace Serdica.Perf.Cli.Commands.Hosts;

/// <summary>The other end of <see cref="HostProcesses"/>: this process hosts workflows for the one that started it.</summary>
internal sealed class HostSession(TextWriter output, TextWriter error, DatabaseEnvironment environment)
{
    /// <summary>Hosts a workload until the process that started this one ends it.</summary>
    /// <returns>The exit code of the process.</returns>
    public async Task<int> RunAsync(Func<IScenarioStore, HostedWorkload> create, string backend, HostProcessPart host, ParentProcess parent)
    {
        using var log = RunLog.ToConsole(error);
        var worker = new WorkerRequest
        {
            Create = store => [create(store)],
            Backend = backend,
            Store = host.Store,
            StatusInterval = TimeSpan.Zero,
            HealthPort = null,
            Json = true,
            IsMeasured = true,
        };
        return await new StoreSession(error, environment).RunAsync(
            worker.Backend,
            worker.Store,
            "workflows",
            (_, token) =>
                new WorkerSession(worker, probe: null, environment, output, log)
                {
                    Asked = parent.Asked,
                    BeforeStart = parent.WaitForGoAsync,
                }.RunAsync(token),
            parent.Token
        );
    }
}
