using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Scenarios;
using Serdica.Perf.Measurement.Tests.Verification;

namespace Serdica.Perf.Measurement.Tests.Scenarios;

public sealed class NightlySoakAndCapacityTests
{
    private const string Confirm = "bulstrad-quotation-confirm-convert-to-policy-nightly";
    private const string Soak = "signal-roundtrip-soak";

    private static readonly RunOptions Quick = new() { WarmUp = 0 };

    /// <summary>For backends that lose work, so that a load which can't end is soon given up.</summary>
    private static readonly RunOptions Impatient = Quick with { StallLimit = TimeSpan.FromSeconds(1) };

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
        var result = await RunAsync(name, Mutation.None, Quick);

        Assert.True(result.FailureReasons.Count == 0, string.Join(" ", result.FailureReasons));
        Assert.Equal(ScenarioStatus.Passed, result.Status);
        Assert.Equal(ScenarioCatalog.Find(name)!.Parameters.Operations, result.Counts.Completed);
        Assert.NotNull(result.ThroughputPerSecond);
    }

    [Fact]
    public async Task A_delayed_burst_is_handled_after_its_delay()
    {
        var result = await RunAsync("delayed-burst-nightly", Mutation.None, Quick);

        Assert.True(result.FailureReasons.Count == 0, string.Join(" ", result.FailureReasons));
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
    public async Task A_wrong_backend_fails_by_name_of_the_check(string name, Mutation mutation, string check)
    {
        var result = await RunAsync(name, mutation, Impatient);

        Assert.Equal(ScenarioStatus.Failed, result.Status);
        Assert.Null(result.ThroughputPerSecond);
        Assert.Contains(check, result.Verification.Where(c => !c.Passed).Select(c => c.Check));
    }

    [Fact]
    public async Task The_confirmed_quotation_passes_its_failure_branch_and_leaves_two_instances_an_operation()
    {
        var result = await RunAsync(Confirm, Mutation.None, Quick);

        // 12 verdicts, and one more for each of the two operations whose confirm call fails once.
        Assert.Equal(12 + 2, result.Phases[PhaseNames.SignalPublish].Count);
        Assert.Contains(result.Verification, check => check is { Check: "instances completed in the database", Actual: "24" });
        // Six services for each operation; the failed calls have no effect.
        Assert.Contains(result.Verification, check => check is { Check: "service calls in effect exactly once", Actual: "72" });
    }

    [Fact]
    public async Task The_confirmed_quotation_keeps_exact_versions_with_more_operations_than_activities_fit_by_default()
    {
        var result = await RunAsync(Confirm, Mutation.None, Quick with { Operations = 300 });

        Assert.True(result.FailureReasons.Count == 0, string.Join(" ", result.FailureReasons));
    }

    [Fact]
    public async Task A_soak_asserts_that_there_was_no_conflict_and_counts_all_waves()
    {
        var result = await RunAsync(Soak, Mutation.None, Quick);

        Assert.Contains(result.Verification, check => check.Check == "no conflict, resolved or not");
        Assert.Equal((108, 108), (result.ServiceTime!.Count, result.LatencyToDrain!.Count));
        Assert.Equal(108, result.Timeline!.Intervals.Sum(interval => interval.Count));
    }

    private static async Task<ScenarioResult> RunAsync(string name, Mutation mutation, RunOptions options)
    {
        var scenario = ScenarioCatalog.Find(name)!;
        await using var store = new TestStore(new MutantBackend(mutation));
        var progress = new ScenarioProgress(name, options.Apply(scenario.Parameters, repeat: 1));
        var measurement = await new ScenarioRunner(options).RunAsync(scenario, store, progress, TestContext.Current.CancellationToken);

        Assert.Equal(measurement.Result.Counts.Completed, progress.Completed);
        return measurement.Result;
    }
}
