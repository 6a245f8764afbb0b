namespace Serdica.Perf.Measurement.Tests.LoadTests;

/// <summary>Each rule of a step's verdict alone, at its limit and just beyond it.</summary>
public sealed class StepJudgeLimitsTests
{
    [Fact]
    public void One_dropped_arrival_fails_a_step_and_names_the_users_who_were_busy()
    {
        var judged = Judge(Counted(counts => counts with { Started = 999, Completed = 999, Dropped = 1 }));

        Assert.Equal(StepVerdict.Failed, judged.Verdict);
        Assert.Equal(["1 of 1,000 arrivals were never started: all 3 callers were busy."], judged.Reasons);
        Assert.Contains(
            "and the step was stopped as futile",
            Assert.Single(
                Judge(Counted(counts => counts with { Started = 999, Completed = 999, Dropped = 1 }) with { GivenUp = true }).Reasons
            )
        );
    }

    [Fact]
    public void One_failed_read_fails_a_step()
    {
        var reads = new ReadFigures(10, 10, Completed: 99, Failed: 1, new());

        Assert.Equal((StepVerdict.Failed, "1 of 100 reads failed."), Single(Judge(SampleStep.Good with { Reads = reads })));
        Assert.Equal(StepVerdict.Passed, Judge(SampleStep.Good with { Reads = reads with { Completed = 100, Failed = 0 } }).Verdict);
    }

    /// <summary>Beyond the usual backlog, which is one operation; one more is the grain of what is measured.</summary>
    [Theory]
    [InlineData(6, StepVerdict.Passed)]
    [InlineData(6.1, StepVerdict.Degraded)]
    [InlineData(51, StepVerdict.Degraded)]
    [InlineData(51.1, StepVerdict.Failed)]
    public void Operations_that_are_left_at_the_planned_end_were_not_completed_at_the_rate(double left, StepVerdict verdict)
    {
        var points = SampleStep.Good.Backlog;
        var step = SampleStep.Good with { Backlog = [.. points.SkipLast(1), points[^1] with { Backlog = points[^1].Backlog + left }] };

        var judged = Judge(step);

        Assert.Equal(verdict, judged.Verdict);
        Assert.Equal(verdict != StepVerdict.Passed, judged.Reasons.Any(reason => reason.StartsWith("Behind its load: ")));
    }

    [Theory]
    [InlineData(10, StepVerdict.Passed)]
    [InlineData(11, StepVerdict.Degraded)]
    public void One_late_start_in_a_hundred_is_tolerated(int late, StepVerdict verdict)
    {
        var step = Counted(counts => counts with { Late = late });

        Assert.Equal(verdict, Judge(step).Verdict);
        Assert.Equal(StepVerdict.Passed, Judge(step with { Kind = LoadKind.Closed }).Verdict);
    }

    [Theory]
    [InlineData(5, 5, StepVerdict.Failed)]
    [InlineData(10, 0, StepVerdict.Passed)]
    [InlineData(11, 0, StepVerdict.Failed)]
    public void Threshold_of_lateness_counts_late_and_dropped_arrivals_together(int late, int dropped, StepVerdict verdict)
    {
        var step = Counted(counts =>
            counts with { Late = late, Dropped = dropped, Started = 1_000 - dropped, Completed = 1_000 - dropped }
        );

        Assert.Equal(verdict, Judge(step, "lateness <= 1%").Verdict);
    }

    [Fact]
    public void Late_and_dropped_arrivals_add_up()
    {
        var step = Counted(counts => counts with { Late = 8, Dropped = 5, Started = 995, Completed = 995 });

        Assert.Contains(
            "1.3 % of the arrivals started late or never; the threshold is at most 1 %.",
            Judge(step, "lateness <= 1%").Reasons
        );
        Assert.DoesNotContain(Judge(step, "lateness <= 1.3%").Reasons, reason => reason.Contains("late or never"));
    }

    [Theory]
    [InlineData(99.5, StepVerdict.Passed)]
    [InlineData(99.4, StepVerdict.Degraded)]
    [InlineData(95.0, StepVerdict.Degraded)]
    [InlineData(94.9, StepVerdict.Failed)]
    public void Starts_and_completions_must_hold_the_rate_to_the_share(double started, StepVerdict verdict)
    {
        // Without points of its backlog.
        Assert.Equal(verdict, Judge(SampleStep.Good with { Backlog = [], CompletedPerSecond = started }).Verdict);
        Assert.Equal(verdict, Judge(SampleStep.Good with { StartedPerSecond = started }).Verdict);
        Assert.Equal(StepVerdict.Passed, Judge(SampleStep.Good with { StartedPerSecond = started, Kind = LoadKind.Closed }).Verdict);
        Assert.Equal(StepVerdict.Passed, Judge(SampleStep.Good with { StartedPerSecond = started, OfferedPerSecond = 0 }).Verdict);
    }

    [Fact]
    public void P99_at_its_threshold_is_kept()
    {
        Assert.Equal(StepVerdict.Passed, Judge(SampleStep.Good, "responseTime:p99 <= 20ms").Verdict);
        Assert.Equal(StepVerdict.Failed, Judge(SampleStep.Good, "responseTime:p99 <= 19.99ms").Verdict);
    }

    [Theory]
    [InlineData("p90", 10)]
    [InlineData("p99", 100)]
    [InlineData("p99.9", 1_000)]
    public void Percentile_of_too_few_operations_is_not_judged(string statistic, int needed)
    {
        var threshold = $"responseTime:{statistic} <= 60000ms";
        var latency = SampleStep.Good.Response with { P90Ms = 20, P99Point9Ms = 20 };
        StepResult Of(int operations) => SampleStep.Good with { Response = latency with { Count = operations } };

        Assert.Equal(
            (
                StepVerdict.Failed,
                Invariant($"The threshold '{threshold}' could not be judged: {statistic} needs {needed:N0} values, ")
                    + $"and the step has {needed - 1}."
            ),
            Single(Judge(Of(needed - 1), threshold))
        );
        Assert.Equal(StepVerdict.Passed, Judge(Of(needed), threshold).Verdict);
    }

    [Fact]
    public void Used_up_operations_and_a_backlog_that_never_swung_make_a_step_doubtful()
    {
        Assert.StartsWith("Its 1,000 operations were used up after 10.0 s", Single(Judge(SampleStep.Good with { UsedUp = true })).Reason);
        Assert.Equal(StepVerdict.Degraded, Judge(SampleStep.Good with { Oscillation = new(0, 40) }).Verdict);
        Assert.Equal(StepVerdict.Passed, Judge(SampleStep.Good with { Oscillation = new(1, 40) }).Verdict);
    }

    [Fact]
    public void Failures_come_before_doubts_and_decide_the_verdict()
    {
        var judged = Judge(Counted(counts => counts with { Completed = 999, Running = 1 }) with { Contamination = 1 });

        Assert.Equal(StepVerdict.Failed, judged.Verdict);
        Assert.Equal(["1 of 1,000 operations we", "Contaminated: it started"], judged.Reasons.Select(reason => reason[..24]));
    }

    [Fact]
    public void Canary_says_when_the_server_refused_and_is_silent_otherwise()
    {
        var step = Counted(counts => counts with { Completed = 999, Failed = 1 });
        var error = new OperationError
        {
            Operation = "start",
            Kind = "Timeout",
            Count = 1,
            FirstMessage = "too slow",
            FirstAtSeconds = 1.5,
        };

        Assert.Equal("1 of 1,000 operations failed (0.1 %, allowed 0 %).", Judge(step).Reasons[0]);
        Assert.EndsWith("The first was Timeout in 'start' after 1.5 s: too slow", Judge(step with { Errors = [error] }).Reasons[0]);
    }

    /// <summary>Without a figure it counts as broken; when operations failed, the sentence on the failures contains it.</summary>
    [Fact]
    public void Threshold_of_the_error_rate_is_reported_once()
    {
        var failing = Counted(counts => counts with { Completed = 990, Failed = 10 });
        var idle = Counted(counts => counts with { Offered = 0, Started = 0, Completed = 0 });

        Assert.Equal(["10 of 1,000 operations failed (1 %, allowed 0.5 %)."], Judge(failing, "errorRate <= 0.5%").Reasons);
        Assert.Equal(
            "The threshold 'errorRate <= 1%' could not be judged: the step has no operations.",
            Judge(idle, "errorRate <= 1%").Reasons[0]
        );
        Assert.Equal(["The errorRate was 0 %; the threshold is below 0 %."], Judge(SampleStep.Good, "errorRate < 0").Reasons);
        Assert.Equal(
            ["The errorRate was 1 %; the threshold is at least 5 %."],
            Judge(failing, "errorRate <= 1%", "errorRate >= 5%").Reasons
        );
    }

    [Fact]
    public void Step_without_an_operation_or_without_a_read_has_tested_nothing()
    {
        var idle = Judge(Counted(counts => counts with { Offered = 0, Started = 0, Completed = 0 }) with { OfferedPerSecond = 0 });
        var unread = Judge(SampleStep.Good with { Reads = new(1, 0, 0, 0, LatencySummary.Empty, Offered: 0) });

        Assert.Equal(StepVerdict.Degraded, idle.Verdict);
        Assert.Contains("No operation was started, so nothing was tested.", idle.Reasons);
        Assert.Equal((StepVerdict.Degraded, "No read was due, so reads were not tested."), (unread.Verdict, Assert.Single(unread.Reasons)));
    }

    [Theory]
    [InlineData("errorRate <= 5%", "errorRate <= 0.5%")]
    [InlineData("errorRate <= 0.5%", "errorRate <= 5%")]
    [InlineData("errorRate <= 5%", "errorRate < 0.5%")]
    public void Of_two_thresholds_of_the_error_rate_both_must_be_kept(string one, string other)
    {
        var judged = Judge(Counted(counts => counts with { Completed = 990, Failed = 10 }), one, other);

        Assert.Equal(
            (StepVerdict.Failed, "10 of 1,000 operations failed (1 %, allowed 0.5 %)."),
            (judged.Verdict, Assert.Single(judged.Reasons))
        );
    }

    /// <summary>A failure is in no response time, so that a threshold of it says less than it seems to.</summary>
    [Fact]
    public void Broken_threshold_of_the_response_time_says_how_many_failed()
    {
        var failing = Counted(counts => counts with { Completed = 999, Failed = 1 });

        Assert.Contains(
            "The p99 of the response time was 20 ms; the threshold is below 15 ms. It covers the operations that completed; the 1 that "
                + "failed are listed separately.",
            Judge(failing, "responseTime:p99 < 15ms").Reasons
        );
        Assert.Contains(
            "The p99 of the service time was 19 ms; the threshold is at most 15 ms.",
            Judge(failing, "serviceTime:p99 <= 15ms").Reasons
        );
    }

    [Fact]
    public void One_operation_that_failed_of_one_is_all_of_them() =>
        Assert.StartsWith(
            "1 of 1 operations failed (100 %, allowed 0 %)",
            Judge(Counted(counts => counts with { Offered = 1, Started = 1, Completed = 0, Failed = 1 })).Reasons[0]
        );

    /// <summary>The load is 500 reads in ten seconds; one that failed has ended too.</summary>
    [Theory]
    [InlineData(498, 0, StepVerdict.Passed, null)]
    [InlineData(497, 0, StepVerdict.Degraded, "49.7 of 50.0 reads a second ended (99.4 %).")]
    [InlineData(475, 0, StepVerdict.Degraded, "47.5 of 50.0 reads a second ended (95 %).")]
    [InlineData(474, 0, StepVerdict.Failed, "47.4 of 50.0 reads a second ended (94.8 %).")]
    [InlineData(490, 10, StepVerdict.Failed, "10 of 500 reads failed.")]
    public void Reads_must_end_as_they_arrive(long completed, long failed, StepVerdict verdict, string? reason)
    {
        var judged = Judge(Reading(completed, failed, (completed + failed) / 10.0));

        Assert.Equal((verdict, reason), (judged.Verdict, judged.Reasons.SingleOrDefault()));
    }

    /// <summary>All have ended; the rate is lower because the last of them ended after the step.</summary>
    [Theory]
    [InlineData(49.8, StepVerdict.Passed)]
    [InlineData(49.75, StepVerdict.Passed)]
    [InlineData(49.7, StepVerdict.Degraded)]
    [InlineData(47.5, StepVerdict.Degraded)]
    [InlineData(47.4, StepVerdict.Failed)]
    public void Reads_that_end_late_are_not_at_their_rate(double perSecond, StepVerdict verdict)
    {
        var judged = Judge(Reading(500, 0, perSecond));

        Assert.Equal(verdict, judged.Verdict);
        if (verdict != StepVerdict.Passed)
            Assert.EndsWith(" of 50.0 reads a second ended, the last of them late.", Assert.Single(judged.Reasons));
    }

    /// <summary>A share that is no whole read says nothing: the last of a few reads is often late.</summary>
    [Fact]
    public void Rate_of_a_few_reads_is_doubted_from_one_whole_read_on()
    {
        Assert.Equal(StepVerdict.Passed, Judge(Few(20, 1.8)).Verdict);
        Assert.Equal(StepVerdict.Passed, Judge(Few(200, 19.5)).Verdict);
        Assert.Equal(StepVerdict.Degraded, Judge(Few(201, 19.5)).Verdict);

        static StepResult Few(long offered, double perSecond) =>
            SampleStep.Good with { Reads = new(offered / 10.0, perSecond, offered, 0, new(), offered) };
    }

    [Fact]
    public void Raw_data_of_a_step_decides_on_a_figure_that_its_result_lacks()
    {
        var histogram = new LatencyHistogram();
        histogram.Record(FromMilliseconds(30));
        var data = StepData.None with { Histograms = new Dictionary<string, LatencyHistogram> { ["responseTime"] = histogram } };
        Threshold[] thresholds = [Threshold.Parse("responseTime:p85 <= 25ms")];

        Assert.Equal(30, StepJudge.Judge(SampleStep.Good, thresholds, [], data).Thresholds[0].Value!.Value, 0.3);
        Assert.NotNull(StepJudge.Judge(SampleStep.Good, thresholds, []).Thresholds[0].Missing);
    }

    private static StepResult Reading(long completed, long failed, double perSecond) =>
        SampleStep.Good with { Reads = new(50, perSecond, completed, failed, new(), Offered: 500) };

    private static StepResult Counted(Func<StepCounts, StepCounts> change) =>
        SampleStep.Good with { Counts = change(SampleStep.Good.Counts) };

    private static StepResult Judge(StepResult step, params string[] thresholds) =>
        StepJudge.Judge(step, [.. thresholds.Select(Threshold.Parse)], []);

    private static (StepVerdict Verdict, string Reason) Single(StepResult step) => (step.Verdict, Assert.Single(step.Reasons));
}
