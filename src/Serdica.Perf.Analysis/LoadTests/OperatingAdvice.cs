namespace Serdica.Perf.Analysis.LoadTests;

/// <summary>How to run the test and watch the system next time, for each step with a target rate that did not pass.</summary>
internal static class OperatingAdvice
{
    /// <summary>Advice in the order of steps.</summary>
    public static IEnumerable<Advice> Of(LoadTestResult test)
    {
        return test
            .Steps.Where(step => step is { Verdict: not StepVerdict.Passed, GeneratorLimited: false, TargetPerSecond: not null })
            .SelectMany(step => (Advice?[])[Clean(step, test), Ramp(step, test), Watch(step)])
            .OfType<Advice>();
    }

    private static Advice? Clean(StepResult step, LoadTestResult test) =>
        step.Contamination == 0
            ? null
            : new(
                step.Name,
                AdviceKind.Operation,
                "clean start",
                Invariant($"cooldown {test.Profile.Cooldown.TotalSeconds:0.#} s"),
                "--wait-for-clean or --fresh-steps",
                Invariant(
                    $"{step.Contamination:N0} instances, signals and messages of earlier steps were left when it started, so it does "
                ) + "not show what the rate does to a clean system."
            );

    private static Advice? Ramp(StepResult step, LoadTestResult test)
    {
        var target = step.TargetPerSecond!.Value;
        return
            step.Verdict != StepVerdict.Failed
            || test.Found is not null
            || test.Steps.Any(other => other.Verdict != StepVerdict.Failed && other.TargetPerSecond < target)
            ? null
            : new(
                step.Name,
                AdviceKind.Operation,
                "way to the rate",
                Invariant($"{target:#,0.##}/s at once"),
                Invariant($"--ramp {target:0.##}"),
                "No lower rate of the test held. A ramp starts at half of the rate and shows which rates hold."
            );
    }

    private static Advice? Watch(StepResult step) =>
        step.Errors.MinBy(error => error.FirstAtSeconds) is not { } first
            ? null
            : new(
                step.Name,
                AdviceKind.Operation,
                "error to watch",
                Invariant($"{first.Kind} of {first.Operation}, {first.Count:N0} times"),
                "an alarm on the first one",
                Invariant($"It came first, after {first.FirstAtSeconds:0.0} s, and later errors are often its consequences.")
                    + (first.IsRefusal ? " The server refused the call: lower the rate, or raise the server's limit." : "")
            );
}
