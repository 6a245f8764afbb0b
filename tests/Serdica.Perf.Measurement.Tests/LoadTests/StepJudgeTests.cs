namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class StepJudgeTests
{
    [Fact]
    public void A_step_that_kept_everything_is_passed_without_a_reason()
    {
        var judged = Judge(SampleStep.Good, "responseTime:p99 <= 25ms", "lateness <= 0");

        Assert.Equal(StepVerdict.Passed, judged.Verdict);
        Assert.Empty(judged.Reasons);
    }

    [Fact]
    public void Running_operations_fail_a_step_with_their_number()
    {
        var judged = Judge(SampleStep.Good with { Counts = SampleStep.Good.Counts with { Completed = 990, Running = 10 } });

        Assert.Equal(StepVerdict.Failed, judged.Verdict);
        Assert.Contains("10 of 1,000 operations were still running when the drain limit had passed.", judged.Reasons);
    }

    [Fact]
    public void Failures_are_told_with_the_first_error_as_the_canary()
    {
        var judged = Judge(
            SampleStep.Good with
            {
                Counts = SampleStep.Good.Counts with { Completed = 990, Failed = 10 },
                Errors =
                [
                    new() { Operation = "signal", Kind = "Late", Count = 9, FirstMessage = "later", FirstAtSeconds = 5 },
                    new()
                    {
                        Operation = "start",
                        Kind = "Early",
                        Count = 1,
                        FirstMessage = "no room",
                        FirstAtSeconds = 2,
                        IsRefusal = true,
                    },
                ],
            }
        );

        Assert.Equal(StepVerdict.Failed, judged.Verdict);
        Assert.Equal(
            "10 of 1,000 operations failed (1 %, allowed 0 %). The first was Early in 'start' after 2.0 s: no room The server refused "
                + "some for lack of capacity (backpressure).",
            judged.Reasons[0]
        );
    }

    [Fact]
    public void An_error_rate_that_is_allowed_is_no_failure()
    {
        var step = SampleStep.Good with { Counts = SampleStep.Good.Counts with { Completed = 990, Failed = 10 } };

        Assert.Equal(StepVerdict.Failed, Judge(step, "errorRate <= 0.9%").Verdict);
        Assert.DoesNotContain(Judge(step, "errorRate <= 1%").Reasons, reason => reason.Contains("failed"));
    }

    [Fact]
    public void Counts_that_do_not_balance_fail_a_step() =>
        Assert.StartsWith(
            "The counts do not balance",
            Judge(SampleStep.Good with { Counts = SampleStep.Good.Counts with { Completed = 999 } }).Reasons[0]
        );

    [Fact]
    public void A_broken_threshold_fails_a_step()
    {
        Assert.Equal(
            ["The p99 of the response time was 20 ms; the threshold is at most 15 ms."],
            Judge(SampleStep.Good, "responseTime:p99 <= 15ms").Reasons
        );
        Assert.Equal(
            StepVerdict.Failed,
            Judge(SampleStep.Good with { Counts = SampleStep.Good.Counts with { Late = 9 } }, "lateness <= 0.8%").Verdict
        );
    }

    [Theory]
    [InlineData(99.6, StepVerdict.Passed)]
    [InlineData(99.0, StepVerdict.Degraded)]
    [InlineData(94.0, StepVerdict.Failed)]
    public void A_rate_that_was_not_held_is_doubtful_and_far_below_failed(double started, StepVerdict verdict) =>
        Assert.Equal(verdict, Judge(SampleStep.Good with { StartedPerSecond = started }).Verdict);

    [Fact]
    public void A_backlog_that_was_left_conflicts_and_a_late_generator_make_a_step_doubtful()
    {
        Assert.Equal(
            (StepVerdict.Degraded, 1),
            (Judge(SampleStep.Good with { Contamination = 7 }).Verdict, Judge(SampleStep.Good with { Contamination = 7 }).Reasons.Count)
        );
        Assert.Equal(
            (StepVerdict.Passed, StepVerdict.Degraded),
            (
                Judge(SampleStep.Good with { ConflictsPerOperation = 0.01 }).Verdict,
                Judge(SampleStep.Good with { ConflictsPerOperation = 0.02 }).Verdict
            )
        );
        Assert.Equal(
            StepVerdict.Degraded,
            Judge(SampleStep.Good with { GeneratorLag = new LatencySummary { Count = 1_000, P99Ms = 60 } }).Verdict
        );
    }

    [Fact]
    public void A_generator_whose_lag_is_the_smaller_part_of_all_lag_is_not_the_limit()
    {
        var slow = SampleStep.Good with { GeneratorLag = new() { Count = 1_000, AverageMs = 20, P99Ms = 60 } };

        Assert.True(GeneratorLimit.IsOf(slow with { ScheduleLag = new() { Count = 1_000, AverageMs = 30 } }));
        Assert.False(GeneratorLimit.IsOf(slow with { ScheduleLag = new() { Count = 1_000, AverageMs = 5_000 } }));
    }

    [Fact]
    public void Reads_are_judged_by_rate_and_latency()
    {
        static StepResult Reading(long completed, double p99) =>
            SampleStep.Good with
            {
                Reads = new(50, completed / 10.0, completed, 0, new() { Count = completed, P99Ms = p99 }, Offered: 500),
            };

        Assert.Equal(StepVerdict.Passed, Judge(Reading(500, 4), "responseTime:p99 <= 25ms").Verdict);
        Assert.Equal(StepVerdict.Failed, Judge(Reading(450, 4)).Verdict);
        Assert.Equal(StepVerdict.Degraded, Judge(Reading(490, 4)).Verdict);
        Assert.Equal(
            ["The p99 of the response time of the reads was 40 ms; the threshold is at most 25 ms."],
            Judge(Reading(500, 40), "responseTime:p99 <= 25ms").Reasons
        );
    }

    [Fact]
    public void A_step_that_nothing_was_verified_of_is_not_passed()
    {
        var judged = Judge(SampleStep.Good with { Unverified = "its workflow has no checks." });

        Assert.Equal((StepVerdict.Degraded, "UNVERIFIED: its workflow has no checks."), (judged.Verdict, Assert.Single(judged.Reasons)));
    }

    [Fact]
    public void A_verification_that_did_not_hold_fails_a_step()
    {
        VerificationCheck[] checks = [new("no dead letter", false, "0", "1"), new("counts balance", true, "5", "5")];

        var judged = StepJudge.Judge(SampleStep.Good, [], checks);

        Assert.Equal(StepVerdict.Failed, judged.Verdict);
        Assert.Equal(["no dead letter: expected 0, found 1."], judged.Reasons);
        Assert.Equal(checks[..1], judged.FailedChecks);
    }

    private static StepResult Judge(StepResult step, params string[] thresholds) =>
        StepJudge.Judge(step with { GeneratorLimited = GeneratorLimit.IsOf(step) }, [.. thresholds.Select(Threshold.Parse)], []);
}
