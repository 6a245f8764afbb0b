namespace Serdica.Perf.Cli.Commands.Hosts;

/// <summary>The other end of <see cref="HostProcesses"/>: this process works for the one that started it.</summary>
internal sealed class HostSession(TextWriter output, TextWriter error, DatabaseEnvironment environment)
{
    /// <summary>Works until the process that started this one ends it.</summary>
    /// <param name="create">Makes the work on the stores.</param>
    /// <returns>The exit code of the process.</returns>
    public async Task<int> RunAsync(
        Func<IReadOnlyList<IScenarioStore>, IReadOnlyList<IHostedWork>> create,
        string backend,
        HostProcessPart host,
        ParentProcess parent
    )
    {
        using var log = RunLog.ToConsole(error);
        var worker = new WorkerRequest
        {
            Create = store => create([store, .. host.Stores.Skip(1).Select(name => new WorkerStore(backend, name, environment))]),
            Backend = backend,
            Store = host.Stores.FirstOrDefault(),
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
