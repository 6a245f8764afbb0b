namespace Serdica.Perf.Measurement.Tests.Verification;

/// <summary>Runs a scenario on a backend with a fault, or with none.</summary>
internal static class MutantRun
{
    /// <summary>The stall limit of a run that has lost work, which fails whatever the limit is.</summary>
    private static readonly TimeSpan ShortStall = FromSeconds(1);

    /// <summary>
    /// A run that can end is given the time that a busy machine may need; one that can't is soon given up, so that of its
    /// checks only those are sure to fail that count what is missing.
    /// </summary>
    public static Task<ScenarioResult> RunAsync(Scenario scenario, Mutation mutation, int? operations = null, int? workers = null) =>
        RunAsync(scenario, new MutantBackend(mutation), LosesWork(mutation), operations, workers);

    /// <summary>On the backend as it is, whose host decides signals directly.</summary>
    public static Task<ScenarioResult> RunDirectAsync(string scenario, int? operations = null) =>
        RunAsync(ScenarioCatalog.Find(scenario)!, new InMemoryWorkflowBackend(), losesWork: false, operations, workers: null);

    private static async Task<ScenarioResult> RunAsync(
        Scenario scenario,
        IWorkflowBackend backend,
        bool losesWork,
        int? operations,
        int? workers
    )
    {
        var options = new RunOptions { WarmUp = 0, Operations = operations, Workers = workers };
        if (losesWork)
            options = options with { StallLimit = ShortStall };
        await using var store = new TestStore(backend);
        var progress = new ScenarioProgress(scenario.Name, options.Apply(scenario, repeat: 1));

        var measurement = await new ScenarioRunner(options).RunAsync(scenario, store, progress, Token);

        Assert.Equal(measurement.Result.Counts.Completed, progress.Completed);
        return measurement.Result;
    }

    public static Task<ScenarioResult> RunAsync(string scenario, Mutation mutation, int? operations = null, int? workers = null) =>
        RunAsync(ScenarioCatalog.Find(scenario)!, mutation, operations, workers);

    public static void AssertPassed(ScenarioResult result)
    {
        Assert.True(result.FailureReasons.Count == 0, string.Join(" ", result.FailureReasons));
        Assert.Equal(ScenarioStatus.Passed, result.Status);
        Assert.NotNull(result.ThroughputPerSecond);
        Assert.True(result.Counts.Balanced);
    }

    public static void AssertFailed(ScenarioResult result, string check)
    {
        Assert.Equal(ScenarioStatus.Failed, result.Status);
        Assert.Null(result.ThroughputPerSecond);
        Assert.Contains(check, result.Verification.Where(c => !c.Passed).Select(c => c.Check));
        Assert.NotEmpty(result.FailureReasons);
    }

    private static bool LosesWork(Mutation mutation) =>
        mutation
            is Mutation.DropSignal
                or Mutation.DropMessage
                or Mutation.TruncatePayload
                or Mutation.LoseCancellation
                or Mutation.KeepWithdrawn
                or Mutation.LoseTimer
                or Mutation.LoseChildResult
                or Mutation.FailClaims;
}
