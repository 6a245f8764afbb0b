using FsCheck;
using FsCheck.Fluent;
using Serdica.Perf.Backends;
using Serdica.Perf.Faults.Plans;

namespace Serdica.Perf.Faults.Tests.Plans;

public sealed class BuiltInPlansTests
{
    private static readonly Arbitrary<(string Name, int Seed, int Seconds, int Hosts)> Requests = Arb.From(
        from name in Gen.Elements(BuiltInPlans.Names.ToArray())
        from seed in Gen.Choose(0, int.MaxValue - 1)
        from seconds in Gen.Choose(20, 900)
        from hosts in Gen.Choose(2, 8)
        select (name, seed, seconds, hosts)
    );

    [Fact]
    public void Same_seed_gives_the_same_plan() =>
        Prop.ForAll(Requests, request => Assert.Equal(Make(request).Faults, Make(request).Faults)).QuickCheckThrowOnFailure();

    [Fact]
    public void Faults_follow_each_other_with_time_to_recover_between_them() =>
        Prop.ForAll(
                Requests,
                request =>
                {
                    var plan = Make(request);
                    var free = BuiltInPlans.Lead;
                    foreach (var fault in plan.Faults)
                    {
                        Assert.InRange(fault.At, free, plan.Duration);
                        free = fault.At + fault.Duration + BuiltInPlans.Settle;
                    }

                    Assert.NotEmpty(plan.Faults);
                    Assert.InRange(free, TimeSpan.Zero, plan.Duration);
                }
            )
            .QuickCheckThrowOnFailure();

    [Fact]
    public void Each_fault_has_a_target_that_is_there() =>
        Prop.ForAll(
                Requests,
                request =>
                {
                    var hosts = Enumerable.Range(1, request.Hosts).Select(PlannedFault.Host);
                    foreach (var fault in Make(request).Faults)
                    {
                        if (FaultTraits.Of(fault.Kind).OneHost)
                            Assert.Contains(fault.Target, hosts);
                        else
                            Assert.Contains(fault.Target, (string[])[PlannedFault.Database, PlannedFault.All]);
                    }
                }
            )
            .QuickCheckThrowOnFailure();

    [Fact]
    public void Ten_minutes_of_everything_have_each_kind() =>
        Assert.Equal(
            Enum.GetValues<FaultKind>(),
            BuiltInPlans
                .Make("everything", BackendNames.PostgreSql, 1, TimeSpan.FromMinutes(10), 2)
                .Faults.Select(fault => fault.Kind)
                .Distinct()
                .Order()
        );

    [Fact]
    public void Snapshot_is_held_for_the_whole_run()
    {
        var fault = Assert.Single(BuiltInPlans.Make("held-snapshot", BackendNames.PostgreSql, 1, TimeSpan.FromMinutes(10), 2).Faults);

        Assert.Equal(TimeSpan.FromMinutes(10) - BuiltInPlans.Lead - BuiltInPlans.Settle, fault.Duration);
    }

    [Theory]
    [InlineData("kill-workers", 60, "There is no plan 'kill-workers'; there are kill-worker,")]
    [InlineData("zombie", 10, "A load of 10 s has no room for a fault of the plan 'zombie'")]
    public void What_cannot_be_planned_is_refused(string name, int seconds, string sentence) =>
        Assert.StartsWith(
            sentence,
            Assert
                .Throws<ArgumentException>(() => BuiltInPlans.Make(name, BackendNames.PostgreSql, 1, TimeSpan.FromSeconds(seconds), 2))
                .Message,
            StringComparison.Ordinal
        );

    private static FaultPlan Make((string Name, int Seed, int Seconds, int Hosts) request) =>
        BuiltInPlans.Make(request.Name, BackendNames.PostgreSql, request.Seed, TimeSpan.FromSeconds(request.Seconds), request.Hosts);
}
