namespace Serdica.Perf.Measurement.Tests.LoadTests;

/// <summary>Operations that are done when they are begun, and leave nothing.</summary>
internal sealed class IdleWorkload(IScenarioStore store, bool canBeEndless, Action<int> asked, int? failing = null)
    : Workload(store, new WorkflowOptions { Workers = 1 })
{
    public override string Shape => "idle";

    public override int InstancesPerOperation => 0;

    public override bool CanBeEndless => canBeEndless;

    public override HostCounters Counters { get; } = new();

    public static Scenario Scenario(bool canBeEndless, Action<int> asked, int? failing = null) =>
        new()
        {
            Name = "idle",
            Tier = Tiers.Load,
            Family = ScenarioFamilies.Load,
            Description = "Does nothing.",
            Parameters = new() { Operations = 1, Concurrency = 1, Workers = 1, Load = LoadModel.Closed },
            CreateWorkload = (store, _) => new IdleWorkload(store, canBeEndless, asked, failing),
        };

    public override Task OpenAsync(CancellationToken cancellationToken) => Backend.InitializeAsync(cancellationToken);

    public override OperationSet CreateOperations(int count, bool warmUp)
    {
        asked(count);
        return new Nothing(count, failing);
    }

    private sealed class Nothing(int count, int? failing) : OperationSet(count)
    {
        public override ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken) =>
            operation == failing || failing < 0
                ? throw new OperationFailedException("It was to fail.")
                : ValueTask.FromResult(Task.CompletedTask);

        public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
            Task.FromResult<IReadOnlyList<VerificationCheck>>([]);
    }
}
