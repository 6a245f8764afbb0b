namespace Serdica.Perf.Cli.Commands.Run;

/// <summary>`run`: measures scenarios on backends and writes a run folder.</summary>
internal sealed class RunCommand
{
    private const string Examples = """
        Examples:
          serdica-perf run
            The Smoke tier on PostgreSQL.
          serdica-perf run --tier all --backend postgresql,in-memory
            All tiers, on PostgreSQL and in memory.
          serdica-perf run --scenario signal-roundtrip-throughput-parallel \
              --operations 20000 --concurrency 256 --workers 2 --load closed --repeat 5
            One scenario under a different load, 5 times.
          serdica-perf run --ladder 1,4,8,16,64,256,1024 --load closed \
              --operations 5000
            The capacity ladder with more levels. It reports the knee, a sizing note
            and the fit of the Universal Scalability Law.
          serdica-perf run --scenario long-soak --duration 10m
            The long soak, which belongs to no tier. It reports trends of throughput,
            p99, memory and dead rows.
          serdica-perf run --source containers --db-cpus 2 --db-memory 4g
            PostgreSQL in a container with limits. The run records the limits.
          serdica-perf run --source local --db-cpus 1,2,4 \
              --scenario signal-roundtrip-throughput-sustained
            One scenario on servers of 3 sizes, with the gain from each larger size.
          serdica-perf run --hosts 1,2,4 \
              --scenario signal-roundtrip-throughput-sustained
            One scenario with 1, 2 and 4 processes that host its workflows on one
            store, with throughput and conflicts for each number.
          serdica-perf run --repeat 10 --gate perf-gate.json \
              --baseline <run or baseline> --rerun-to-confirm
            Compares the run with limits. A scenario that exceeds a limit is measured
            again. A limit that the second run keeps does not count as exceeded.

        Exit codes:
          0  everything passed
          1  a verification failed or the run could not be finished; the files are kept
          2  a name or value is unknown or invalid; nothing was run
          3  a limit of the gate was exceeded, or a scenario of the baseline was not
             measured
          4  a backend that was named is not available
          5  the gate could judge nothing, or could not judge the speed of a
             scenario; the reason is printed
          130  stopped by Ctrl-C; the run is marked as aborted
        """;

    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly DatabaseEnvironment _environment;
    private readonly RunOptionSet _options;

    public RunCommand(TextWriter output, TextWriter error, DatabaseEnvironment environment)
    {
        _environment = environment;
        _output = output;
        _error = error;
        Command = new DocumentedCommand("run", "Measures scenarios on backends and writes a run folder.", Examples);
        _options = new(Command);
        Command.SetAction((parsed, cancellationToken) => RunAsync(_options.Read(parsed), CommandText.Of(parsed), cancellationToken));
    }

    public Command Command { get; }

    private async Task<int> RunAsync(RunRequest request, string command, CancellationToken cancellationToken)
    {
        if (request.Host is { } host)
            return await HostAsync(request, host, cancellationToken);

        // With --json the output belongs to the summary alone.
        var console = request.Session.Json ? _error : _output;
        await CheckHostsAsync(request);
        if (request.DryRun)
        {
            if (request.Session.Json)
                _output.WriteLine(JsonSerializer.Serialize(Planned(request), MeasurementJson.Artifacts));
            else
                WritePlan(console, request);
            return ExitCodes.Success;
        }

        using var observer = Consoles.Observer(console);
        if (RunLadder.Of(request) is { } ladder)
            return await MeasureLevelsAsync(ladder, command, observer, console, cancellationToken);

        var run = await MeasureAsync(request, command, observer, console, cancellationToken);
        if (request.Session.Json)
            await _output.WriteAsync(await run.Folder.ReadAsync(RunFolder.SummaryFile));
        RunSummary.Write(console, run.Result, run.Folder);
        var outcome =
            request.Gate is { } gate && !cancellationToken.IsCancellationRequested
                ? await JudgeAsync(gate, run, request, command, observer, console, cancellationToken)
                : (GateOutcome?)null;
        return cancellationToken.IsCancellationRequested ? ExitCodes.Cancelled : ExitCode(run, request, outcome);
    }

    /// <summary>Hosts the workflows of one scenario in this process, which is one of several, until it is asked to end.</summary>
    private async Task<int> HostAsync(RunRequest request, HostOfRun host, CancellationToken cancellationToken)
    {
        var (backend, scenario) = request
            .Plan.Backends.SelectMany(entry => entry.Scenarios.Select(scenario => (entry.Backend, Scenario: scenario)))
            .First(planned => ScenarioRunner.FullName(planned.Backend, planned.Scenario) == host.Scenario);
        using var parent = new ParentProcess(Console.In, cancellationToken);
        return await new HostSession(_output, _error, _environment).RunAsync(
            stores => [Hosted(request, scenario, stores[0])],
            backend,
            host.Part,
            parent
        );
    }

    /// <summary>Checks before anything starts whether the workflows can run in other processes, on a store in memory.</summary>
    /// <exception cref="UsageException">Those of one scenario cannot.</exception>
    private static async Task CheckHostsAsync(RunRequest request)
    {
        if (request.Options.Hosts == 0)
            return;
        await using (var store = new InMemoryStore())
        {
            foreach (var scenario in request.Plan.Scenarios.Distinct())
                await Hosted(request, scenario, store).DisposeAsync();
        }
    }

    /// <exception cref="UsageException">Its workflows cannot run in another process.</exception>
    private static HostedWorkload Hosted(RunRequest request, Scenario scenario, IScenarioStore store)
    {
        var workload = scenario.CreateWorkload(store, request.Options.Apply(scenario, repeat: 1));
        return HostedWorkload.RunningAnywhere(workload)
            ?? throw new UsageException(
                $"The scenario '{scenario.Name}' prepares its operations in the measuring process or has no workflow, so it cannot run "
                    + $"in host processes; leave it or {HostProcessOptions.Hosts} out, or choose a signal round trip, large-state or "
                    + "workflows of your own."
            );
    }

    /// <summary>Runs the levels one after the other until one fails; the levels before it are still compared.</summary>
    private async Task<int> MeasureLevelsAsync(
        RunLadder ladder,
        string command,
        IRunObserver observer,
        TextWriter console,
        CancellationToken cancellationToken
    )
    {
        var runs = new List<MeasuredRun>();
        var exitCode = ExitCodes.Success;
        foreach (var (sentence, level) in ladder.Levels)
        {
            console.WriteLine(sentence);
            var run = await MeasureAsync(level, command, observer, console, cancellationToken);
            RunSummary.Write(console, run.Result, run.Folder);
            if (cancellationToken.IsCancellationRequested)
                return ExitCodes.Cancelled;
            exitCode = ExitCode(run, level, gate: null);
            if (exitCode != ExitCodes.Success)
            {
                if (runs.Count + 1 < ladder.Levels.Count)
                    console.WriteLine($"This run failed. Runs that were not started: {ladder.Levels.Count - runs.Count - 1}.");
                break;
            }

            runs.Add(run);
        }

        if (runs.Count < 2)
            return exitCode;

        var file = Path.Combine(runs[^1].Folder.Path, ladder.File);
        RunResult[] results = [.. runs.Select(run => run.Result)];
        runs[^1].Folder.Write(ladder.File, writer => ladder.Write(writer, results, command));
        foreach (var sentence in ladder.Sentences(results))
            console.WriteLine(sentence);
        console.WriteLine($"{ladder.Title}: {RunPlace.Relative(file)}");
        return exitCode;
    }

    private async Task<MeasuredRun> MeasureAsync(
        RunRequest request,
        string command,
        IRunObserver observer,
        TextWriter console,
        CancellationToken cancellationToken
    )
    {
        var options = new SuiteOptions
        {
            OutputRoot = request.Session.Output,
            Backends = string.Join('+', request.Plan.Backends.Select(entry => entry.Backend)),
            Tier = request.Plan.Tier,
            Command = command,
            KeepOperations = request.KeepOperations,
        }.MeasuringSourcesIn(request.Plan.SourceFolder);
        using var session = await MeasuringSession.BeginAsync(
            options,
            observer,
            console,
            _error,
            request.Session.LogLevel,
            cancellationToken
        );
        var plan = new PlannedRun(session, new BackendCatalog(session.Log.Loggers, _environment, request.Adjust), request);
        await session.MeasureAsync(plan.MeasureAsync, cancellationToken);
        var run = session.Suite.End();
        RunReports.Write(session.Suite.Folder, run, request.Gate?.Base);
        return new(run, session.Suite.Folder, plan.Complete, plan.Futile);
    }

    private async Task<GateOutcome> JudgeAsync(
        RunGate gate,
        MeasuredRun run,
        RunRequest request,
        string command,
        IRunObserver observer,
        TextWriter console,
        CancellationToken cancellationToken
    )
    {
        var judged = gate.Judge(run.Result, run.Futile, request.Plan.Names, run.Folder, console);
        if (!gate.Confirm || judged.Breaches.Count == 0)
            return judged.Outcome;

        var breached = judged.Breaches.DistinctBy(breach => breach.Scenario).Count();
        console.WriteLine($"Measuring {Figure.Number(breached, "scenario")} again to confirm.");
        var suspects = request.Only(judged.Breaches.Select(breach => breach.Scenario).ToHashSet());
        var again = await MeasureAsync(suspects, command, observer, console, cancellationToken);
        if (cancellationToken.IsCancellationRequested)
            return judged.Outcome;
        if (again.Futile is null && again.Result.Status != RunStatus.Passed)
        {
            console.WriteLine("GATE BREACHED: the second run did not pass, so the breach stands.");
            return GateOutcome.Breached;
        }

        var second = gate.Judge(again.Result, again.Futile, suspects.Plan.Names, again.Folder, console);
        var confirmed = judged.ConfirmedBy(second, again.Result.RunId);
        foreach (var note in confirmed.Notes.Except(judged.Notes))
            console.WriteLine($"  Note: {note}");
        console.WriteLine($"{GateText.Outcome(confirmed)}; {GateText.Confirmation(judged, confirmed, second)}.");
        return confirmed.Outcome;
    }

    private static void WritePlan(TextWriter console, RunRequest request)
    {
        foreach (var planned in Planned(request))
            console.WriteLine(ProgressText.Started(new(planned.Name, planned.Parameters)));
        console.WriteLine($"Each would be measured {(request.Repeat == 1 ? "once" : $"{request.Repeat} times")}; nothing was run.");
    }

    private static IEnumerable<PlannedScenario> Planned(RunRequest request) =>
        from hosts in request.HostCounts.DefaultIfEmpty(request.Options.Hosts)
        let options = request.Options with
        {
            Hosts = hosts,
        }
        from entry in request.Plan.Backends
        from scenario in entry.Scenarios
        select new PlannedScenario(
            ScenarioRunner.FullName(entry.Backend, scenario),
            request.Repeat,
            options.Apply(scenario, repeat: 1)
        );

    private static int ExitCode(MeasuredRun run, RunRequest request, GateOutcome? gate) =>
        run.Result.Status switch
        {
            RunStatus.Aborted when run.Futile is null => ExitCodes.Failed,
            _ when run.Result.Scenarios.Any(scenario => scenario.Status != ScenarioStatus.Passed) => ExitCodes.Failed,
            _ when gate == GateOutcome.Breached => ExitCodes.GateBreached,
            _ when !run.Complete && (request.Plan.BackendsNamed || run.Result.Scenarios.Count == 0) => ExitCodes.BackendUnavailable,
            RunStatus.Passed => ExitCodes.Of(gate),
            _ => ExitCodes.Failed,
        };

    /// <summary>What would be measured, as JSON.</summary>
    private sealed record PlannedScenario(string Name, int Repeats, ScenarioParameters Parameters);

    /// <param name="Complete">False when a backend was not available.</param>
    /// <param name="Futile">The limit for which the rest was not measured.</param>
    private sealed record MeasuredRun(RunResult Result, RunFolder Folder, bool Complete, GateBreach? Futile);
}
