namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>Which workflow runs, and the shape of its work.</summary>
internal sealed class LoadWorkOptions(Command command)
{
    private readonly Option<string?> _workflow = command.Text(
        "--workflow",
        "NAME",
        $"The workflow: '{LoadProfile.ShapedWorkflow}', which options such as --payload shape, or any scenario by name. "
            + $"Default {LoadProfile.ShapedWorkflow}."
    );
    private readonly Option<string?> _mix = command.Text(
        "--mix",
        "KIND=WEIGHT,...",
        $"Several kinds of operations with weights, instead of --workflow: {string.Join(", ", OperationMix.Shapes)}, or scenarios."
    );
    private readonly Option<string?> _assembly = command.Text(
        "--assembly",
        "FILE",
        "A .dll with scenarios of your own for --workflow; see 'serdica-perf init'."
    );
    private readonly Option<string?> _trigger = command.Text(
        "--trigger",
        "event|direct",
        "What triggers the work: an event after the start, or the start itself. Default event."
    );
    private readonly Option<string?> _payload = command.Text(
        "--payload",
        "SIZE",
        "The size of the event: 512, 1kb, 4KiB, or small (256), medium (4KiB), large (64KiB). Default small.",
        "-P"
    );
    private readonly Option<string?> _state = command.Text("--state", "SIZE", "The size of the instance's state. Default 0.");
    private readonly Option<string?> _fanOut = command.Text("--fan-out", "N", "Instances per operation. Default 1.", "-F");
    private readonly Option<string?> _children = command.Text("--children", "N", "Children per instance. Default 0.");
    private readonly Option<string?> _timers = command.Text("--timers", "N", "Durable timers per instance. Default 0.");
    private readonly Option<string?> _timerDelay = command.Text("--timer-delay", "TIME", "The delay of each timer. Default 10ms.");
    private readonly Option<string?> _delay = command.Text(
        "--delay",
        "TIME",
        "Adds an activity of this duration to each instance. Default no activity.",
        "-D"
    );
    private readonly Option<string?> _failureRate = command.Text(
        "--failure-rate",
        "SHARE",
        "The share of activities that fail on purpose. These failures are counted separately.",
        "-f"
    );

    public LoadProfile Apply(LoadProfile profile, TypedValues typed)
    {
        var work = profile.Work;
        return profile with
        {
            Workflow = typed.Text(_workflow) ?? profile.Workflow,
            Mix =
                typed.Text(_mix) is { } mix ? OperationMix.Parse(mix)
                : typed.Text(_workflow) is null ? profile.Mix
                : [],
            Work = work with
            {
                Trigger = typed.Word<WorkTrigger>(_trigger) ?? work.Trigger,
                PayloadBytes = typed.Payload(_payload) ?? work.PayloadBytes,
                StateBytes = typed.Payload(_state) ?? work.StateBytes,
                FanOut = typed.Count(_fanOut) ?? work.FanOut,
                Children = typed.Count(_children) ?? work.Children,
                Timers = typed.Count(_timers) ?? work.Timers,
                TimerDelay = typed.Duration(_timerDelay) ?? work.TimerDelay,
                ActivityDelay = typed.Duration(_delay) ?? work.ActivityDelay,
                FailureRate = typed.Share(_failureRate) ?? work.FailureRate,
            },
        };
    }

    /// <summary>The scenario that does the work; null when the profile shapes the work.</summary>
    /// <exception cref="UsageException">The assembly or the scenario is not known.</exception>
    /// <exception cref="LoadProfileException">The options shape the work, and a scenario does it.</exception>
    public Scenario? Find(LoadProfile profile, TypedValues typed)
    {
        if (profile.Work.FanOut < 1)
            throw typed.Error($"{_fanOut.Name} is 0; it must be 1 or more");
        typed.RefuseWithout($"{_trigger.Name} event", profile.Work.Trigger == WorkTrigger.Event, _payload);
        typed.RefuseWithout(_timers.Name, profile.Work.Timers > 0 || profile.Mix.Count > 0, _timerDelay);
        if (typed.Text(_mix) is not null && typed.Text(_workflow) is not null)
            throw typed.Error($"{_mix.Name} and {_workflow.Name} exclude each other; leave one of them out");
        if (profile.Mix.Count > 0)
            return null;
        var own = Own(typed);
        if (profile.Workflow == LoadProfile.ShapedWorkflow)
        {
            return own.Count == 0
                ? null
                : throw new UsageException(
                    $"{_assembly.Name} has {string.Join(", ", own.Select(scenario => scenario.Name))}, and the load would use "
                        + $"'{LoadProfile.ShapedWorkflow}'; name one of them with {_workflow.Name}."
                );
        }

        var scenario = ScenarioNames.Parse(profile.Workflow, own).Scenario;
        return profile.Work == new WorkShape()
            ? scenario
            : throw typed.Error(
                $"The options of the work apply only to '{LoadProfile.ShapedWorkflow}', and {_workflow.Name} is '{profile.Workflow}'; "
                    + "leave them out"
            );
    }

    /// <summary>The scenarios among the kinds of a mix, by their names in it.</summary>
    /// <exception cref="UsageException">The assembly or a kind is not known.</exception>
    public IReadOnlyDictionary<string, Scenario> FindKinds(LoadProfile profile, TypedValues typed)
    {
        var kinds = new Dictionary<string, Scenario>();
        var own = profile.Mix.Count == 0 ? [] : Own(typed);
        foreach (var (name, _) in profile.Mix.Where(part => !OperationMix.Shapes.Contains(part.Name)))
        {
            string[] names = [.. OperationMix.Shapes, .. own.Concat(ScenarioCatalog.All).Select(scenario => scenario.Name)];
            kinds[name] = names.Contains(name)
                ? ScenarioNames.Parse(name, own).Scenario
                : throw new UsageException(
                    $"There is no kind of operation '{name}'; there are {string.Join(", ", names)}.{ClosestName.Question(name, names)}"
                );
        }

        return kinds;
    }

    /// <inheritdoc cref="ScenarioAssembly.SourceFolder"/>
    public string? SourceFolder(TypedValues typed) => ScenarioAssembly.SourceFolder(typed.Text(_assembly));

    private IReadOnlyList<Scenario> Own(TypedValues typed) => typed.Text(_assembly) is { } assembly ? ScenarioAssembly.Load(assembly) : [];
}
