using Serdica.Perf.Measurement.Driving;

namespace Serdica.Perf.Cli.Tests;

/// <summary>
/// A scenario that the command line finds in this assembly. One operation fails, and its operations do not know which completed.
/// </summary>
public static class FailsOnce
{
    private const int Failing = 3;

    public static Scenario Scenario { get; } =
        OtherInTheSecondRun.Quick with
        {
            Name = "fails-once",
            Description = "One operation fails.",
            CreateWorkload = (store, _) => new Work(store),
        };

    private sealed class Work(IScenarioStore store) : Workload(store, new WorkflowOptions { Workers = 1 })
    {
        public override string Shape => "fails-once";

        public override int InstancesPerOperation => 0;

        public override HostCounters Counters { get; } = new();

        public override Task OpenAsync(CancellationToken cancellationToken) => Backend.InitializeAsync(cancellationToken);

        public override OperationSet CreateOperations(int count, bool warmUp) => new Operations(count);
    }

    private sealed class Operations(int count) : OperationSet(count)
    {
        public override ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken) =>
            operation == Failing ? throw new InvalidOperationException("It was to fail.") : ValueTask.FromResult(Task.CompletedTask);

        public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
            Task.FromResult<IReadOnlyList<VerificationCheck>>([new("it left nothing", true, "0", "0")]);
    }
}
