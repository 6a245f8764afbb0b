using System.CommandLine;
using System.Text.Json;
using Serdica.Perf.Analysis.Capacity;
using Serdica.Perf.Analysis.Gates;
using Serdica.Perf.Backends;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Cli.Output;
using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.Running;
using Serdica.Perf.Reports;
using Serdica.Perf.Reports.Markdown;
using Serdica.Perf.Results;
using Serdica.Perf.Results.Folders;
using Serdica.Perf.Results.Runs;
using static System.FormattableString;

namespace Serdica.Perf.Cli.Commands;

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
          serdica-perf run --repeat 10 --gate perf-gate.json \
              --baseline <run or baseline> --rerun-to-confirm
            Compares the run with limits. A scenario that exceeds a limit is measured
            again, and does not count if it keeps the limit then.

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

    /// <summary>In the run folder of the last size.</summary>
    public const string ServerSizesFile = "server-sizes.md";

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
        Command.SetAction((parsed, cancellationToken) => RunAsync(_options.Read(parsed), CommandText(parsed), cancellationToken));
    }

    public Command Command { get; }

    private async Task<int> RunAsync(RunRequest request, string command, CancellationToken cancellationToken)
    {
        // With --json the output belongs to the summary alone.
        var console = request.Session.Json ? _error : _output;
        if (request.DryRun)
        {
            if (request.Session.Json)
                _output.WriteLine(JsonSerializer.Serialize(Planned(request), MeasurementJson.Artifacts));
            else
                WritePlan(console, request);
            return ExitCodes.Success;
        }

        using var observer = Consoles.Observer(console);
        if (request.ServerSizes.Count > 0)
            return await MeasureSizesAsync(request, command, observer, console, cancellationToken).ConfigureAwait(false);

        var run = await MeasureAsync(request, command, observer, console, cancellationToken).ConfigureAwait(false);
        if (request.Session.Json)
            await _output.WriteAsync(await run.Folder.ReadAsync(RunFolder.SummaryFile).ConfigureAwait(false)).ConfigureAwait(false);
        RunSummary.Write(console, run.Result, run.Folder);
        var outcome =
            request.Gate is { } gate && !cancellationToken.IsCancellationRequested
                ? await JudgeAsync(gate, run, request, command, observer, console, cancellationToken).ConfigureAwait(false)
                : (GateOutcome?)null;
        return cancellationToken.IsCancellationRequested ? ExitCodes.Cancelled : ExitCode(run, request, outcome);
    }

    /// <summary>Runs the same plan on one server after the other until one fails; the servers before it are still compared.</summary>
    private async Task<int> MeasureSizesAsync(
        RunRequest request,
        string command,
        IRunObserver observer,
        TextWriter console,
        CancellationToken cancellationToken
    )
    {
        var runs = new List<MeasuredRun>();
        var exitCode = ExitCodes.Success;
        foreach (var processors in request.ServerSizes)
        {
            console.WriteLine(Invariant($"The database may use {processors} processor{(processors == 1 ? "" : "s")}."));

            // What engine and generator cost by themselves is the same on all sizes.
            var one = request with
            {
                Container = request.Container with { Cpus = processors },
                Overhead = runs.Count == 0 ? request.Overhead : [],
            };
            var run = await MeasureAsync(one, command, observer, console, cancellationToken).ConfigureAwait(false);
            RunSummary.Write(console, run.Result, run.Folder);
            if (cancellationToken.IsCancellationRequested)
                return ExitCodes.Cancelled;
            exitCode = ExitCode(run, one, gate: null);
            if (exitCode != ExitCodes.Success)
                break;
            runs.Add(run);
        }

        if (runs.Count < 2)
            return exitCode;

        var file = Path.Combine(runs[^1].Folder.Path, ServerSizesFile);
        using (var writer = File.CreateText(file))
            ServerSizesMarkdown.Write(writer, [.. runs.Select(run => run.Result)], command);
        foreach (var sizes in ServerSizes.Of([.. runs.Select(run => run.Result)]))
            console.WriteLine(ServerSizesMarkdown.Sentence(sizes));
        console.WriteLine($"Server sizes: {Path.GetRelativePath(Directory.GetCurrentDirectory(), file)}");
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
            Backends = request.Backends,
            Tier = request.Tier,
            Command = command,
            KeepOperations = request.KeepOperations,
        }.MeasuringSourcesIn(request.SourceFolder);
        using var session = await MeasuringSession
            .BeginAsync(options, observer, console, _error, request.Session.LogLevel, cancellationToken)
            .ConfigureAwait(false);
        var plan = new PlannedRun(session, new BackendCatalog(session.Log.Loggers, _environment, request.Adjust), request);
        await session.MeasureAsync(plan.MeasureAsync, cancellationToken).ConfigureAwait(false);
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
        var judged = gate.Judge(run.Result, run.Futile, request.PlannedNames, run.Folder, console);
        if (!gate.Confirm || judged.Breaches.Count == 0)
            return judged.Outcome;

        var breached = judged.Breaches.DistinctBy(breach => breach.Scenario).Count();
        console.WriteLine($"Measuring {Figure.Number(breached, "scenario")} again to confirm.");
        var suspects = request.Only(judged.Breaches.Select(breach => breach.Scenario).ToHashSet());
        var again = await MeasureAsync(suspects, command, observer, console, cancellationToken).ConfigureAwait(false);
        if (cancellationToken.IsCancellationRequested)
            return judged.Outcome;
        if (again.Futile is null && again.Result.Status != RunStatus.Passed)
        {
            console.WriteLine("GATE BREACHED: the second run did not pass, so the breach stands.");
            return GateOutcome.Breached;
        }

        var second = gate.Judge(again.Result, again.Futile, suspects.PlannedNames, again.Folder, console);
        var confirmed = judged.ConfirmedBy(second, again.Result.RunId);
        foreach (var note in confirmed.Notes.Except(judged.Notes))
            console.WriteLine($"  Note: {note}");
        console.WriteLine($"{GateText.Outcome(confirmed)}; {GateText.Confirmation(confirmed, second)}.");
        return confirmed.Outcome;
    }

    private static void WritePlan(TextWriter console, RunRequest request)
    {
        foreach (var planned in Planned(request))
            console.WriteLine(ProgressText.Started(new(planned.Name, planned.Parameters)));
        console.WriteLine($"Each would be measured {(request.Repeat == 1 ? "once" : $"{request.Repeat} times")}; nothing was run.");
    }

    private static IEnumerable<PlannedScenario> Planned(RunRequest request) =>
        from entry in request.Plan
        from scenario in entry.Scenarios
        select new PlannedScenario(
            ScenarioRunner.FullName(entry.Backend, scenario),
            request.Repeat,
            request.Options.Apply(scenario.Parameters, repeat: 1)
        );

    private static int ExitCode(MeasuredRun run, RunRequest request, GateOutcome? gate) =>
        run.Result.Status switch
        {
            RunStatus.Aborted when run.Futile is null => ExitCodes.Failed,
            _ when run.Result.Scenarios.Any(scenario => scenario.Status != ScenarioStatus.Passed) => ExitCodes.Failed,
            _ when gate == GateOutcome.Breached => ExitCodes.GateBreached,
            _ when !run.Complete && (request.BackendsNamed || run.Result.Scenarios.Count == 0) => ExitCodes.BackendUnavailable,
            RunStatus.Passed => ExitCodes.Of(gate),
            _ => ExitCodes.Failed,
        };

    /// <summary>What was typed; it holds no secret, since no option takes one.</summary>
    public static string CommandText(ParseResult parsed) =>
        $"serdica-perf "
        + $"{string.Join(' ', parsed.Tokens.Select(token => token.Value.Any(char.IsWhiteSpace) ? $"\"{token.Value}\"" : token.Value))}";

    /// <summary>What would be measured, as JSON.</summary>
    private sealed record PlannedScenario(string Name, int Repeats, ScenarioParameters Parameters);

    /// <param name="Result">Of the whole run.</param>
    /// <param name="Folder">Where it is.</param>
    /// <param name="Complete">False when a backend was not available.</param>
    /// <param name="Futile">The limit for which the rest was not measured.</param>
    private sealed record MeasuredRun(RunResult Result, RunFolder Folder, bool Complete, GateBreach? Futile);
}
