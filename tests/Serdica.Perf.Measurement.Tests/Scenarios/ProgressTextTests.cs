namespace Serdica.Perf.Measurement.Tests.Scenarios;

public sealed class ProgressTextTests
{
    private const string Figures = ", avg 2.75 ms, max 2,750.00 ms";

    private static readonly ScenarioResult Passed = SampleRun.Serial with { Name = "postgresql-load" };

    [Fact]
    public void A_scenario_by_itself_has_passed() => Assert.Equal([$"postgresql-load: passed{Figures}"], ProgressText.Ended(Passed));

    [Theory]
    [InlineData(StepVerdict.Passed, "", "PASSED")]
    [InlineData(
        StepVerdict.Degraded,
        "Generator-limited: the generator's own lag had a p99 of 12.0 ms (bound 10 ms), so the figures are partly its own.",
        "DEGRADED (generator-limited)"
    )]
    [InlineData(
        StepVerdict.Degraded,
        "It started 97.0 of 100.0 operations a second (97.0 %).",
        "DEGRADED (it started 97.0 of 100.0 operations a second)"
    )]
    [InlineData(
        StepVerdict.Degraded,
        "There were 0.02 version conflicts for each operation; all were repeated, and none is usual.",
        "DEGRADED (there were 0.02 version conflicts for each operation)"
    )]
    [InlineData(
        StepVerdict.Degraded,
        "12 % of the arrivals started more than 10 ms late.",
        "DEGRADED (12 % of the arrivals started more than 10 ms late)"
    )]
    public void The_line_of_a_step_says_its_verdict_and_the_first_reason_in_few_words(StepVerdict verdict, string reason, string words)
    {
        var judged = new JudgedStep(verdict, reason.Length == 0 ? [] : [reason, "Another reason."]);

        Assert.Equal([$"postgresql-load: {words}{Figures}"], ProgressText.Ended(Passed, judged));
    }

    [Fact]
    public void A_step_of_which_nothing_was_verified_says_so()
    {
        var unverified = Passed with { Unverified = "its workflow has no checks, or the store was not clean before it." };

        Assert.Equal(
            [$"postgresql-load: UNVERIFIED (its workflow has no checks, or the store was not clean before it){Figures}"],
            ProgressText.Ended(unverified, new(StepVerdict.Degraded, ["Contaminated: it started with 3 instances.", "UNVERIFIED: it."]))
        );
    }

    [Theory]
    [InlineData(StepVerdict.Passed, "held")]
    [InlineData(StepVerdict.Degraded, "did not hold (not sustained)")]
    public void A_trial_of_a_search_has_held_or_not(StepVerdict verdict, string words)
    {
        string[] reasons = verdict == StepVerdict.Passed ? [] : ["Not sustained: the response time rose."];

        Assert.Equal([$"postgresql-load: {words}{Figures}"], ProgressText.Ended(Passed with { IsTrial = true }, new(verdict, reasons)));
    }

    [Fact]
    public void A_step_that_failed_has_each_reason_in_a_line()
    {
        string[] reasons = ["7 arrivals were never started.", "The p99 was 30 ms."];
        var failed = Passed with { Status = ScenarioStatus.Failed, FailureReasons = reasons };

        Assert.Equal(
            ["postgresql-load: FAILED", "  7 arrivals were never started.", "  The p99 was 30 ms."],
            ProgressText.Ended(failed, new(StepVerdict.Failed, reasons))
        );
    }
}
