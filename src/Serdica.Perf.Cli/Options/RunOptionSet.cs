using System.CommandLine;
using Microsoft.Extensions.Logging;
using Serdica.Perf.Backends;
using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.Catalog;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Cli.Options;

/// <summary>The options of `run`, and how they become a <see cref="RunRequest"/>.</summary>
internal sealed class RunOptionSet
{
    private const int MaxOperations = 100_000_000;
    internal const int MaxConcurrency = 100_000;
    private const int MaxWorkers = 1_000;
    private const int MaxRepeats = 1_000;

    private readonly Option<string[]> _backends = Names(
        "--backend", "NAME",
        $"Backends to measure, comma-separated or repeated: {string.Join(", ", BackendNames.All)}. Default {BackendNames.PostgreSql}.");
    private readonly Option<string[]> _tiers = Names(
        "--tier", "TIER",
        $"Measures the scenarios of a tier: {string.Join(", ", ScenarioNames.TierNames)}. Default smoke, unless a scenario is named.");
    private readonly Option<string[]> _scenarios = Names(
        "--scenario", "NAME", "A scenario, with or without its backend as a prefix; see 'serdica-perf list'.");
    private readonly Option<string?> _assembly = new("--assembly")
    {
        HelpName = "FILE",
        Description = "A .dll with scenarios of your own; see 'serdica-perf init'. All of them are measured, unless --scenario names one.",
    };

    private readonly Option<int?> _operations = NumberOption.Create("--operations", "Operations in the measured window.", 1, MaxOperations);
    private readonly Option<int?> _concurrency = NumberOption.Create(
        "--concurrency", "Callers that issue operations at the same time.", 1, MaxConcurrency);
    private readonly Option<int?> _workers = NumberOption.Create("--workers", "Signal workers.", 1, MaxWorkers);
    private readonly Option<string[]> _engine = EngineOption.Create();
    private readonly Option<int?> _warmUp = NumberOption.Create(
        "--warmup",
        "Operations of the warm-up, which lasts at most 5 s. Default: the highest of 200, twice the callers, and the measured operations.",
        0, MaxOperations);
    private readonly Option<int?> _repeat = RepeatOption("How many times each scenario is measured. Default 1.");
    private readonly Option<LoadModel?> _load = Word(
        "--load", "wave: callers do not wait for completions; closed: each caller waits for its own; serial: one operation at a time.",
        LoadModel.Serial, LoadModel.Wave, LoadModel.Closed);
    private readonly Option<LadderOfCallers?> _ladder = LadderOfCallers.Option(
        "Measures a capacity ladder with these numbers of callers in place of the capacity tier's 1,4,8,16. "
        + "It can stand alone, with --tier or with --scenario. Each level has 16 operations per caller, or --operations.");
    private readonly Option<TimeSpan?> _duration = DurationText.Option(
        "--duration", "The duration of long-soak: a whole number with s, m or h, for instance 90s or 1h. Default 10m.");
    private readonly Option<TimeSpan?> _stepDelay = DurationText.DelayOption(
        "--step-delay",
        "Slows round trips on purpose: the last step of each sleeps for this time, for instance 1ms. It shows whether compare, "
            + "ab and a gate detect that.");
    private readonly Option<DatabaseSourceKind?> _source = SourceOption();
    private readonly ContainerOptionSet _container = new();
    private readonly Option<string?> _output = OutputOption();
    private readonly Option<bool> _noOverhead = new("--no-overhead")
    {
        Description = "Skips the measurements in memory, which show the overhead of engine and load generator.",
    };

    private readonly Option<bool> _noStatistics = new("--no-statistics")
    {
        Description = "Collects no server statistics and no samples, to show what they cost.",
    };

    private readonly Option<bool> _keepOperations = KeepOperationsOption();
    private readonly Option<LogLevel?> _logLevel = LogLevelOption();
    private readonly Option<string?> _gate = new("--gate")
    {
        HelpName = "FILE",
        Description = "A file of limits, for instance perf-gate.json. The exit code is 3 when one is exceeded, "
            + "and 5 when none could be judged.",
    };

    private readonly Option<string?> _baseline = new("--baseline")
    {
        HelpName = "RUN",
        Description = "The run folder or published baseline that the gate's relative limits refer to.",
    };

    private readonly Option<bool> _rerun = new("--rerun-to-confirm")
    {
        Description = "Measures scenarios that exceed a limit again. Only a limit that both runs exceed counts.",
    };

    private readonly Option<bool> _dryRun = new("--dry-run") { Description = "Prints the plan and measures nothing." };
    private readonly Option<bool> _json = new("--json")
    {
        Description = "Prints only the summary as JSON on standard output. Progress goes to standard error.",
    };

    public static Option<DatabaseSourceKind?> SourceOption() => Word(
        "--source", "Where databases come from. Default: the first of these that is available.", Enum.GetValues<DatabaseSourceKind>());

    public static Option<string?> OutputOption() => new("--output")
    {
        HelpName = "DIR",
        Description = "Where the run folder is written. Default TestResults/workflow-performance.",
    };

    public static Option<int?> RepeatOption(string description) => NumberOption.Create("--repeat", description, 1, MaxRepeats);

    public static Option<bool> KeepOperationsOption() => new("--keep-operations")
    {
        Description = "Writes each operation to operations.ndjson in the run folder, about 130 bytes each. Default: histograms only.",
    };

    public static Option<LogLevel?> LogLevelOption() => Word(
        "--log-level", "The lowest level that is logged, in run.log and beside the progress. Default information.",
        LogLevel.Debug, LogLevel.Information, LogLevel.Warning, LogLevel.Error);

    /// <summary>Reads the arguments of a `run`, starting with its own name.</summary>
    /// <exception cref="UsageException">An argument is unknown or invalid.</exception>
    public static RunRequest Parse(IReadOnlyList<string> arguments)
    {
        var options = new RunOptionSet();
        var command = new RootCommand { new Command("run") };
        options.AddTo(command.Subcommands[0]);
        var parsed = command.Parse(arguments);
        return parsed.Errors.Count > 0 ? throw new UsageException(UsageText.Sentence(parsed)) : options.Read(parsed);
    }

    public void AddTo(Command command)
    {
        Option[] options =
        [
            _backends, _tiers, _scenarios, _assembly,
            _operations, _concurrency, _workers, _engine, _load, _ladder, _duration, _warmUp, _repeat, _stepDelay,
            _source, .. _container.All,
            _output, _noOverhead, _noStatistics, _keepOperations, _logLevel, _gate, _baseline, _rerun, _dryRun, _json,
        ];
        foreach (var option in options)
            command.Options.Add(option);
    }

    /// <exception cref="UsageException">A name is not known, or two options contradict each other.</exception>
    public RunRequest Read(ParseResult parsed)
    {
        var backends = Split(parsed.GetValue(_backends));
        var tiers = Split(parsed.GetValue(_tiers));
        var scenarios = Split(parsed.GetValue(_scenarios));
        var ladder = parsed.GetValue(_ladder);
        var own = parsed.GetValue(_assembly) is { } assembly ? ScenarioAssembly.Load(assembly) : [];
        var chosen = scenarios.Count == 0
            ? [.. own.Select(scenario => ((string?)null, scenario))]
            : scenarios.Select(name => ScenarioNames.Parse(name, own)).ToList();
        var plan = RunRequest.MakePlan(backends, tiers, chosen, ladder?.Levels);
        CheckLadder(parsed, ladder);
        CheckDuration(parsed, plan.SelectMany(entry => entry.Scenarios));
        CheckStepDelay(parsed, plan.SelectMany(entry => entry.Scenarios));
        var sizes = _container.Sizes(parsed);
        if (sizes.Count > 0 && (parsed.GetValue(_gate) is not null || parsed.GetValue(_json)))
        {
            throw new UsageException(
                "Several sizes of the server are several runs, and --gate and --json are for one run; leave them out, "
                    + "or name one size in --db-cpus.");
        }

        var container = _container.Read(parsed);
        if (sizes.Count > 0 && container.Keep)
        {
            throw new UsageException(
                "Servers of several sizes would run at the same time and disturb each other; leave --keep-database out, "
                    + "or name one size in --db-cpus.");
        }

        return new()
        {
            Plan = plan,
            Overhead = parsed.GetValue(_noOverhead) ? [] : RunRequest.MakeOverheadPlan(plan),
            BackendsNamed = backends.Count > 0 || chosen.Any(choice => choice.Backend is not null),
            Tier = (tiers, chosen) switch
            {
                ([], []) when ladder is not null => Tiers.ShortName(Tiers.Capacity),
                ([], []) => Tiers.ShortName(Tiers.Smoke),
                ([], _) => "scenario",
                _ => string.Join('+', tiers.Select(Tiers.ShortName)),
            },
            Options = new()
            {
                Operations = parsed.GetValue(_operations),
                Concurrency = parsed.GetValue(_concurrency),
                Workers = parsed.GetValue(_workers),
                Engine = EngineOption.Read(parsed, _engine),
                WarmUp = parsed.GetValue(_warmUp),
                Load = parsed.GetValue(_load),
                Duration = parsed.GetValue(_duration),
                StepDelay = parsed.GetValue(_stepDelay),
                Statistics = !parsed.GetValue(_noStatistics),
            },
            KeepOperations = parsed.GetValue(_keepOperations),
            LogLevel = parsed.GetValue(_logLevel) ?? LogLevel.Information,
            Repeat = parsed.GetValue(_repeat) ?? 1,
            Output = parsed.GetValue(_output),
            Source = _container.SourceOf(parsed, parsed.GetValue(_source)),
            Container = container,
            ServerSizes = sizes,
            DryRun = parsed.GetValue(_dryRun),
            Json = parsed.GetValue(_json),
            Gate = RunGate.Read(parsed.GetValue(_gate), parsed.GetValue(_baseline), parsed.GetValue(_rerun)),
        };
    }

    private void CheckLadder(ParseResult parsed, LadderOfCallers? ladder)
    {
        if (ladder is not null && parsed.GetValue(_concurrency) is not null)
            throw new UsageException("--ladder sets the callers of each level; leave --concurrency out.");
        if (ladder is not null && parsed.GetValue(_load) == LoadModel.Serial)
            throw new UsageException("A serial load has one caller and no ladder; with --ladder use --load wave or --load closed.");
    }

    private void CheckDuration(ParseResult parsed, IEnumerable<Scenario> scenarios)
    {
        var timed = scenarios.FirstOrDefault(scenario => scenario.Parameters.DurationSeconds is not null);
        if (timed is null && parsed.GetValue(_duration) is not null)
        {
            var names = ScenarioCatalog.All
                .Where(scenario => scenario.Parameters.DurationSeconds is not null)
                .Select(scenario => scenario.Name);
            throw new UsageException(
                $"--duration is for {string.Join(", ", names)}, which is not in this run; name it with --scenario, or use --operations.");
        }

        if (timed is not null && parsed.GetValue(_operations) is not null)
        {
            throw new UsageException(
                $"{timed.Name} runs for a duration, not for a number of operations; use --duration in place of --operations.");
        }

        if (timed is not null && parsed.GetValue(_load) is not null)
            throw new UsageException($"{timed.Name} has a load of its own, arrivals at a constant rate; leave --load out.");
    }

    private void CheckStepDelay(ParseResult parsed, IEnumerable<Scenario> scenarios)
    {
        if (parsed.GetValue(_stepDelay) is not null
            && scenarios.FirstOrDefault(scenario => scenario.Family != ScenarioFamilies.SignalRoundtrip) is { } other)
        {
            throw new UsageException(
                $"--step-delay is for round trips, and {other.Name} is none; name one with --scenario, "
                + "for instance signal-roundtrip-throughput-parallel.");
        }
    }

    /// <summary>Names that were given by comma, by repeating the option, or both.</summary>
    public static List<string> Split(string[]? values) =>
    [
        .. (values ?? [])
            .SelectMany(value => value.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
            .Distinct(),
    ];

    private static Option<string[]> Names(string name, string helpName, string description) => new(name)
    {
        HelpName = helpName,
        Description = description,
        Arity = ArgumentArity.OneOrMore,
    };

    /// <summary>An option with a fixed set of words as values; the error message lists them.</summary>
    internal static Option<T?> Word<T>(string name, string description, params T[] values)
        where T : struct, Enum
    {
        var words = values.Select(value => value.ToString().ToLowerInvariant()).ToArray();
        return new(name)
        {
            HelpName = string.Join('|', words),
            Description = description,
            CustomParser = result =>
            {
                var text = result.Tokens[0].Value;
                if (words.Contains(text.ToLowerInvariant()))
                    return Enum.Parse<T>(text, ignoreCase: true);
                result.AddError($"{name} is '{text}'; it must be one of {string.Join(", ", words)}.");
                return null;
            },
        };
    }
}
