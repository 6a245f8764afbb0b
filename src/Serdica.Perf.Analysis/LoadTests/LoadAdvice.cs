namespace Serdica.Perf.Analysis.LoadTests;

/// <summary>
/// Calculates advice from the figures of each step with a target rate that did not pass. A passed step needs none, and one
/// sustained rate says nothing about a higher one: the search (<c>--find-max</c>) and the fitted ladder do.
/// </summary>
internal static class LoadAdvice
{
    /// <summary>Above this share of busy processors, random arrivals wait for each other.</summary>
    private const double ComfortableShare = 0.7;

    /// <summary>Users relative to the mean that Little's law requires.</summary>
    private const double Headroom = 1.25;

    /// <summary>
    /// A checkpoint starts when max_wal_size / (1 + checkpoint_completion_target) bytes were written since the last one; the
    /// target is 0.9. https://www.postgresql.org/docs/current/wal-configuration.html
    /// </summary>
    private const double WalFactor = 1.9;

    private static readonly (string Unit, double Factor)[] Sizes =
    [
        ("kb", 1024),
        ("mb", 1024 * 1024),
        ("gb", 1024d * 1024 * 1024),
        ("tb", 1024d * 1024 * 1024 * 1024),
    ];

    private static readonly (string Unit, double Factor)[] Times = [("ms", 0.001), ("min", 60), ("s", 1), ("h", 3_600), ("d", 86_400)];

    /// <summary>Advice in the order of steps, and by kind for each step.</summary>
    public static IReadOnlyList<Advice> Of(LoadTestResult test, RunResult run)
    {
        var all = new List<Advice>();
        foreach (var step in test.Steps)
        {
            if (
                step.TargetPerSecond is not { } target
                || step.CompletedPerSecond <= 0
                || step.GeneratorLimited
                || step.Verdict == StepVerdict.Passed
                || run.Scenarios.FirstOrDefault(step.IsOf) is not { } scenario
            )
            {
                continue;
            }

            // A failed step counts as passed here, because it is the one that needs advice.
            var use = ProcessorUse.Of(run.Environment, run.Databases, scenario with { Status = ScenarioStatus.Passed });
            Advice?[] found =
            [
                Users(step, target, use),
                Log(step, target, run, scenario),
                Processors(step, target, use),
                Disk(step, run, scenario),
            ];
            all.AddRange(found.OfType<Advice>());
        }

        return all;
    }

    /// <summary>Little's law: the mean number of busy users is rate times time.</summary>
    private static Advice? Users(StepResult step, double target, ProcessorUse? use)
    {
        if (!LimitingLayer.WantsUsers(step, use) || step.Service.P99Ms is not { } time)
            return null;
        var needed = Math.Ceiling(target * time / 1000 * Headroom);
        return needed <= step.MaxUsers
            ? null
            : new(
                step.Name,
                AdviceKind.Configuration,
                "users (--users)",
                Number(step.MaxUsers),
                Number(needed),
                Invariant($"All were busy while {step.Counts.Late + step.Counts.Dropped:N0} arrivals waited. The target times the p99 of ")
                    + Invariant($"the service time, {time:0.0} ms, and {Headroom - 1:0 %}.")
            );
    }

    private static Advice? Log(StepResult step, double target, RunResult run, ScenarioResult scenario)
    {
        var settings = run.Databases.FirstOrDefault(database => !database.IsInProcess)?.Settings;
        if (
            scenario.CostPerOperation.GetValueOrDefault(MetricNames.WalBytes)?.Value is not { } bytes
            || settings?.GetValueOrDefault("max_wal_size") is not { } room
            || Quantity.WithUnit(room, Sizes) is not { } size
            || settings.GetValueOrDefault("checkpoint_timeout") is not { } timeout
            || Quantity.WithUnit(timeout, Times) is not { } pause
        )
        {
            return null;
        }

        var needed = bytes * target * pause * WalFactor;
        return needed <= size
            ? null
            : new(
                step.Name,
                AdviceKind.Configuration,
                "max_wal_size",
                room,
                Invariant($"{Math.Ceiling(needed / (1 << 30)):0}GB"),
                Invariant($"{bytes:N0} bytes of log an operation are {bytes * target / (1 << 20):0.0} MiB/s at the target, so checkpoints ")
                    + Invariant($"start before checkpoint_timeout ({timeout}) has passed.")
            );
    }

    private static Advice? Processors(StepResult step, double target, ProcessorUse? use)
    {
        if (use is not { Machine: { } busy, MachineCores: var cores } || !use.IsFull())
            return null;
        var needed = Math.Ceiling(busy * target / step.CompletedPerSecond / ComfortableShare);
        return needed <= cores
            ? null
            : new(
                step.Name,
                AdviceKind.Infrastructure,
                "cores",
                Number(cores),
                Number(needed),
                Invariant(
                    $"{busy:0.00} were busy at {step.CompletedPerSecond:N1}/s; at the target they would be busy to {ComfortableShare:0 %}."
                )
            );
    }

    private static Advice? Disk(StepResult step, RunResult run, ScenarioResult scenario)
    {
        if (
            run.Environment.Fsync?.Latency.P50Ms is not { } flush
            || LimitingLayer.Finding(run, scenario with { Saturation = step.Saturation }) is not { Limit: Limit.LogFlush, Waits: { } waits }
        )
            return null;

        // If only half of the sessions' log time were left, it would equal everything else.
        var share = waits.Shares.First(part => part.Category == WaitCategory.LogFlush).Share;
        var wanted = flush * (1 - share) / share;
        return share <= 0.5
            ? null
            : new(
                step.Name,
                AdviceKind.Infrastructure,
                "flushed write of the disk",
                Invariant($"{flush:0.00} ms"),
                Invariant($"{wanted:0.00} ms"),
                Invariant($"Sessions wait for the log {share:0 %} of their time; a disk this fast would halve that. Disks with a ")
                    + "protected cache are fast enough."
            );
    }

    private static string Number(double value) => value.ToString("N0", CultureInfo.InvariantCulture);
}

/// <summary>What to try next for the target of a step, calculated from its figures. It has not been tried.</summary>
/// <param name="Kind">Who can follow it.</param>
/// <param name="Subject">A setting, or a part of the machine.</param>
/// <param name="Why">The reason with its figures, in one sentence.</param>
internal sealed record Advice(string Step, AdviceKind Kind, string Subject, string Now, string Advised, string Why);

/// <summary>Who can follow the advice.</summary>
internal enum AdviceKind
{
    /// <summary>A setting of load, engine or server.</summary>
    Configuration,

    /// <summary>The machine, its processors or its disk.</summary>
    Infrastructure,

    /// <summary>The way in which the test is run and the system is watched.</summary>
    Operation,
}
