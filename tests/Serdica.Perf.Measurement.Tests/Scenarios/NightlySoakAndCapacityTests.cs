namespace Serdica.Perf.Measurement.Tests.Scenarios;

public sealed class NightlySoakAndCapacityTests
{
    private const string Confirm = "bulstrad-quotation-confirm-convert-to-policy-nightly";
    private const string Soak = "signal-roundtrip-soak";

    [Theory]
    [InlineData("signal-roundtrip-capacity-c1")]
    [InlineData("signal-roundtrip-capacity-c4")]
    [InlineData("signal-roundtrip-capacity-c8")]
    [InlineData("signal-roundtrip-capacity-c16")]
    [InlineData("immediate-burst-nightly")]
    [InlineData("synthetic-external-resume-nightly")]
    [InlineData(Soak)]
    [InlineData(Confirm)]
    public async Task A_correct_backend_passes(string name)
    {
        var result = await MutantRun.RunAsync(name, Mutation.None);

        MutantRun.AssertPassed(result);
        Assert.Equal(ScenarioCatalog.Find(name)!.Parameters.Operations, result.Counts.Completed);
    }

    [Fact]
    public async Task A_delayed_burst_is_handled_after_its_delay()
    {
        var result = await MutantRun.RunAsync("delayed-burst-nightly", Mutation.None);

        MutantRun.AssertPassed(result);
        Assert.Equal(48, result.Lateness!.Count);
        Assert.True(result.DurationMs >= 2_000, $"It took {result.DurationMs} ms.");
    }

    [Theory]
    [InlineData(Confirm, Mutation.DropSignal, "operations completed")]
    [InlineData(Confirm, Mutation.ApplyTwice, "every state and version as expected (24)")]
    [InlineData(Confirm, Mutation.LoseInstance, "every instance found (24)")]
    [InlineData(Soak, Mutation.DropSignal, "operations completed")]
    [InlineData(Soak, Mutation.ApplyTwice, "every state and version as expected (108)")]
    [InlineData("signal-roundtrip-capacity-c16", Mutation.LoseInstance, "every instance found (256)")]
    [InlineData("synthetic-external-resume-nightly", Mutation.DropSignal, "no instance open")]
    [InlineData("immediate-burst-nightly", Mutation.DeliverTwice, "messages handled exactly once")]
    public async Task A_wrong_backend_fails_by_name_of_the_check(string name, Mutation mutation, string check) =>
        MutantRun.AssertFailed(await MutantRun.RunAsync(name, mutation), check);

    [Fact]
    public async Task The_confirmed_quotation_passes_its_failure_branch_and_leaves_two_instances_an_operation()
    {
        var result = await MutantRun.RunAsync(Confirm, Mutation.None);

        // 12 verdicts, and one more for each of the two operations whose confirm call fails once.
        Assert.Equal(12 + 2, result.Phases[PhaseNames.SignalPublish].Count);
        Assert.Contains(result.Verification, check => check is { Check: "instances completed in the database", Actual: "24" });
        // Six services for each operation; the failed calls have no effect.
        Assert.Contains(result.Verification, check => check is { Check: "service calls in effect exactly once", Actual: "72" });
    }

    [Fact]
    public async Task The_confirmed_quotation_keeps_exact_versions_with_more_operations_than_activities_fit_by_default()
    {
        var result = await MutantRun.RunAsync(Confirm, Mutation.None, operations: 300);

        MutantRun.AssertPassed(result);
    }

    [Fact]
    public async Task A_soak_asserts_that_there_was_no_conflict_and_counts_all_waves()
    {
        var result = await MutantRun.RunAsync(Soak, Mutation.None);

        Assert.Contains(result.Verification, check => check.Check == "no conflict, resolved or not");
        Assert.Equal((108, 108), (result.ServiceTime!.Count, result.LatencyToDrain!.Count));
        Assert.Equal(108, result.Timeline!.Intervals.Sum(interval => interval.Count));
    }
}
