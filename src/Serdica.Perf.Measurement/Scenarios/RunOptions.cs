namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>The options of a user besides the scenario's own parameters.</summary>
public sealed record RunOptions
{
    public int? Operations { get; init; }

    public int? Concurrency { get; init; }

    public int? Workers { get; init; }

    public LoadModel? Load { get; init; }

    /// <value>Settings of the engine by name, see <see cref="EngineSettings"/>; default none.</value>
    public IReadOnlyDictionary<string, string> Engine { get; init; } = new Dictionary<string, string>();

    /// <value>The duration of a scenario that lasts for a fixed time; ignored by others.</value>
    public TimeSpan? Duration { get; init; }

    /// <value>How long the last step of a round trip sleeps on purpose; ignored by scenarios of other families.</value>
    public TimeSpan? StepDelay { get; init; }

    /// <value>
    /// Whether the server's statistics and the samples are collected; default true. Comparing with a run without them shows what
    /// they cost.
    /// </value>
    public bool Statistics { get; init; } = true;

    /// <value>
    /// The number of operations of the warm-up, 0 for none; default: until the throughput no longer rises, and for a smoke test
    /// <see cref="Scenario.WarmUp"/>.
    /// </value>
    public int? WarmUp { get; init; }

    /// <value>
    /// No further operation of a warm-up without <see cref="WarmUp"/> is started after this time, for each process that hosts the
    /// workflows; default 15 s.
    /// </value>
    public TimeSpan WarmUpLimit { get; init; } = FromSeconds(15);

    /// <value>
    /// Whether the operations of a scenario are measured once, as in the reference; default false: those of a repeatable scenario
    /// are repeated until the window has lasted about two seconds, unless <see cref="Operations"/> sets their number.
    /// </value>
    public bool Once { get; init; }

    /// <value>The longest time without a completion before a load is stopped, and the longest drain; default 30 s.</value>
    public TimeSpan StallLimit { get; init; } = FromSeconds(30);

    /// <value>The number of processes that host the workflows; default 0, a host in this process.</value>
    internal int Hosts { get; init; }

    /// <value>Starts the processes of <see cref="Hosts"/>.</value>
    internal HostSource? HostSource { get; init; }

    /// <summary>Whether the operations are measured a single time; see <see cref="Once"/>.</summary>
    internal bool MeasuresOnce(Scenario scenario) =>
        !scenario.IsRepeatable || scenario.IsBrief(this) || Once || Operations is not null;

    /// <summary>What a result states of the conditions under which a scenario is measured.</summary>
    internal ScenarioParameters Apply(Scenario scenario, int repeat)
    {
        var parameters = Apply(scenario.Parameters, repeat);
        return scenario.IsRepeatable && MeasuresOnce(scenario)
            ? parameters with
            {
                Options = new Dictionary<string, string>(parameters.Options) { [ScenarioParameters.OnceOption] = "on" },
            }
            : parameters;
    }

    /// <summary>
    /// The scenario's parameters with the user's options applied. A scenario that lasts for a fixed time has its own load and no
    /// number of operations.
    /// </summary>
    internal ScenarioParameters Apply(ScenarioParameters parameters, int repeat)
    {
        var options = new Dictionary<string, string>(parameters.Options);
        if (Hosts > 0)
            options[ScenarioParameters.HostsOption] = Invariant($"{Hosts}");
        if (WarmUp is { } warmUp)
            options[ScenarioParameters.WarmUpOption] = Invariant($"{warmUp}");
        parameters = parameters with { Options = options };

        if (parameters.DurationSeconds is { } seconds)
        {
            return parameters with
            {
                DurationSeconds = Duration?.TotalSeconds ?? seconds,
                Concurrency = Concurrency ?? parameters.Concurrency,
                Workers = Workers ?? parameters.Workers,
                Engine = EngineSettings.Merged(parameters.Engine, Engine),
                StepDelayMs = StepDelay?.TotalMilliseconds,
                Repeat = repeat,
            };
        }

        // A serial scenario with more callers needs another model: closed, of which serial is the case with one caller.
        var load = Load ?? (parameters.Load == LoadModel.Serial && Concurrency > 1 ? LoadModel.Closed : parameters.Load);
        return parameters with
        {
            Operations = Operations ?? parameters.Operations,
            Concurrency = load == LoadModel.Serial ? 1 : Concurrency ?? parameters.Concurrency,
            Workers = Workers ?? parameters.Workers,
            Load = load,
            Engine = EngineSettings.Merged(parameters.Engine, Engine),
            StepDelayMs = StepDelay?.TotalMilliseconds,
            Repeat = repeat,
        };
    }
}
