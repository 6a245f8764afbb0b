using Serdica.Perf.Measurement.Results;
using Serdica.Perf.Measurement.Scenarios;

namespace Serdica.Perf.Measurement.Tests.Verification;

/// <summary>A backend that does one thing wrong must not get a throughput.</summary>
public sealed class MutantTests
{
    private const string Roundtrip = "signal-roundtrip-throughput-parallel";
    private const string Burst = "immediate-burst-smoke";
    private const string Resume = "synthetic-external-resume-smoke";
    private const string Cancel = "bulstrad-quote-or-apl-cancel-smoke";

    private static readonly RunOptions Quick = new() { WarmUp = 0, StallLimit = TimeSpan.FromMilliseconds(500) };

    [Theory]
    [InlineData(Roundtrip)]
    [InlineData("signal-roundtrip-latency-serial")]
    [InlineData(Burst)]
    [InlineData(Resume)]
    [InlineData(Cancel)]
    public async Task A_correct_backend_passes(string scenario)
    {
        var result = await RunAsync(scenario, Mutation.None);

        Assert.Empty(result.FailureReasons);
        Assert.Equal(ScenarioStatus.Passed, result.Status);
        Assert.NotNull(result.ThroughputPerSecond);
        Assert.True(result.Counts.Balanced);
    }

    [Theory]
    [InlineData(Roundtrip, Mutation.DropSignal, "operations completed")]
    [InlineData(Roundtrip, Mutation.ApplyTwice, "every state and version as expected (96)")]
    [InlineData(Roundtrip, Mutation.LoseInstance, "every instance found (96)")]
    [InlineData(Roundtrip, Mutation.CorruptState, "every state and version as expected (96)")]
    [InlineData(Resume, Mutation.DropSignal, "no instance open")]
    [InlineData(Resume, Mutation.CorruptState, "every state and version as expected (12)")]
    [InlineData(Cancel, Mutation.LoseInstance, "every instance found (10)")]
    [InlineData(Burst, Mutation.DropMessage, "messages handled never")]
    [InlineData(Burst, Mutation.DeliverTwice, "messages handled exactly once")]
    [InlineData(Burst, Mutation.DeliverEarly, "no message before its due time")]
    public async Task A_wrong_backend_fails_by_name_of_the_check(string scenario, Mutation mutation, string check)
    {
        var result = await RunAsync(scenario, mutation);

        Assert.Equal(ScenarioStatus.Failed, result.Status);
        Assert.Null(result.ThroughputPerSecond);
        Assert.Contains(check, result.Verification.Where(c => !c.Passed).Select(c => c.Check));
        Assert.NotEmpty(result.FailureReasons);
    }

    private static async Task<ScenarioResult> RunAsync(string name, Mutation mutation)
    {
        var scenario = ScenarioCatalog.Find(name)!;
        await using var store = new TestStore(new MutantBackend(mutation));
        var progress = new ScenarioProgress(name, Quick.Apply(scenario.Parameters, repeat: 1));
        var measurement = await new ScenarioRunner(Quick).RunAsync(scenario, store, progress, TestContext.Current.CancellationToken);
        return measurement.Result;
    }
}
