using System.CommandLine;
using System.CommandLine.Parsing;
using Microsoft.Extensions.Logging;
using Serdica.Perf.Backends;
using Serdica.Perf.Cli.Options;
using Serdica.Perf.Databases;
using Serdica.Perf.Measurement.LoadTests.Profiles;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Results.Profiles;

namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>The options of `load`, and how they become a <see cref="LoadRequest"/>.</summary>
internal sealed class LoadOptionSet
{
    private const int MaxGenerators = 64;

    private readonly Option<string?> _backend = Text("--backend", "NAME", $"One of {string.Join(", ", BackendNames.All)}. Default {BackendNames.PostgreSql}.");
    private readonly Option<string?> _profile = Text("--profile", "NAME|FILE", $"A load test from a file, or one that comes with the suite: {string.Join(", ", ShippedProfiles.Names)}. Other options go before what it says.");
    private readonly Option<string?> _workflow = Text("--workflow", "NAME", $"What is driven: '{LoadProfile.ShapedWorkflow}', which the options of the work shape, or any scenario by name. Default {LoadProfile.ShapedWorkflow}.");
    private readonly Option<string?> _assembly = Text("--assembly", "FILE", "A .dll with scenarios of your own for --workflow, see 'serdica-perf init'.");
    private readonly Option<string?> _rate = Text("--rate", "N[,N...]|P%", "Operations a second on a schedule (open load); several by comma are steps; 70% is a part of the measured maximum.", "-e", "--events");
    private readonly Option<string?> _ramp = Text("--ramp", "N", "Steps up to this rate, from --ramp-from (50%) by --ramp-by (25%) of it.");
    private readonly Option<string?> _rampFrom = Text("--ramp-from", "SHARE", "Where a ramp begins. Default 50%.");
    private readonly Option<string?> _rampBy = Text("--ramp-by", "SHARE", "What each step of a ramp adds. Default 25%.");
    private readonly Option<string?> _oscillate = Text("--oscillate", "LOW..HIGH", "A rate that alternates between two, half a period each, the high one first.");
    private readonly Option<string?> _period = Text("--period", "TIME", "Of --oscillate. Default 10s.");
    private readonly Option<string?> _backlogBetween = Text("--backlog-between", "LOW..HIGH", "With a rate: operations arrive until HIGH are in flight, then none until LOW are left, and so on.");
    private readonly Option<string?> _users = Text("--users", "N|MIN..MAX", "Alone: users who wait for their own completion (closed load). With a rate: users at the begin and at most.", "-c", "--concurrency");
    private readonly Option<string?> _backlog = Text("--backlog", "N", "A backlog of N operations that is prepared before the workers start, and burnt down.");
    private readonly Option<string?> _workerDelay = Text("--worker-delay", "TIME", "Start the workers so long after the load, so that a backlog forms.", "-p");
    private readonly Option<string?> _reads = Text("--reads", "N", "Read N instances back a second, beside the load.");
    private readonly Option<string?> _arrivals = Text("--arrivals", "uniform|poisson", "How arrivals are spread. Default uniform.");
    private readonly Option<string?> _seed = Text("--seed", "N", "Of random arrivals. Default 1.");
    private readonly Option<string?> _duration = Text("--duration", "TIME", "Of each step. Default 10s.", "-d");
    private readonly Option<string?> _operations = Text("--operations", "N", "No more operations in a step than this.");
    private readonly Option<string?> _warmUp = Text("--warmup", "TIME", "A closed load before, in no figure. Default 2s.");
    private readonly Option<string?> _cooldown = Text("--cooldown", "TIME", "Pause between steps. Default none.");
    private readonly Option<string?> _drain = Text("--drain", "TIME", "How long a step waits for what still runs. Default 30s.", "-w", "--wait");
    private readonly Option<bool> _waitForClean = new("--wait-for-clean") { Description = "A step waits, up to --drain once more, until nothing is left of the one before." };
    private readonly Option<bool> _freshSteps = new("--fresh-steps") { Description = "Each step has a store of its own." };
    private readonly Option<string?> _workers = Text("--workers", "N", "Signal workers, of each generator. Default 2.");
    private readonly Option<string[]> _engine = EngineOption.Create();
    private readonly Option<string?> _slots = Text("--slots", "N", "Activities side by side, of all generators together. Default as many as there are.", "-s");
    private readonly Option<string?> _payload = Text("--payload", "SIZE", "Of the event: 512, 1kb, 4KiB, or small (256), medium (4KiB), large (64KiB). Default small.", "-P");
    private readonly Option<string?> _state = Text("--state", "SIZE", "Of the instance's state. Default 0.");
    private readonly Option<string?> _fanOut = Text("--fan-out", "N", "Instances of each operation. Default 1.", "-F");
    private readonly Option<string?> _children = Text("--children", "N", "Children of each instance. Default 0.");
    private readonly Option<string?> _timers = Text("--timers", "N", "Durable timers of each instance. Default 0.");
    private readonly Option<string?> _timerDelay = Text("--timer-delay", "TIME", "Of each timer. Default 10ms.");
    private readonly Option<string?> _delay = Text("--delay", "TIME", "How long the activity of each instance takes. Default no activity.", "-D");
    private readonly Option<string?> _failureRate = Text("--failure-rate", "SHARE", "Activities that fail on purpose; counted apart.", "-f");
    private readonly Option<string?> _trigger = Text("--trigger", "event|direct", "Whether an event sets the work off, or the start itself. Default event.");
    private readonly Option<string?> _p99 = Text("--p99", "TIME", "Objective: the highest p99 of the response time.");
    private readonly Option<string?> _errorRate = Text("--error-rate", "SHARE", "Objective: the highest part of real failures. Default 0.");
    private readonly Option<string?> _lateness = Text("--lateness", "SHARE", "Objective: the highest part of late and dropped arrivals.");
    private readonly Option<string?> _scale = Text("--scale", "SHARE", "Shorten all durations, pauses and backlogs: 0.01 makes 5 minutes 3 seconds.");
    private readonly Option<int?> _repeat = RunOptionSet.RepeatOption("How often the whole test is made, each time on a fresh store. Default 1.");
    private readonly Option<bool> _findMaximum = new("--find-max") { Description = "Look for the highest rate that holds, by bisection; each trial lasts --duration, the confirmation three times as long." };
    private readonly Option<int?> _generators = NumberOption.Create("--generators", "Processes that generate the load, each with a store of its own. Default 1.", 1, MaxGenerators);
    private readonly Option<int?> _generator = NumberOption.Create("--generator", "Set by --generators for its processes.", 1, MaxGenerators);
    private readonly Option<int?> _ofGenerators = NumberOption.Create("--of-generators", "Set by --generators for its processes.", 1, MaxGenerators);
    private readonly Option<DatabaseSourceKind?> _source = RunOptionSet.SourceOption();
    private readonly Option<string?> _output = Text("--output", "DIR", "Where the run folder is made. Default TestResults/workflow-performance.");
    private readonly Option<bool> _keepOperations = RunOptionSet.KeepOperationsOption();
    private readonly Option<LogLevel?> _logLevel = RunOptionSet.LogLevelOption();
    private readonly Option<bool> _dryRun = new("--dry-run") { Description = "Say what would be done, and do nothing." };
    private readonly Option<bool> _json = new("--json") { Description = "Print only load.json on the output; progress goes to the error output." };

    public LoadOptionSet() => _generator.Hidden = _ofGenerators.Hidden = true;

    /// <summary>What was typed, without what only the whole of several generators has.</summary>
    public IReadOnlyList<string> ForGenerators(ParseResult parsed)
    {
        var ofTheWhole = ((Option[])[_generators, _output, _source, _json])
            .Select(parsed.GetResult).OfType<OptionResult>().SelectMany(option => option.Tokens.Prepend(option.IdentifierToken!)).ToArray();
        return [.. parsed.Tokens.Where(token => !ofTheWhole.Contains(token, ReferenceEqualityComparer.Instance)).Select(token => token.Value)];
    }

    public void AddTo(Command command)
    {
        foreach (var option in (Option[])
        [
            _backend, _profile, _workflow, _assembly, _rate, _ramp, _rampFrom, _rampBy, _oscillate, _period, _backlogBetween, _users, _backlog, _workerDelay, _reads, _arrivals, _seed, _duration, _operations,
            _warmUp, _cooldown, _drain, _waitForClean, _freshSteps, _workers, _engine, _slots, _payload, _state, _fanOut, _children, _timers, _timerDelay, _delay, _failureRate, _trigger,
            _p99, _errorRate, _lateness, _scale, _repeat, _findMaximum, _generators, _generator, _ofGenerators, _source, _output, _keepOperations, _logLevel, _dryRun, _json,
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

    /// <summary>A rate, users or a backlog on the command line take the place of the profile's steps; the other options change them.</summary>
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

        LoadStep Swinging(LoadStep step) => between is { } bounds && step.Kind == LoadKind.Open ? LoadSteps.WithBacklogBetween(step, bounds.Min, bounds.Max) : step;
        if (between is { } wanted && users is { } few && few.Max < wanted.Max)
            throw values.Error($"--users allows {few.Max} in flight, so --backlog-between never reaches {wanted.Max}; allow more or leave --users out");

        var rates = Said(_rate)?.Split(',').Select(text => values.Rate("--rate", text)!.Value).ToArray();
        var ramp = values.Number("--ramp", Said(_ramp));
        var backlog = values.Count("--backlog", Said(_backlog));
        var oscillate = values.Range("--oscillate", Said(_oscillate));
        if (new object?[] { rates, ramp, backlog, oscillate }.Count(value => value is not null) > 1)
            throw values.Error("--rate, --ramp, --oscillate and --backlog exclude each other");
        if (oscillate is null && Said(_period) is not null)
            throw values.Error("--period is that of --oscillate, which was not said");

        var open = Changed(new() { Name = "rate", Kind = LoadKind.Open });
        if (ramp is { } target)
        {
            return [.. LoadSteps.Ramp(
                open with { Name = "ramp", PerSecond = target },
                values.Share("--ramp-from", Said(_rampFrom)) ?? LoadSteps.RampFrom,
                values.Share("--ramp-by", Said(_rampBy)) ?? LoadSteps.RampBy)];
        }

        if (rates is not null)
            return LoadSteps.WithUniqueNames(rates.SelectMany(rate => rate.PerSecond is { } perSecond ? LoadSteps.At(open, [perSecond]) : [open with { Name = $"share-{rate.ShareOfMaximum * 100:0}", ShareOfMaximum = rate.ShareOfMaximum }]));
        if (oscillate is { } wave)
            return [LoadSteps.Oscillating(open with { Name = "oscillate" }, wave.Min, wave.Max, values.Duration("--period", Said(_period)))];
        if (backlog is { } size)
            return [Changed(new() { Name = "burn-down", Kind = LoadKind.BurnDown, Backlog = Math.Max(1, size) })];
        if (profile.Steps.Count > 0)
            return [.. profile.Steps.Select(Changed)];
        if (parsed.GetValue(_findMaximum))
            return [open];
        return users is not null
            ? [Changed(new() { Name = "users", Kind = LoadKind.Closed })]
            : throw values.Error("There is no load: say --rate, --ramp, --oscillate, --users, --backlog, --find-max or --profile");
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
            throw values.Error($"Options of the work shape '{LoadProfile.ShapedWorkflow}' and not '{profile.Workflow}', whose work is its own; leave them out");
        if (profile.Steps.Any(step => step is { Wave.Period: var period } && period <= TimeSpan.Zero))
            throw values.Error("A period is 0; it must be above");
        if (findMaximum && profile.Steps.Any(step => step.Repeat is not null))
            throw values.Error("--find-max confirms what it finds by a run of its own; leave --repeat out, or repeat the rate that it finds");
        if (generators > 1 && findMaximum)
            throw values.Error("--find-max has one generator; leave --generators out");
        if (generators > 1 && profile.Steps.Any(step => step.ShareOfMaximum is not null))
            throw values.Error("Each of several generators would measure a maximum of its own; with --generators say the rate as a number");
        if (profile.Work.FanOut < 1)
            throw values.Error("--fan-out is 0; it must be 1 or more");
        if (profile.Workers < 1 || profile.Slots < 1)
            throw values.Error("--workers and --slots must be 1 or more");
        if (generators > 1)
            CheckShares(profile, generators, values);
    }

    /// <summary>Each generator gets one at least of all that is shared, so fewer would be more in all than was asked for.</summary>
    private static void CheckShares(LoadProfile profile, int generators, ProfileValues values)
    {
        foreach (var (number, words) in profile.Steps.SelectMany(Shared).Prepend((profile.Slots, $"{profile.Slots} slots")))
        {
            if (number < generators)
                throw values.Error($"{generators} generators can't share {words}; say {generators} or more, or fewer generators");
        }
    }

    private static IEnumerable<(int? Number, string Words)> Shared(LoadStep step)
    {
        yield return step.Kind switch
        {
            LoadKind.BurnDown => (step.Backlog, $"a backlog of {step.Backlog}"),
            LoadKind.Closed => (step.MinUsers, $"{step.MinUsers} users"),
            _ => (step.MaxUsers, $"{step.MaxUsers} users"),
        };
        yield return (step.Operations, $"{step.Operations} operations");
    }

    private static Option<string?> Text(string name, string helpName, string description, params string[] aliases) =>
        new(name, aliases) { HelpName = helpName, Description = description };
}
