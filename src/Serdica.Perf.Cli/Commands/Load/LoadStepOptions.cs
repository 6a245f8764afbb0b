namespace Serdica.Perf.Cli.Commands.Load;

/// <summary>How long steps last, and what happens between them.</summary>
internal sealed class LoadStepOptions(Command command)
{
    private readonly Option<string?> _duration = command.Text("--duration", "TIME", "The duration of each step. Default 10s.", "-d");
    private readonly Option<string?> _operations = command.Text(
        "--operations",
        "N",
        "The maximum number of operations in a step. Default no maximum."
    );
    private readonly Option<string?> _warmUp = command.Text(
        "--warmup",
        "TIME",
        "The minimum duration of the warm-up by a closed load, which lasts until the rate no longer rises; no figure includes it. "
            + $"A time below the default is also the maximum. Default {Quantity.Text(LoadProfile.ShortestWarmUp)}."
    );
    private readonly Option<string?> _cooldown = command.Text("--cooldown", "TIME", "The pause between steps. Default none.");
    private readonly Option<string?> _drain = command.Text(
        "--drain",
        "TIME",
        "How long a step waits at its end for operations that still run. Default 30s.",
        "-w",
        "--wait"
    );
    private readonly Option<bool> _waitForClean = command.Switch(
        "--wait-for-clean",
        "A step first waits until no work of the previous step is left, for at most the time of --drain."
    );
    private readonly Option<bool> _freshSteps = command.Switch("--fresh-steps", "Each step uses its own store.");

    public string DurationName => _duration.Name;

    public string OperationsName => _operations.Name;

    /// <summary>The duration that was typed; null without one.</summary>
    public TimeSpan? Duration(TypedValues typed) => typed.Duration(_duration);

    public LoadProfile Apply(LoadProfile profile, TypedValues typed) =>
        profile with
        {
            WarmUp = typed.Duration(_warmUp) ?? profile.WarmUp,
            Cooldown = typed.Duration(_cooldown) ?? profile.Cooldown,
            DrainLimit = typed.Duration(_drain) ?? profile.DrainLimit,
            WaitForClean = typed.IsSet(_waitForClean) || profile.WaitForClean,
            FreshSteps = typed.IsSet(_freshSteps) || profile.FreshSteps,
        };

    public LoadStep Apply(LoadStep step, TypedValues typed) =>
        step with { Duration = Duration(typed) ?? step.Duration, Operations = typed.Count(_operations) ?? step.Operations };
}
