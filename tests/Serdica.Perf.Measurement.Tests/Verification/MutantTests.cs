namespace Serdica.Perf.Measurement.Tests.Verification;

/// <summary>A backend that does one thing wrong must not get a throughput.</summary>
public sealed class MutantTests
{
    private const string Roundtrip = "signal-roundtrip-throughput-parallel";
    private const string Burst = "immediate-burst-smoke";
    private const string Resume = "synthetic-external-resume-smoke";
    private const string Cancel = "bulstrad-quote-or-apl-cancel-smoke";

    [Theory]
    [InlineData(Roundtrip)]
    [InlineData("signal-roundtrip-latency-serial")]
    [InlineData(Burst)]
    [InlineData(Resume)]
    [InlineData(Cancel)]
    public async Task A_correct_backend_passes(string scenario) =>
        MutantRun.AssertPassed(await MutantRun.RunAsync(scenario, Mutation.None));

    [Theory]
    [InlineData(Roundtrip, Mutation.DropSignal, "operations completed")]
    [InlineData(Roundtrip, Mutation.ApplyTwice, "every state and version as expected (96)")]
    [InlineData(Roundtrip, Mutation.ApplyTwice, "no dead letter")]
    [InlineData(Roundtrip, Mutation.LoseInstance, "every instance found (96)")]
    [InlineData(Roundtrip, Mutation.CorruptState, "every state and version as expected (96)")]
    [InlineData(Resume, Mutation.DropSignal, "no instance open")]
    [InlineData(Resume, Mutation.CorruptState, "every state and version as expected (12)")]
    [InlineData(Cancel, Mutation.LoseInstance, "every instance found (10)")]
    [InlineData(Burst, Mutation.DropMessage, "messages handled never")]
    [InlineData(Burst, Mutation.DeliverTwice, "messages handled exactly once")]
    [InlineData(Burst, Mutation.DeliverEarly, "no message before its due time")]
    [InlineData(Burst, Mutation.TruncatePayload, "every payload as it was sent")]
    public async Task A_wrong_backend_fails_by_name_of_the_check(string scenario, Mutation mutation, string check) =>
        MutantRun.AssertFailed(await MutantRun.RunAsync(scenario, mutation), check);

    /// <summary>Its own times agree with each other; the generator's clock does not agree with them.</summary>
    [Fact]
    public async Task A_queue_that_forgets_the_delay_fails()
    {
        var hour = ScenarioCatalog.Find(Burst)! with
        {
            CreateWorkload = (store, parameters) => new MessageBurst(store, parameters, FromHours(1)),
        };

        MutantRun.AssertFailed(await MutantRun.RunAsync(hour, Mutation.ForgetDelay), "no message before its due time");
    }

    [Fact]
    public async Task A_scenario_that_passed_says_what_its_workers_got_over()
    {
        // Another worker could do everything before this one has told what it ran into.
        var result = await MutantRun.RunAsync(Roundtrip, Mutation.FailClaim, workers: 1);

        MutantRun.AssertPassed(result);
        Assert.StartsWith("The engine warned: A worker's turn failed; next try in ", Assert.Single(result.EngineWarnings));
        var warning = Assert.Single(EngineWarnings.Of(result));
        Assert.Equal((WarningCodes.EngineWarning, result.Name), (warning.Code, warning.Scenario));
        Assert.Contains("relation \"signal\" is locked", warning.Sentence);
    }

    [Fact]
    public async Task A_failed_scenario_says_what_its_workers_ran_into()
    {
        var result = await MutantRun.RunAsync(Roundtrip, Mutation.FailClaims);

        MutantRun.AssertFailed(result, "operations completed");
        Assert.Contains(result.FailureReasons, reason =>
            reason.StartsWith("The engine warned")
            && reason.Contains("InvalidOperationException: relation \"signal\" is locked")
        );
    }
}
