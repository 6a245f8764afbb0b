namespace Serdica.Perf.Cli.Commands.Worker;

/// <summary>`worker`: runs the workflows of scenarios against a store until it is stopped.</summary>
internal sealed class WorkerCommand
{
    private const string Examples = """
        Examples:
          serdica-perf worker --assembly bin/Release/net10.0/MyWorkflows.dll
            All workflows of your assembly, on the PostgreSQL that
            SERDICA_WORKFLOW_POSTGRESQL names, until Ctrl-C or SIGTERM.
          serdica-perf worker --scenario signal-roundtrip-latency-serial --store orders
            The workflow of a scenario of the suite, in the schema 'orders'.
          serdica-perf worker --join-runs --scenario signal-roundtrip-latency-serial
            Another host for each run of this scenario on the server that
            SERDICA_PERF_POSTGRESQL names.
          serdica-perf worker --assembly MyWorkflows.dll --health-port 8081 --json
            Health at http://127.0.0.1:8081/health, and counters as JSON lines.

        Exit codes:
          0  stopped by Ctrl-C, SIGTERM or the end of its input; leases are released
          1  the store refused the worker, its schema cannot be used, or (citus)
             it cannot be reached at the start
          2  a name or value is unknown or invalid, or the port is not available
          4  no server is named, or the backend is not available
        """;

    private const int DefaultInterval = 10;

    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly StoreSession _stores;
    private readonly DatabaseEnvironment _environment;
    private readonly Option<string[]> _scenarios;
    private readonly Option<string?> _assembly;
    private readonly Option<string?> _backend;
    private readonly Option<string?> _store;
    private readonly Option<bool> _joinRuns;
    private readonly Option<int?> _workers;
    private readonly Option<string[]> _engine;
    private readonly Option<int?> _interval;
    private readonly Option<int?> _healthPort;
    private readonly Option<bool> _json;
    private readonly Option<bool> _untilInputEnds;

    public WorkerCommand(TextWriter output, TextWriter error, DatabaseEnvironment environment)
    {
        _output = output;
        _error = error;
        _environment = environment;
        _stores = new StoreSession(error, environment);
        Command = new DocumentedCommand(
            "worker",
            "Runs the workflows of scenarios against a store until it is stopped. Several workers share one store.",
            Examples
        );
        _scenarios = Command.Names(
            "--scenario",
            "NAME",
            "The scenarios whose workflows it runs, comma-separated or repeated. Default: all of --assembly."
        );
        _assembly = Command.Text("--assembly", "FILE", "Your own assembly (.dll) with scenarios.");
        _backend = Command.Text(
            "--backend",
            "NAME",
            $"One of {string.Join(", ", ApplicationStore.Backends)}. Default {BackendNames.PostgreSql}. " + StoreSession.BackendHelp
        );
        _store = Command.Text(
            "--store",
            "NAME",
            $"{StoreSession.StoreHelp} It is created when it is missing. Default: the backend's default."
        );
        _joinRuns = Command.Switch(
            "--join-runs",
            "Works on the store of the newest 'run' on the server that SERDICA_PERF_POSTGRESQL (or _CITUS) names, and "
                + "leaves it when it is dropped."
        );
        _workers = Command.Number("--workers", "The number of signal workers. Default: the scenario's.", 1, 1_000);
        _engine = EngineOption.Declare(Command);
        _interval = Command.Number(
            "--status-interval",
            $"Seconds between two status lines; 0 prints none. Default {DefaultInterval}.",
            0,
            86_400
        );
        _healthPort = Command.Number(
            "--health-port",
            "Answers /health and /counters on this port of 127.0.0.1. Default: no port.",
            1,
            IPEndPoint.MaxPort
        );
        _json = Command.Switch("--json", "Prints the status lines as JSON.");
        _untilInputEnds = Command.Switch(
            "--until-input-ends",
            "Also stops when its standard input ends, as it does when the process that started it dies. Until then it prints a "
                + "status line for each line that it reads there."
        );
        Command.SetAction(RunAsync);
    }

    public Command Command { get; }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellationToken)
    {
        var request = new WorkerRequest
        {
            Create = Workloads(parsed),
            Backend = parsed.GetValue(_backend) ?? BackendNames.PostgreSql,
            Store = parsed.GetValue(_store),
            StatusInterval = FromSeconds(parsed.GetValue(_interval) ?? DefaultInterval),
            HealthPort = parsed.GetValue(_healthPort),
            Json = parsed.GetValue(_json),
        };
        var joins = parsed.GetValue(_joinRuns);
        if (joins)
            CheckJoins(request);
        using var asked = new SemaphoreSlim(0);
        using var parent = parsed.GetValue(_untilInputEnds) ? new InputEnd(Console.In, cancellationToken, _ => asked.Release()) : null;
        using var log = RunLog.ToConsole(_error);
        var stop = parent?.Token ?? cancellationToken;
        if (joins)
            return await JoinRunsAsync(request, asked, log, stop);
        return await _stores.RunAsync(
            request.Backend,
            request.Store,
            "workflows",
            (backend, token) => new WorkerSession(request, backend, _environment, _output, log) { Asked = asked }.RunAsync(token),
            stop
        );
    }

    /// <exception cref="UsageException">Runs cannot be joined with these options.</exception>
    private static void CheckJoins(WorkerRequest request)
    {
        if (request.Store is not null || request.HealthPort is not null)
            throw new UsageException("--join-runs finds the stores itself and has no health port: leave out --store and --health-port.");
        if (!ApplicationStore.Joinable.Contains(request.Backend))
            throw new UsageException(
                $"Runs on '{request.Backend}' cannot be joined; --join-runs works on {string.Join(" and ", ApplicationStore.Joinable)}."
            );
    }

    /// <returns>The exit code of the process.</returns>
    private async Task<int> JoinRunsAsync(WorkerRequest request, SemaphoreSlim asked, RunLog log, CancellationToken cancellationToken)
    {
        var (server, reason) = Open(request.Backend);
        if (server is null)
        {
            await _error.WriteLineAsync(reason);
            return ExitCodes.BackendUnavailable;
        }

        var measured = _environment.AsApplication(BackendNames.InVariables(request.Backend));
        await new JoinedRuns(server, _output, _error, TimeProvider.System, IsReadyAsync, WorkAsync).RunAsync(cancellationToken);
        return ExitCodes.Success;

        Task WorkAsync(string store, CancellationToken token) =>
            new WorkerSession(request with { Store = store, JoinsRun = true }, probe: null, measured, _output, log)
            {
                Asked = asked,
            }.RunAsync(token);

        async Task<bool> IsReadyAsync(string store, CancellationToken token)
        {
            try
            {
                await using var backend = ApplicationStore.Open(request.Backend, store, measured, mustExist: true).Backend!;
                await backend.InitializeAsync(token);
                return true;
            }
            catch (WorkflowBackendException e) when (e.IsTransient)
            {
                return false;
            }
        }
    }

    /// <returns>The measured server, or why there is none.</returns>
    /// <exception cref="UsageException">Its connection string cannot be read.</exception>
    private (IStoreServer? Server, string? Reason) Open(string backend)
    {
        try
        {
            return StoreServers.Open(backend, _environment);
        }
        catch (ArgumentException e)
        {
            throw new UsageException(e.Message);
        }
    }

    /// <exception cref="UsageException">The options name no workflow.</exception>
    private Func<IScenarioStore, IReadOnlyList<HostedWorkload>> Workloads(ParseResult parsed)
    {
        var (workers, engine) = (parsed.GetValue(_workers), EngineOption.Read(parsed, _engine));
        var scenarios = Scenarios(parsed);
        foreach (var scenario in scenarios)
            scenario.Check(engine);
        return store =>
            [
                .. scenarios.Select(scenario =>
                    scenario.CreateWorkload(
                        store,
                        scenario.Parameters with
                        {
                            Workers = workers ?? scenario.Parameters.Workers,
                            Engine = EngineSettings.Merged(scenario.Parameters.Engine, engine),
                        }
                    ) as HostedWorkload
                    ?? throw new UsageException(
                        $"The scenario '{scenario.Name}' measures the bare queue or a client without workers; it has no workflow that a "
                            + $"worker could run. 'serdica-perf list' shows the others."
                    )
                ),
            ];
    }

    private List<Scenario> Scenarios(ParseResult parsed)
    {
        var own = parsed.GetValue(_assembly) is { } file ? ScenarioAssembly.Load(file) : [];
        var names = OptionDeclarations.Split(parsed.GetValue(_scenarios));
        if (names.Count == 0 && own.Count == 0)
            throw new UsageException(
                "No workflows are named: give --assembly with your own scenarios, or --scenario with a name that "
                    + "'serdica-perf list' prints."
            );
        return names.Count == 0 ? [.. own] : names.ConvertAll(name => ScenarioNames.Parse(name, own).Scenario);
    }
}

/// <summary>What a worker was asked to do.</summary>
internal sealed record WorkerRequest
{
    /// <value>Makes what it runs, on its store.</value>
    /// <exception cref="UsageException">One has no host.</exception>
    public required Func<IScenarioStore, IReadOnlyList<IHostedWork>> Create { get; init; }

    public required string Backend { get; init; }

    /// <value>Schema, database or prefix; null for the backend's default.</value>
    public required string? Store { get; init; }

    /// <value>Whether the store is that of a run, which makes and drops it.</value>
    public bool JoinsRun { get; init; }

    /// <value>Zero for no status lines.</value>
    public required TimeSpan StatusInterval { get; init; }

    /// <value>Null for no answers.</value>
    public required int? HealthPort { get; init; }

    public required bool Json { get; init; }

    /// <value>Another process asks for the figures every second, and counts the connections itself.</value>
    public bool IsMeasured { get; init; }
}
