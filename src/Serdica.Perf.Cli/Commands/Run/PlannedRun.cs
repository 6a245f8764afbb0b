namespace Serdica.Perf.Cli.Commands.Run;

/// <summary>Measures what a `run` has planned, backend after backend, and stops early when a limit cannot be met any more.</summary>
internal sealed class PlannedRun(MeasuringSession session, BackendCatalog catalog, RunRequest request)
{
    /// <summary>False when a backend was not available.</summary>
    public bool Complete { get; private set; } = true;

    /// <summary>The limit that caused a futility stop; null without one.</summary>
    public GateBreach? Futile { get; private set; }

    public async Task MeasureAsync(CancellationToken cancellationToken)
    {
        var measured = false;
        foreach (var (name, scenarios) in request.Plan.Backends)
        {
            if (await MeasureAsync(name, scenarios, request.Repeat, cancellationToken))
                measured |= name != BackendNames.InMemory;
            else
                Complete = false;
            if (Futile is { } futile)
            {
                session.Suite.Abort($"Futility stop. {futile.Sentence}");
                return;
            }
        }

        // In the same run, so that machine and build are the same, and after the databases, so that none of them waits.
        if (measured && request.Overhead.Count > 0)
            await MeasureAsync(BackendNames.InMemory, request.Overhead, repeats: 1, cancellationToken);
    }

    /// <returns>False when the backend was not available.</returns>
    private async Task<bool> MeasureAsync(string name, IReadOnlyList<Scenario> scenarios, int repeats, CancellationToken cancellationToken)
    {
        var provision = await session.Suite.ProvideAsync(catalog.Source(name), cancellationToken);
        if (provision is not BackendProvision.Provided { Backend: var backend })
            return false;

        await using (backend)
        {
            foreach (var scenario in scenarios)
            {
                for (var repeat = 1; repeat <= repeats; repeat++)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    var result = await MeasureAsync(backend, scenario, repeat, cancellationToken);
                    session.Log.ScenarioEnded(result);
                    Futile = request.Gate?.FindFutility(session.Suite.SoFar(), result.Name);
                    if (Futile is not null)
                        return true;
                }
            }
        }

        return true;
    }

    /// <exception cref="WorkflowBackendException">A host process has ended before its work was done.</exception>
    private async Task<ScenarioResult> MeasureAsync(
        IMeasuredBackend backend,
        Scenario scenario,
        int repeat,
        CancellationToken cancellationToken
    )
    {
        var (suite, options) = (session.Suite, request.Options);
        if (options.Hosts == 0)
            return await suite.MeasureAsync(backend, scenario, options, repeat, cancellationToken);

        ScenarioResult result = null!;
        var name = ScenarioRunner.FullName(backend.Description.Backend, scenario);
        var hosts = new HostProcesses(options.Hosts, [.. request.HostArguments, RunHostOptions.Scenario, name], suite.Folder);
        await hosts.WatchAsync(
            async token => result = await suite.MeasureAsync(backend, scenario, options with { HostSource = hosts.Source }, repeat, token),
            cancellationToken
        );
        return result;
    }
}
