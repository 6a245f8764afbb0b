namespace Serdica.Perf.Cli.Options;

/// <summary>With which load `run` measures, in place of what a scenario has by itself.</summary>
internal sealed class RunLoadOptions(Command command)
{
    /// <summary>The most callers that anything may have.</summary>
    public const int MaxConcurrency = 100_000;

    private const int MaxOperations = 100_000_000;
    private const int MaxWorkers = 1_000;

    private readonly Option<int?> _operations = command.Number("--operations", "Operations in the measured window.", 1, MaxOperations);
    private readonly Option<int?> _concurrency = command.Number(
        "--concurrency",
        "Callers that issue operations at the same time.",
        1,
        MaxConcurrency
    );
    private readonly Option<LoadModel?> _load = command.Word(
        "--load",
        "wave: callers do not wait for completions; closed: each caller waits for its own; serial: one operation at a time.",
        LoadModel.Serial,
        LoadModel.Wave,
        LoadModel.Closed
    );
    private readonly Option<TimeSpan?> _duration = command.Declare(
        DurationText.Option("--duration", "The duration of long-soak: a whole number with s, m or h, for instance 90s or 1h. Default 10m.")
    );
    private readonly Option<bool> _once = command.Switch(
        "--once",
        "Measures the operations of each scenario once, as the reference does. Default: few operations are repeated until the window "
            + "has lasted about 2 s, so that there are enough samples to say what limits it."
    );
    private readonly Option<int?> _warmUp = command.Number(
        "--warmup",
        "Operations of the warm-up, 0 for none. Default: until the throughput no longer rises, after at least 3 s and at most 15 s a host.",
        0,
        MaxOperations
    );
    private readonly Option<TimeSpan?> _stepDelay = command.Declare(
        DurationText.DelayOption(
            "--step-delay",
            "Slows round trips on purpose: the last step of each sleeps for this time, for instance 1ms; in your own scenario, "
                + "the caller sleeps before it signals. Use it to test whether compare, ab and a gate detect the delay."
        )
    );
    private readonly Option<bool> _noStatistics = command.Switch(
        "--no-statistics",
        "Collects no server statistics and no samples, to show what they cost."
    );
    private readonly Option<int?> _workers = command.Group("Engine").Number("--workers", "Signal workers.", 1, MaxWorkers);
    private readonly Option<string[]> _engine = EngineOption.Declare(command);

    /// <exception cref="UsageException">An option does not fit the plan.</exception>
    /// <exception cref="LoadProfileException">A setting of the engine is invalid or does not fit the plan.</exception>
    public RunOptions Read(ParseResult parsed, RunPlan plan)
    {
        CheckLadder(parsed, plan);
        CheckDuration(parsed, plan.Scenarios);
        CheckStepDelay(parsed, plan.Scenarios);
        var engine = EngineOption.Read(parsed, _engine);
        foreach (var scenario in plan.Scenarios)
            scenario.Check(engine);
        return new()
        {
            Operations = parsed.GetValue(_operations),
            Concurrency = parsed.GetValue(_concurrency),
            Workers = parsed.GetValue(_workers),
            Engine = engine,
            Once = parsed.GetValue(_once),
            WarmUp = parsed.GetValue(_warmUp),
            Load = parsed.GetValue(_load),
            Duration = parsed.GetValue(_duration),
            StepDelay = parsed.GetValue(_stepDelay),
            Statistics = !parsed.GetValue(_noStatistics),
        };
    }

    private void CheckLadder(ParseResult parsed, RunPlan plan)
    {
        if (plan.IsLadder && parsed.GetValue(_concurrency) is not null)
            throw new UsageException("--ladder sets the callers of each level; leave --concurrency out.");
        if (plan.IsLadder && parsed.GetValue(_load) == LoadModel.Serial)
            throw new UsageException("A serial load has one caller and no ladder; with --ladder use --load wave or --load closed.");
    }

    private void CheckDuration(ParseResult parsed, IEnumerable<Scenario> scenarios)
    {
        var timed = scenarios.FirstOrDefault(scenario => scenario.Parameters.DurationSeconds is not null);
        if (timed is null && parsed.GetValue(_duration) is not null)
        {
            var names = ScenarioCatalog
                .All.Where(scenario => scenario.Parameters.DurationSeconds is not null)
                .Select(scenario => scenario.Name);
            throw new UsageException(
                $"--duration is for {string.Join(", ", names)}, which is not in this run; name it with --scenario, or use --operations."
            );
        }

        if (timed is not null && parsed.GetValue(_operations) is not null)
        {
            throw new UsageException(
                $"{timed.Name} runs for a duration, not for a number of operations; use --duration instead of --operations."
            );
        }

        if (timed is not null && parsed.GetValue(_load) is not null)
            throw new UsageException($"{timed.Name} has its own load, arrivals at a constant rate; leave --load out.");
    }

    private void CheckStepDelay(ParseResult parsed, IEnumerable<Scenario> scenarios)
    {
        if (
            parsed.GetValue(_stepDelay) is not null
            && scenarios.FirstOrDefault(scenario =>
                scenario.Family is not (ScenarioFamilies.SignalRoundtrip or ScenarioFamilies.OwnWorkflow)
            )
                is { } other
        )
        {
            throw new UsageException(
                $"--step-delay is for round trips, and {other.Name} is not one; name one with --scenario, "
                    + "for instance signal-roundtrip-throughput-parallel."
            );
        }
    }
}
