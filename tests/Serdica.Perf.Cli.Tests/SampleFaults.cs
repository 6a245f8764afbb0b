using Serdica.Perf.Faults.Checking.Invariants;
using Serdica.Perf.Faults.Figures;
using Serdica.Perf.Faults.Plans;

namespace Serdica.Perf.Cli.Tests;

/// <summary>The result of a run of 20 s, in which a host was killed from second 5 to 7 and no round trip ended in second 5.</summary>
internal static class SampleFaults
{
    public static FaultResult Result { get; } =
        new()
        {
            Database = "PostgreSQL 16.4",
            StartedAt = new DateTimeOffset(2026, 3, 17, 10, 0, 0, TimeSpan.Zero),
            Plan = new()
            {
                Name = "kill-worker",
                Backend = "postgresql",
                Seed = 1,
                Duration = FromSeconds(20),
                Hosts = 2,
                Faults = [new(FaultKind.KillHost, "host-1", FromSeconds(5), FromSeconds(2))],
            },
            Verdict = InvariantVerdict.Held,
            Operations = 12_000,
            Lines = 60_000,
            Invariants = [new(1, "exactly-once effect", "Each result had one effect.", 4_000, 0, [])],
            Faults =
            [
                new()
                {
                    Kind = FaultKind.KillHost,
                    Target = "host-1",
                    At = 5,
                    Lasted = 2,
                    Evidence = "process <4711> ended by SIGKILL",
                    RateBefore = 100,
                    RateKept = 0.5,
                    DetectedAfter = null,
                    RecoveredAfter = 1_200,
                    WatchedFor = 12_000,
                    FailedCalls = 3,
                    P99Before = 5,
                    P99During = 60,
                    P99After = 5,
                    Backlog = 0,
                    DrainedAfter = null,
                    LongestPause = 1_000,
                    RepeatedActivities = 1,
                    LastRepeatAfter = 2_100,
                },
            ],
            Timeline =
            [
                .. Range(0, 20)
                    .Select(second => new LoadSecond
                    {
                        At = second,
                        Completed = second == 5 ? 0 : 100,
                        P99 = second == 5 ? null : 5,
                        Failed = second == 5 ? 3 : 0,
                    }),
            ],
            Thresholds = [],
        };
}
