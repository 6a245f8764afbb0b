using System.CommandLine;
using System.CommandLine.Parsing;
using Microsoft.Extensions.Logging;
using Serdica.Perf.Backends;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.LoadTests;
using Serdica.Perf.Measurement.LoadTests.Profiles;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Results.Profiles;

namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>The options of `load`, and how they become a <see cref="LoadRequest"/>.</summary>
internal sealed class LoadOptionSet
{
    private const int MaxGenerators = 64;

    private readonly Option<string?> _backend = Text(
        "--backend", "NAME", $"One of {string.Join(", ", BackendNames.All)}. Default {BackendNames.PostgreSql}.");
    private readonly Option<string?> _profile = Text(
        "--profile", "NAME|FILE",
        $"A load test from a file, or one that comes with the suite: {string.Join(", ", ShippedProfiles.Names)}. "
            + "Other options override it.");
    private readonly Option<string?> _workflow = Text(
        "--workflow", "NAME",
        $"The workflow: '{LoadProfile.ShapedWorkflow}', which options such as --payload shape, or any scenario by name. "
        + $"Default {LoadProfile.ShapedWorkflow}.");
    private readonly Option<string?> _assembly = Text(
        "--assembly", "FILE", "A .dll with scenarios of your own for --workflow; see 'serdica-perf init'.");
    private readonly Option<string?> _rate = Text(
        "--rate", "N[,N...]|P%",
        "Operations per second on a schedule (open load). Several rates, comma-separated, are steps. "
            + "70% is a share of the measured maximum.",
        "-e", "--events");
    private readonly Option<string?> _ramp = Text(
        "--ramp", "N", "Steps up to this rate. The first is --ramp-from of it, and each adds --ramp-by of it.");
    private readonly Option<string?> _rampFrom = Text(
        "--ramp-from", "SHARE", "The first step of a ramp, as a share of its rate. Default 50%.");
    private readonly Option<string?> _rampBy = Text(
        "--ramp-by", "SHARE", "What each step of a ramp adds, as a share of its rate. Default 25%.");
    private readonly Option<string?> _oscillate = Text(
        "--oscillate", "LOW..HIGH", "A rate that alternates between two values, each for half a period. The high one comes first.");
    private readonly Option<string?> _period = Text("--period", "TIME", "The period of --oscillate. Default 10s.");
    private readonly Option<string?> _backlogBetween = Text(
        "--backlog-between", "LOW..HIGH",
        "With a rate: operations arrive until HIGH are in flight, pause until LOW are left, and arrive again.");
    private readonly Option<string?> _users = Text(
        "--users", "N|MIN..MAX",
        "Alone: N callers, each of which waits for its own completion (closed load). "
        + "With a rate: the number of callers at the start and the highest number.",
        "-c", "--concurrency");
    private readonly Option<string?> _backlog = Text(
        "--backlog", "N", "Prepares N operations before the workers start, and measures how fast they drain this backlog.");
    private readonly Option<string?> _workerDelay = Text(
        "--worker-delay", "TIME", "Starts the workers this long after the load, so that a backlog forms.", "-p");
    private readonly Option<string?> _reads = Text("--reads", "N", "Reads N instances per second beside the load.");
    private readonly Option<string?> _arrivals = Text("--arrivals", "uniform|poisson", "The distribution of arrivals. Default uniform.");
    private readonly Option<string?> _seed = Text("--seed", "N", "The seed of random arrivals. Default 1.");
    private readonly Option<string?> _duration = Text("--duration", "TIME", "The duration of each step. Default 10s.", "-d");
    private readonly Option<string?> _operations = Text(
        "--operations", "N", "The maximum number of operations in a step. Default no maximum.");
    private readonly Option<string?> _warmUp = Text(
        "--warmup", "TIME", "The duration of a closed load before the first step; no figure includes it. Default 2s.");
    private readonly Option<string?> _cooldown = Text("--cooldown", "TIME", "The pause between steps. Default none.");
    private readonly Option<string?> _drain = Text(
        "--drain", "TIME", "How long a step waits at its end for operations that still run. Default 30s.", "-w", "--wait");
    private readonly Option<bool> _waitForClean = new("--wait-for-clean")
    {
        Description = "A step first waits, for another --drain at most, until nothing is left of the previous step.",
    };

    private readonly Option<bool> _freshSteps = new("--fresh-steps") { Description = "Each step uses a store of its own." };
    private readonly Option<string?> _workers = Text("--workers", "N", "Signal workers of each generator. Default 2.");
    private readonly Option<string[]> _engine = EngineOption.Create();
    private readonly Option<string?> _slots = Text(
        "--slots", "N", "The maximum number of activities that run at the same time, in all generators. Default no maximum.", "-s");
    private readonly Option<string?> _payload = Text(
        "--payload", "SIZE",
        "The size of the event: 512, 1kb, 4KiB, or small (256), medium (4KiB), large (64KiB). Default small.", "-P");
    private readonly Option<string?> _state = Text("--state", "SIZE", "The size of the instance's state. Default 0.");
    private readonly Option<string?> _fanOut = Text("--fan-out", "N", "Instances per operation. Default 1.", "-F");
    private readonly Option<string?> _children = Text("--children", "N", "Children per instance. Default 0.");
    private readonly Option<string?> _timers = Text("--timers", "N", "Durable timers per instance. Default 0.");
    private readonly Option<string?> _timerDelay = Text("--timer-delay", "TIME", "The delay of each timer. Default 10ms.");
    private readonly Option<string?> _delay = Text(
        "--delay", "TIME", "Adds an activity of this duration to each instance. Default no activity.", "-D");
    private readonly Option<string?> _failureRate = Text(
        "--failure-rate", "SHARE", "The share of activities that fail on purpose. These failures are counted separately.", "-f");
    private readonly Option<string?> _trigger = Text(
        "--trigger", "event|direct", "What triggers the work: an event after the start, or the start itself. Default event.");
    private readonly Option<string?> _p99 = Text("--p99", "TIME", "Objective: the highest p99 of the response time.");
    private readonly Option<string?> _errorRate = Text(
        "--error-rate", "SHARE", "Objective: the highest share of real failures. Default 0.");
    private readonly Option<string?> _lateness = Text("--lateness", "SHARE", "Objective: the highest share of late and dropped arrivals.");
    private readonly Option<string?> _scale = Text(
        "--scale", "SHARE", "Shortens all durations, pauses and backlogs: 0.01 turns 5 minutes into 3 seconds.");
    private readonly Option<int?> _repeat = RunOptionSet.RepeatOption(
        "How many times the whole test runs, each time on a fresh store. Default 1.");
    private readonly Option<bool> _findMaximum = new("--find-max")
    {
        Description = "Searches for the highest rate that holds, by bisection. Each trial lasts --duration, "
            + "the confirmation 3 times as long.",
    };

    private readonly Option<int?> _generators = NumberOption.Create(
        "--generators", "Processes that generate the load, each with a store of its own. Default 1.", 1, MaxGenerators);
    private readonly Option<int?> _generator = NumberOption.Create(
        "--generator", "Set by --generators for its processes.", 1, MaxGenerators);
    private readonly Option<int?> _ofGenerators = NumberOption.Create(
        "--of-generators", "Set by --generators for its processes.", 1, MaxGenerators);
    private readonly Option<DatabaseSourceKind?> _source = RunOptionSet.SourceOption();
    private readonly Option<string?> _output = RunOptionSet.OutputOption();
    private readonly Option<bool> _keepOperations = RunOptionSet.KeepOperationsOption();
    private readonly Option<LogLevel?> _logLevel = RunOptionSet.LogLevelOption();
    private readonly Option<bool> _dryRun = new("--dry-run") { Description = "Prints the steps and runs nothing." };
    private readonly Option<bool> _json = new("--json")
    {
        Description = "Prints only load.json on standard output. Progress goes to standard error.",
    };

    public LoadOptionSet() => _generator.Hidden = _ofGenerators.Hidden = true;

    /// <summary>The arguments for each of several generators: what was typed, without the options of the whole.</summary>
    public IReadOnlyList<string> ForGenerators(ParseResult parsed)
    {
        var ofTheWhole = ((Option[])[_generators, _output, _source, _json])
            .Select(parsed.GetResult).OfType<OptionResult>().SelectMany(option => option.Tokens.Prepend(option.IdentifierToken!)).ToArray();
        return
        [
            .. parsed.Tokens
                .Where(token => !ofTheWhole.Contains(token, ReferenceEqualityComparer.Instance))
                .Select(token => token.Value),
        ];
    }

    public void AddTo(Command command)
    {
        foreach (var option in (Option[])
        [
            _backend, _profile, _workflow, _assembly, _rate, _ramp, _rampFrom, _rampBy, _oscillate, _period, _backlogBetween, _users,
            _backlog, _workerDelay, _reads, _arrivals, _seed, _duration, _operations, _warmUp, _cooldown, _drain, _waitForClean,
            _freshSteps, _workers, _engine, _slots, _payload, _state, _fanOut, _children, _timers, _timerDelay, _delay,
            _failureRate, _trigger, _p99, _errorRate, _lateness, _scale, _repeat, _findMaximum, _generators, _generator,
            _ofGenerators, _source, _output, _keepOperations, _logLevel, _dryRun, _json,
        ])
            command.Options.Add(option);
    }

    /// <exception cref="UsageException">The backend is not known.</exception>
    /// <exception cref="LoadProfileException">A value is not understood, or two options contradict each other.</exception>
    public LoadRequest Read(ParseResult parsed)
    {
        var values = new ProfileValues(null);
        string? Said(Option<string?> option) => parsed.GetValue(option);
        var backend = Said(_backend) ?? BackendNames.PostgreSql;
        ScenarioNames.CheckBackend(backend);
        var scale = values.Share("--scale", Said(_scale)) ?? 1;
        if (scale <= 0)
            throw values.Error("--scale is 0; it must be above 0 and at most 1");

        var file = Said(_profile) is { } profile ? ShippedProfiles.Read(profile) : new LoadProfile { Name = "load", Steps = [] };
        var test = WithOptions(file, parsed, values);
        test = test with { Steps = Steps(test, parsed, values) };
        var scenario = FindScenario(test, parsed);
        var generators = parsed.GetValue(_generators) ?? 1;
        var findMaximum = parsed.GetValue(_findMaximum);
        test = test.Scaled(scale).Repeated(parsed.GetValue(_repeat) ?? 1);
        Check(test, scenario, generators, findMaximum, values);
        return new()
        {
            Backend = backend,
            Profile = test,
            Scenario = scenario,
            Scale = scale,
            FindMaximum = findMaximum,
            Confirmation = (values.Duration("--duration", Said(_duration)) ?? LoadTest.DefaultConfirmation) * scale,
            Generators = generators,
            Generator = parsed.GetValue(_generator),
            GeneratorsOfTheWhole = parsed.GetValue(_ofGenerators) ?? 1,
            Output = Said(_output),
            Source = parsed.GetValue(_source),
            KeepOperations = parsed.GetValue(_keepOperations),
            LogLevel = parsed.GetValue(_logLevel) ?? LogLevel.Information,
            DryRun = parsed.GetValue(_dryRun),
            Json = parsed.GetValue(_json),
        };
    }

    private LoadProfile WithOptions(LoadProfile profile, ParseResult parsed, ProfileValues values)
    {
        string? Said(Option<string?> option) => parsed.GetValue(option);
        var work = profile.Work;
        return profile with
        {
            Workflow = Said(_workflow) ?? profile.Workflow,
            Workers = values.Count("--workers", Said(_workers)) ?? profile.Workers,
            Slots = values.Count("--slots", Said(_slots)) ?? profile.Slots,
            Engine = EngineSettings.Merged(profile.Engine, EngineOption.Read(parsed, _engine)),
            WarmUp = values.Duration("--warmup", Said(_warmUp)) ?? profile.WarmUp,
            Cooldown = values.Duration("--cooldown", Said(_cooldown)) ?? profile.Cooldown,
            DrainLimit = values.Duration("--drain", Said(_drain)) ?? profile.DrainLimit,
            WorkerDelay = values.Duration("--worker-delay", Said(_workerDelay)) ?? profile.WorkerDelay,
            WaitForClean = parsed.GetValue(_waitForClean) || profile.WaitForClean,
            FreshSteps = parsed.GetValue(_freshSteps) || profile.FreshSteps,
            Seed = values.Count("--seed", Said(_seed)) ?? profile.Seed,
            Objectives = new()
            {
                P99 = values.Duration("--p99", Said(_p99)) ?? profile.Objectives.P99,
                ErrorRate = values.Share("--error-rate", Said(_errorRate)) ?? profile.Objectives.ErrorRate,
                Lateness = values.Share("--lateness", Said(_lateness)) ?? profile.Objectives.Lateness,
            },
            Work = work with
            {
                PayloadBytes = values.Payload("--payload", Said(_payload)) ?? work.PayloadBytes,
                StateBytes = values.Payload("--state", Said(_state)) ?? work.StateBytes,
                FanOut = values.Count("--fan-out", Said(_fanOut)) ?? work.FanOut,
                Children = values.Count("--children", Said(_children)) ?? work.Children,
                Timers = values.Count("--timers", Said(_timers)) ?? work.Timers,
                TimerDelay = values.Duration("--timer-delay", Said(_timerDelay)) ?? work.TimerDelay,
                ActivityDelay = values.Duration("--delay", Said(_delay)) ?? work.ActivityDelay,
                FailureRate = values.Share("--failure-rate", Said(_failureRate)) ?? work.FailureRate,
                Trigger = values.Word<WorkTrigger>("--trigger", Said(_trigger)) ?? work.Trigger,
            },
        };
    }

    /// <summary>A rate, callers or a backlog on the command line replace the profile's steps; the other options change them.</summary>
    private IReadOnlyList<LoadStep> Steps(LoadProfile profile, ParseResult parsed, ProfileValues values)
    {
        string? Said(Option<string?> option) => parsed.GetValue(option);
        var users = values.Range("--users", Said(_users));
        var between = values.Range("--backlog-between", Said(_backlogBetween));
        LoadStep Changed(LoadStep step) => Swinging(step) with
        {
            Duration = values.Duration("--duration", Said(_duration)) ?? step.Duration,
            Operations = values.Count("--operations", Said(_operations)) ?? step.Operations,
            MinUsers = users?.Min ?? step.MinUsers,
            MaxUsers = users?.Max ?? Swinging(step).MaxUsers,
            ReadsPerSecond = values.Number("--reads", Said(_reads)) ?? step.ReadsPerSecond,
            Arrivals = values.Word<ArrivalPattern>("--arrivals", Said(_arrivals)) ?? step.Arrivals,
        };

        LoadStep Swinging(LoadStep step) => between is { } bounds && step.Kind == LoadKind.Open
            ? LoadSteps.WithBacklogBetween(step, bounds.Min, bounds.Max)
            : step;
        if (between is { } wanted && users is { } few && few.Max < wanted.Max)
        {
            throw values.Error(
                $"--users allows {few.Max} in flight, so --backlog-between never reaches {wanted.Max}; "
                + "allow more callers, or leave --users out");
        }

        var rates = Said(_rate)?.Split(',').Select(text => values.Rate("--rate", text)!.Value).ToArray();
        var ramp = values.Number("--ramp", Said(_ramp));
        var backlog = values.Count("--backlog", Said(_backlog));
        var oscillate = values.Range("--oscillate", Said(_oscillate));
        if (new object?[] { rates, ramp, backlog, oscillate }.Count(value => value is not null) > 1)
            throw values.Error("--rate, --ramp, --oscillate and --backlog exclude each other");
        if (oscillate is null && Said(_period) is not null)
            throw values.Error("--period belongs to --oscillate; name the rates with --oscillate, or leave --period out");

        var open = Changed(new() { Name = "rate", Kind = LoadKind.Open });
        if (ramp is { } target)
        {
            return [.. LoadSteps.Ramp(
                open with { Name = "ramp", PerSecond = target },
                values.Share("--ramp-from", Said(_rampFrom)) ?? LoadSteps.RampFrom,
                values.Share("--ramp-by", Said(_rampBy)) ?? LoadSteps.RampBy)];
        }

        if (rates is not null)
        {
            return LoadSteps.WithUniqueNames(rates.SelectMany(rate => rate.PerSecond is { } perSecond
                ? LoadSteps.At(open, [perSecond])
                : [open with { Name = $"share-{rate.ShareOfMaximum * 100:0}", ShareOfMaximum = rate.ShareOfMaximum }]));
        }

        if (oscillate is { } wave)
        {
            return [LoadSteps.Oscillating(
                open with { Name = "oscillate" }, wave.Min, wave.Max, values.Duration("--period", Said(_period)))];
        }

        if (backlog is { } size)
            return [Changed(new() { Name = "burn-down", Kind = LoadKind.BurnDown, Backlog = Math.Max(1, size) })];
        if (profile.Steps.Count > 0)
            return [.. profile.Steps.Select(Changed)];
        if (parsed.GetValue(_findMaximum))
            return [open];
        return users is not null
            ? [Changed(new() { Name = "users", Kind = LoadKind.Closed })]
            : throw values.Error("There is no load: give --rate, --ramp, --oscillate, --users, --backlog, --find-max or --profile");
    }

    private Scenario? FindScenario(LoadProfile profile, ParseResult parsed)
    {
        if (profile.Workflow == LoadProfile.ShapedWorkflow)
            return null;
        var own = parsed.GetValue(_assembly) is { } assembly ? ScenarioAssembly.Load(assembly) : [];
        return ScenarioNames.Parse(profile.Workflow, own).Scenario;
    }

    private static void Check(LoadProfile profile, Scenario? scenario, int generators, bool findMaximum, ProfileValues values)
    {
        if (scenario is not null && profile.Work != new WorkShape())
        {
            throw values.Error(
                $"The options of the work shape only '{LoadProfile.ShapedWorkflow}', and --workflow is '{profile.Workflow}'; "
                + "leave them out");
        }

        if (profile.Steps.Any(step => step is { Wave.Period: var period } && period <= TimeSpan.Zero))
            throw values.Error("--period is 0; it must be longer than 0s");
        if (findMaximum && profile.Steps.Any(step => step.Repeat is not null))
        {
            throw values.Error(
                "--find-max confirms its result with a step of its own; leave --repeat out, or repeat the rate that it finds");
        }

        if (generators > 1 && findMaximum)
            throw values.Error("--find-max uses one generator; leave --generators out");
        if (generators > 1 && profile.Steps.Any(step => step.ShareOfMaximum is not null))
        {
            throw values.Error(
                "Each of several generators would measure a maximum of its own; with --generators give the rate as a number");
        }

        if (profile.Work.FanOut < 1)
            throw values.Error("--fan-out is 0; it must be 1 or more");
        if (profile.Workers < 1 || profile.Slots < 1)
            throw values.Error("--workers and --slots must be 1 or more");
        if (generators > 1)
            CheckShares(profile, generators, values);
    }

    /// <summary>
    /// Each generator gets at least one of whatever is shared: with fewer than generators, the total would exceed the
    /// request.
    /// </summary>
    private static void CheckShares(LoadProfile profile, int generators, ProfileValues values)
    {
        foreach (var (number, words) in profile.Steps.SelectMany(Shared).Prepend((profile.Slots, $"{profile.Slots} slots")))
        {
            if (number < generators)
                throw values.Error($"{generators} generators cannot share {words}; give {generators} or more, or fewer generators");
        }
    }

    private static IEnumerable<(int? Number, string Words)> Shared(LoadStep step)
    {
        yield return step.Kind switch
        {
            LoadKind.BurnDown => (step.Backlog, $"a backlog of {step.Backlog}"),
            LoadKind.Closed => (step.MinUsers, $"{step.MinUsers} callers"),
            _ => (step.MaxUsers, $"{step.MaxUsers} callers"),
        };
        yield return (step.Operations, $"{step.Operations} operations");
    }

    private static Option<string?> Text(string name, string helpName, string description, params string[] aliases) =>
        new(name, aliases) { HelpName = helpName, Description = description };
}
