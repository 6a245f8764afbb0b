using Microsoft.Extensions.Logging.Abstractions;
using Serdica.Perf.Faults.Checking;
using Serdica.Perf.Faults.Hosts;
using Serdica.Perf.Faults.Plans;
using Serdica.Perf.Faults.Reduction;
using Serdica.Perf.Faults.Runs;

namespace Serdica.Perf.Cli.Commands.Faults;

/// <summary>`faults`: kills, stops and cuts off hosts and their database while callers work, and checks that nothing went wrong.</summary>
internal sealed class FaultsCommand
{
    private const string Examples = """
        Examples:
          serdica-perf faults --plan kill-worker
            Kills or stops one of two hosts at a time, repeatedly, for one minute.
          serdica-perf faults --plan everything --duration 10m --backend documentdb
            All kinds of faults on DocumentDB.
          serdica-perf faults --plan restart-database --backend citus
            Kills, stops and pauses one node of a cluster at a time.
          serdica-perf faults --plan restart-database --seed 4711
            The same times, targets and durations each time.
          serdica-perf faults --plan restart-database --source containers
            On PostgreSQL in a container.
          serdica-perf faults --plan ambiguous-commit --cuts 100000
            Ends after 100,000 cut commits; unproven if that takes over an hour.
          serdica-perf faults --plan kill-worker --default-thresholds \
              --threshold "failedCalls < 100"
            Exit code 3 when recovery takes longer than it should on an idle machine,
            or when 100 calls or more fail because of one fault.
          serdica-perf faults --plan everything --engine direct=off
            No signal is decided in the commit that receives it.
          serdica-perf faults --plan <folder>/reduced-plan.json
            The plan in a file: that of an earlier run, or a reduced plan.

        Exit codes:
          0  proven: all required invariants were judged; none is violated
          1  an invariant is violated (the plan is then reduced, unless --reduce is 0),
             or the run could not be finished. The files are kept
          2  a name or value is unknown or invalid; nothing was run
          3  proven, and a threshold was exceeded
          4  the database is not available
          5  unproven: a fault had no effect or is not possible on this machine, or
             a required invariant had nothing to judge; or a threshold could not
             be judged
          130  stopped by Ctrl-C; nothing was judged
        """;

    private const int DefaultHosts = 2;
    private const int DefaultTries = 8;
    private const int MostTries = 100;

    private const int MostCuts = 10_000_000;

    private static readonly TimeSpan DefaultDuration = FromMinutes(1);
    private static readonly TimeSpan DefaultDurationOfCuts = FromHours(1);
    private static readonly string[] Backends = [BackendNames.PostgreSql, BackendNames.DocumentDb, BackendNames.Citus];

    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly DatabaseEnvironment _environment;
    private readonly Option<string?> _plan;
    private readonly Option<string?> _backend;
    private readonly Option<DatabaseSourceKind?> _source;
    private readonly Option<int?> _seed;
    private readonly Option<TimeSpan?> _duration;
    private readonly Option<int?> _hosts;
    private readonly Option<int?> _cuts;
    private readonly Option<TimeSpan?> _thinkTime;
    private readonly Option<string[]> _engine;
    private readonly Option<string[]> _thresholds;
    private readonly Option<bool> _defaultThresholds;
    private readonly Option<TimeSpan?> _maxRecovery;
    private readonly Option<int?> _tries;
    private readonly Option<string?> _folder;
    private readonly Option<bool> _json;

    public FaultsCommand(TextWriter output, TextWriter error, DatabaseEnvironment environment)
    {
        (_output, _error, _environment) = (output, error, environment);
        Command = new DocumentedCommand(
            "faults",
            "Injects faults into hosts and their database while callers work, and proves that nothing was lost or duplicated.",
            Examples
        );
        _plan = Command.Text(
            "--plan",
            "NAME|FILE",
            $"The faults: one of {string.Join(", ", BuiltInPlans.Names)}; or the file of a plan, which ends in .json."
        );
        _plan.Required = true;
        _backend = Command.Text("--backend", "NAME", $"One of {string.Join(", ", Backends)}. Default {BackendNames.PostgreSql}.");
        _source = Command.Word(
            "--source",
            $"Where the server is started; containers only for {BackendNames.PostgreSql}. Default local.",
            DatabaseSourceKind.Containers,
            DatabaseSourceKind.Local
        );
        _seed = Command.Number("--seed", "The seed of times, targets and durations. Default: a new seed for each run.", 0, int.MaxValue);
        _duration = Command.Declare(DurationText.Option("--duration", "How long the callers work. Default 1m."));
        _hosts = Command.Number(
            "--hosts",
            $"The number of host processes. Default {DefaultHosts}.",
            FaultPlan.FewestHosts,
            FaultPlan.MostHosts
        );
        _cuts = Command.Number(
            "--cuts",
            "With ambiguous-commit: how many commits are cut. The load ends then, or after --duration, by default 1h; the run is "
                + "unproven when fewer were cut.",
            1,
            MostCuts
        );
        _thinkTime = Command.Declare(
            DurationText.DelayOption(
                "--think-time",
                "How long each caller waits between two instances, to load the machine less. Default: no wait."
            )
        );
        _engine = EngineOption.Declare(Command);
        _thresholds = Command.Declare(
            new Option<string[]>("--threshold")
            {
                HelpName = "LIMIT",
                Description =
                    "A limit that each fault must keep: FIGURE[:FAULT] OPERATOR VALUE, for instance \"recoveredAfter:killHost <= 1s\" or "
                    + "\"failedCalls < 100\". Can be repeated. Default: figures are reported and not judged.",
            }
        );
        _defaultThresholds = Command.Switch(
            "--default-thresholds",
            $"Judges by the thresholds of {BackendNames.PostgreSql}: "
                + string.Join(", ", FaultThreshold.PostgreSql.Select(threshold => threshold.Text))
                + "."
        );
        _maxRecovery = Command.Declare(
            DurationText.DelayOption(
                "--max-recovery",
                "The longest time (at most 10s) until 95 % of the rate before a fault: short for --threshold \"recoveredAfter <= TIME\"."
            )
        );
        _tries = Command.Number(
            "--reduce",
            $"After a violation: the maximum number of runs that search for the fewest faults that cause it. Default {DefaultTries}.",
            0,
            MostTries
        );
        _folder = SessionOptions.Output(Command, "Where the folder of the run is written.");
        _json = SessionOptions.Json(Command, FaultResult.FileName);
        Command.SetAction(RunAsync);
    }

    public Command Command { get; }

    private async Task<int> RunAsync(ParseResult parsed, CancellationToken cancellationToken)
    {
        if (!OperatingSystem.IsLinux())
            throw new UsageException("Faults need the signals of Linux; run the command on Linux.");
        var (plan, thresholds) = Read(parsed);

        // With --json the output belongs to the result alone.
        var console = parsed.GetValue(_json) ? _error : _output;
        var folder = RunFolder.CreateFolder(
            parsed.GetValue(_folder) ?? RunFolder.DefaultRoot,
            DateTimeOffset.UtcNow,
            $"{plan.Backend}-faults-{plan.Name}",
            (draft, _) => plan.Write(Path.Combine(draft, FaultPlan.FileName))
        );
        try
        {
            console.WriteLine(plan.Command);
            foreach (var fault in plan.Faults)
                console.WriteLine(fault);
            console.WriteLine();
            using var log = RunLog.ToConsole(console, _error);
            var logger = log.Loggers.CreateLogger(nameof(FaultsCommand));
            var (result, report) = await RunAsync(plan, folder, logger, console.WriteLine, thresholds, cancellationToken);
            if (parsed.GetValue(_json))
                await _output.WriteLineAsync(JsonSerializer.Serialize(result, MeasurementJson.Artifacts));
            console.WriteLine();
            FaultText.Write(console, result.Faults);
            console.WriteLine();
            FaultMarkdown.WriteThresholds(console, result.Thresholds);
            CheckReportText.Write(console, report);
            RunPlace.Write(console, folder);
            if (result.Verdict == InvariantVerdict.Violated && plan.Faults.Count > 0 && parsed.GetValue(_tries) != 0)
                return await ReduceAsync(result, folder, parsed.GetValue(_tries) ?? DefaultTries, console, cancellationToken);
            return Judge(result, _error);
        }
        catch (MeasuringException e)
        {
            await _error.WriteLineAsync(e.Message);
            return e.ExitCode;
        }
        catch (FaultImpossibleException e)
        {
            await _error.WriteLineAsync($"Nothing was run, and nothing is proven: {e.Message}");
            return ExitCodes.NotJudged;
        }
        catch (Exception e) when (FaultRunException.IsExpected(e))
        {
            await _error.WriteLineAsync($"The run could not be finished: {e.Message}");
            return ExitCodes.Failed;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            await _error.WriteLineAsync($"Stopped by the user; nothing was judged. Folder: {RunPlace.Relative(folder)}");
            return ExitCodes.Cancelled;
        }
    }

    private async Task<(FaultResult Result, CheckReport Report)> RunAsync(
        FaultPlan plan,
        string folder,
        ILogger logger,
        Action<string> progress,
        IReadOnlyList<FaultThreshold> thresholds,
        CancellationToken cancellationToken
    )
    {
        // Never a server of somebody else: what is killed and stopped was started for this run.
        await using (
            var servers = await SharedServers.StartAsync(
                [plan.Backend],
                _environment,
                plan.Container ? DatabaseSourceKind.Containers : DatabaseSourceKind.Local,
                ExpectedLog.OfCallers(FaultRun.CallersOf(plan), plan.ThinkTime, plan.Duration),
                logger,
                cancellationToken
            )
        )
        {
            var run = new FaultRun(plan, servers[plan.Backend], folder, progress, thresholds);
            var (result, report) = await run.RunAsync(cancellationToken);
            FaultPage.Write(folder, result);
            return (result, report);
        }
    }

    private async Task<int> ReduceAsync(
        FaultResult violated,
        string folder,
        int tries,
        TextWriter console,
        CancellationToken cancellationToken
    )
    {
        console.WriteLine();
        console.WriteLine($"The plan is reduced in at most {tries} tries; {_tries.Name} 0 skips this.");
        var reduction = new PlanReduction(
            violated,
            folder,
            async (plan, place, token) => (await RunAsync(plan, place, NullLogger.Instance, _ => { }, [], token)).Result,
            console.WriteLine
        );
        return await ReduceAsync(reduction, tries, console, _error, cancellationToken);
    }

    /// <returns>The exit code of the violation, which a plan with fewer faults does not take away.</returns>
    internal static async Task<int> ReduceAsync(
        PlanReduction reduction,
        int tries,
        TextWriter console,
        TextWriter error,
        CancellationToken cancellationToken
    )
    {
        try
        {
            await reduction.ReduceAsync(tries, cancellationToken);
        }
        catch (MeasuringException e)
        {
            await error.WriteLineAsync($"The plan is not reduced further: {e.Message}");
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            await error.WriteLineAsync("The reduction was stopped by the user.");
            console.WriteLine(reduction.Outcome);
            return ExitCodes.Cancelled;
        }

        console.WriteLine(reduction.Outcome);
        return ExitCodes.Failed;
    }

    private (FaultPlan Plan, IReadOnlyList<FaultThreshold> Thresholds) Read(ParseResult parsed)
    {
        try
        {
            var plan = Plan(parsed);
            return plan.ContainerDefect is { } defect ? throw new UsageException(defect) : (plan, Thresholds(parsed, plan));
        }
        catch (ArgumentException e)
        {
            throw new UsageException(e.Message);
        }
    }

    /// <exception cref="ArgumentException">It cannot be made.</exception>
    private FaultPlan Plan(ParseResult parsed)
    {
        if (parsed.GetValue(_plan) is { } file && file.EndsWith(".json", OrdinalIgnoreCase))
            return PlanOfFile(parsed, file);
        var backend = parsed.GetValue(_backend) ?? BackendNames.PostgreSql;
        var engine = EngineOption.Read(parsed, _engine);
        var cuts = parsed.GetValue(_cuts);
        if (!Backends.Contains(backend))
            throw new UsageException(
                $"--backend is '{backend}'; it must be one of {string.Join(", ", Backends)}.{ClosestName.Question(backend, Backends)}"
            );
        var plan = BuiltInPlans.Make(
            parsed.GetValue(_plan)!,
            backend,
            parsed.GetValue(_seed) ?? Random.Shared.Next(100_000),
            parsed.GetValue(_duration) ?? (cuts is null ? DefaultDuration : DefaultDurationOfCuts),
            parsed.GetValue(_hosts) ?? DefaultHosts,
            cuts,
            parsed.GetValue(_source) is DatabaseSourceKind.Containers
        );
        return plan with { Engine = engine, ThinkTime = parsed.GetValue(_thinkTime) ?? TimeSpan.Zero };
    }

    private FaultPlan PlanOfFile(ParseResult parsed, string file)
    {
        Option[] fixedByFile = [_backend, _source, _seed, _duration, _hosts, _cuts, _thinkTime, _engine];
        if (Array.Find(fixedByFile, option => parsed.GetResult(option) is { Implicit: false }) is { } given)
            throw new UsageException($"{given.Name} is given, but the plan '{file}' has its own; leave {given.Name} out.");
        var plan = FaultPlan.Read(file);
        return Backends.Contains(plan.Backend)
            ? plan
            : throw new UsageException(
                $"The backend of the plan '{file}' is '{plan.Backend}'; it must be one of {string.Join(", ", Backends)}."
            );
    }

    private IReadOnlyList<FaultThreshold> Thresholds(ParseResult parsed, FaultPlan plan)
    {
        var isDefault = parsed.GetValue(_defaultThresholds);
        if (isDefault && plan.Backend != BackendNames.PostgreSql)
            throw new UsageException(
                $"{_defaultThresholds.Name} is for {BackendNames.PostgreSql}, but the backend is '{plan.Backend}'; give limits with "
                    + $"{_thresholds.Name}."
            );
        var given = (parsed.GetValue(_thresholds) ?? []).Select(FaultThreshold.Parse).ToList();
        if (parsed.GetValue(_maxRecovery) is { } most)
            given.Add(FaultThreshold.Recovery(most));
        return FaultThreshold.For(plan, isDefault ? FaultThreshold.PostgreSql : [], given);
    }

    internal static int Judge(FaultResult result, TextWriter error)
    {
        if (result.Verdict == InvariantVerdict.Violated)
            return ExitCodes.Failed;
        if (result.Verdict == InvariantVerdict.Unproven)
            return ExitCodes.NotJudged;
        foreach (var finding in result.Thresholds.Where(finding => finding.Outcome != GateOutcome.Held))
            error.WriteLine(finding.Sentence);
        return ExitCodes.Of(ThresholdFinding.OutcomeOf(result.Thresholds));
    }
}
