using FsCheck;
using FsCheck.Fluent;

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
        Prop.ForAll(Requests, request =>
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
            })
            .QuickCheckThrowOnFailure();

    [Fact]
    public void Each_fault_has_a_target_that_is_there() =>
        Prop.ForAll(Requests, request =>
            {
                var hosts = Range(1, request.Hosts).Select(PlannedFault.Host);
                foreach (var fault in Make(request).Faults)
                {
                    if (FaultTraits.Of(fault.Kind).OneHost)
                        Assert.Contains(fault.Target, hosts);
                    else
                        Assert.Contains(fault.Target, (string[])[PlannedFault.Database, PlannedFault.All]);
                }
            })
            .QuickCheckThrowOnFailure();

    [Theory]
    [InlineData("zombie", 10, true)]
    [InlineData("zombie", 9, false)]
    [InlineData("kill-worker", 10, false)]
    public void Plan_with_ten_faults_that_end_leases_has_to_prove_all_invariants(string name, int faults, bool isAll)
    {
        var plan = Make((name, 1, 60, 2));

        var required = plan.With([.. Repeat(plan.Faults[0], faults)]).Required;

        Assert.Equal(isAll ? null : [1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14, 15, 16], required);
    }

    [Fact]
    public void Ten_minutes_of_everything_have_each_kind_that_all_backends_can_be_put_under() =>
        Assert.Equal(
            Enum.GetValues<FaultKind>().Except([FaultKind.FillVolume, FaultKind.UpgradeHost]),
            BuiltInPlans
                .Make("everything", BackendNames.PostgreSql, 1, FromMinutes(10), 2)
                .Faults.Select(fault => fault.Kind)
                .Distinct()
                .Order()
        );

    [Theory]
    [InlineData(20, 5)]
    [InlineData(120, 12)]
    [InlineData(1_200, 60)]
    public void Snapshot_is_held_once_the_rate_before_it_is_known(int seconds, int lead)
    {
        var duration = FromSeconds(seconds);
        var fault = Assert.Single(BuiltInPlans.Make("held-snapshot", BackendNames.PostgreSql, 1, duration, 2).Faults);

        Assert.Equal(FromSeconds(lead), fault.At);
        Assert.Equal(duration - fault.At - BuiltInPlans.Settle, fault.Duration);
    }

    [Fact]
    public void Number_of_commits_is_cut_in_one_fault_for_as_long_as_the_run_has_room()
    {
        var plan = BuiltInPlans.Make("ambiguous-commit", BackendNames.PostgreSql, 1, FromMinutes(10), 2, cuts: 1_000);

        var fault = Assert.Single(plan.Faults);
        Assert.Equal(1_000, fault.Cuts);
        Assert.Equal(FromMinutes(10), fault.At + fault.Duration + BuiltInPlans.Settle);
        Assert.EndsWith(" --duration 600s --hosts 2 --cuts 1000", plan.Command);
    }

    [Fact]
    public void Other_plans_cut_no_number_of_commits() =>
        Assert.Equal(
            "The plan 'zombie' cannot cut a number of commits; only 'ambiguous-commit' can.",
            Assert.Throws<ArgumentException>(() => BuiltInPlans.Make("zombie", BackendNames.PostgreSql, 1, FromMinutes(1), 2, 9)).Message
        );

    [Fact]
    public void Plan_that_a_backend_cannot_be_put_under_is_refused()
    {
        Assert.Equal(["volume-full", "upgrade"], BuiltInPlans.Names.Except(BuiltInPlans.NamesFor(BackendNames.DocumentDb)));
        Assert.Equal(BuiltInPlans.Names, BuiltInPlans.NamesFor(BackendNames.PostgreSql));
        Assert.StartsWith(
            "The plan 'upgrade' cannot be done on documentdb; there are kill-worker,",
            Refusal("upgrade", BackendNames.DocumentDb)
        );
        Assert.Equal(
            "The plan 'partition' cannot be done on citus; there are kill-worker, zombie, restart-database, session-kills, clock-skew, "
                + "upgrade, everything.",
            Refusal("partition", BackendNames.Citus)
        );

        static string Refusal(string plan, string backend) =>
            Assert.Throws<ArgumentException>(() => BuiltInPlans.Make(plan, backend, 1, FromMinutes(1), 2)).Message;
    }

    [Fact]
    public void Everything_on_a_cluster_is_what_strikes_its_hosts_and_nodes()
    {
        var plan = BuiltInPlans.Make("everything", BackendNames.Citus, 1, FromMinutes(10), 2);

        Assert.Equal(
            [
                FaultKind.KillHost,
                FaultKind.TerminateHost,
                FaultKind.PauseHost,
                FaultKind.KillDatabase,
                FaultKind.CrashDatabase,
                FaultKind.RestartDatabase,
                FaultKind.PauseDatabase,
                FaultKind.KillSessions,
                FaultKind.SkewClock,
            ],
            plan.Faults.Select(fault => fault.Kind).Distinct().Order()
        );
    }

    [Fact]
    public void Everything_in_a_container_is_what_can_be_done_to_one()
    {
        var plan = BuiltInPlans.Make("everything", BackendNames.PostgreSql, 1, FromMinutes(10), 2, container: true);

        Assert.Null(plan.ContainerDefect);
        Assert.Contains(plan.Faults, fault => fault.Kind == FaultKind.PauseDatabase);
        Assert.EndsWith(" --hosts 2 --source containers", plan.Command);
    }

    [Theory]
    [InlineData("kill-workers", 60, "There is no plan 'kill-workers'; there are kill-worker,")]
    [InlineData("zombie", 10, "A load of 10 s has no room for a fault of the plan 'zombie'")]
    public void What_cannot_be_planned_is_refused(string name, int seconds, string sentence) =>
        Assert.StartsWith(
            sentence,
            Assert.Throws<ArgumentException>(() => BuiltInPlans.Make(name, BackendNames.PostgreSql, 1, FromSeconds(seconds), 2)).Message
        );

    private static FaultPlan Make((string Name, int Seed, int Seconds, int Hosts) request) =>
        BuiltInPlans.Make(request.Name, BackendNames.PostgreSql, request.Seed, FromSeconds(request.Seconds), request.Hosts);
}
