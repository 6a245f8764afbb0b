namespace Serdica.Perf.Measurement.Tests;

/// <summary>A step of a load test for tests, which change what they are about.</summary>
internal static class SampleStep
{
    /// <summary>Ten seconds at 100 operations a second that kept everything.</summary>
    public static StepResult Good { get; } =
        new()
        {
            Name = "step",
            Kind = LoadKind.Open,
            Scenario = "in-memory-test-step",
            TargetPerSecond = 100,
            OfferedPerSecond = 100,
            StartedPerSecond = 100,
            CompletedPerSecond = 99.9,
            PlannedSeconds = 10,
            ElapsedSeconds = 10.005,
            DrainSeconds = 0.005,
            ConflictsPerOperation = 0,
            Counts = new() { Offered = 1_000, Started = 1_000, Completed = 1_000, Failed = 0, Running = 0 },
            Response = new() { Count = 1_000, P99Ms = 20 },
            Service = new() { Count = 1_000, P99Ms = 19 },
            ScheduleLag = new() { Count = 1_000, P99Ms = 1 },
            GeneratorLag = new() { Count = 1_000, P99Ms = 1 },
            MinUsers = 1,
            MaxUsers = 16,
            PeakUsers = 3,
            Backlog = [.. Range(0, BacklogTimeline.MostPoints).Select(index => new BacklogPoint((index + 0.5) / 6, 1, 1_000 / 60.0, 10))],
        };
}
