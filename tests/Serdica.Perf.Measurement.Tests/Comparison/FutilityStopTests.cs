using Serdica.Perf.Analysis.Gates;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Tests.Comparison;

public sealed class FutilityStopTests
{
    private static readonly DateOnly Today = new(2026, 11, 21);
    private static readonly RunResult Base = SimulatedRuns.OfThroughputs(9_900, 10_000, 10_100, 10_050, 9_950);
    private static readonly GateSettings Relative = new() { Relative = [new() { Metric = "throughput", WorseBy = 0.1 }], Abort = new() };
    private static readonly GateSettings Objective = new() { Objectives = [new() { Metric = "p99", Most = 10 }], Abort = new() };

    [Fact]
    public void Repeats_that_are_all_twice_beyond_a_relative_limit_end_the_run_with_one_sentence()
    {
        var breach = Find(Relative, 4_400, 4_300, 4_000)!;

        Assert.Equal("throughput", breach.Metric);
        Assert.StartsWith(
            "postgresql-signal-roundtrip-throughput-parallel: throughput is 4,230 op/s; the limit is at least 9,000 op/s. Each of 3 "
                + "repeats missed it by more than a factor of 2",
            breach.Sentence,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void One_better_repeat_or_too_few_of_them_or_no_rule_go_on()
    {
        Assert.Null(Find(Relative, 4_400, 4_600, 4_000));
        Assert.Null(Find(Relative, 4_400, 4_300));
        Assert.Null(Find(Relative with { Abort = null }, 4_400, 4_300, 4_000));
    }

    [Fact]
    public void An_objective_needs_no_base()
    {
        Assert.Equal("p99", FutilityStop.Find(Objective, null, Base, SimulatedRuns.Name, Today)?.Metric);
        Assert.Null(FutilityStop.Find(Objective with { Abort = new() { Factor = 10 } }, null, Base, SimulatedRuns.Name, Today));
    }

    [Fact]
    public void What_is_quarantined_not_comparable_or_limited_by_the_generator_goes_on()
    {
        var slow = SimulatedRuns.OfThroughputs(4_400, 4_300, 4_000);

        Assert.Null(
            FutilityStop.Find(
                Relative with
                {
                    Quarantine =
                    [
                        new()
                        {
                            Scenario = "*",
                            Reason = "known",
                            Expires = Today,
                        },
                    ],
                },
                Base,
                slow,
                SimulatedRuns.Name,
                Today
            )
        );
        Assert.Null(
            FutilityStop.Find(
                Relative,
                Base,
                slow with
                {
                    Environment = slow.Environment with { Machine = slow.Environment.Machine with { LogicalCores = 64 } },
                },
                SimulatedRuns.Name,
                Today
            )
        );
        var late = OpenLoads.Late(Base, ownP99Ms: 40, ownAverageMs: 30, waitedMs: 30);

        Assert.Null(FutilityStop.Find(Objective, null, late, SimulatedRuns.Name, Today));
    }

    [Fact]
    public void A_breach_counts_when_the_second_run_has_it_too()
    {
        GateBreach a = new("x", "throughput", 2, 1, 1.5, "x is slow."),
            b = new("x", "p99", 1, 2, 1.5, "x is late."),
            other = new("y", "p99", 1, 2, 1.5, "y is late.");

        var confirmed = new GateResult { Breaches = [a, b], Notes = ["first"] }.ConfirmedBy(
            new() { Breaches = [b with { After = 3 }, other] },
            "second"
        );

        Assert.Equal([b], confirmed.Breaches);
        Assert.Equal(["first", "Not confirmed by a second run (second), so it does not count: x is slow."], confirmed.Notes);
    }

    private static GateBreach? Find(GateSettings settings, params double[] perSecond) =>
        FutilityStop.Find(settings, Base, SimulatedRuns.OfThroughputs(perSecond), SimulatedRuns.Name, Today);
}
