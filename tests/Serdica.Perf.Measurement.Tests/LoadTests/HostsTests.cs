namespace Serdica.Perf.Measurement.Tests.LoadTests;

/// <summary>A load test whose instances run on other hosts than its own.</summary>
public sealed class HostsTests
{
    private const int Operations = 40;

    private static readonly LoadProfile Profile = new()
    {
        Name = "test",
        WarmUp = TimeSpan.Zero,
        DrainLimit = FromSeconds(60),
        Slots = 2,
        Work = new() { ActivityDelay = FromMilliseconds(1), FailureRate = 0.5 },
        Steps = [new() { Name = "closed", Kind = LoadKind.Closed, MinUsers = 4, Operations = Operations, Duration = FromMinutes(5) }],
    };

    [Fact]
    public async Task Counts_of_the_hosts_are_recorded_and_judged_as_those_of_the_test()
    {
        var (result, run) = await RunAsync(hosts: 2);

        var step = Assert.Single(result.Steps);
        Assert.Equal((2, Operations, Operations / 2), (result.Hosts, step.Counts.Completed, step.Counts.InjectedFailures));
        Assert.Null(step.Unverified);
        Assert.Empty(step.FailedChecks);
        Assert.Equal([1, 2], step.Hosts.Select(host => host.Number));
        Assert.Equal(Operations, step.Hosts.Sum(host => host.Counters.ActivityAttempts));
        Assert.Equal(
            (double)step.Hosts.Sum(host => host.Counters.EmptyClaims) / Operations,
            step.EmptyClaimsPerOperation!.Value,
            tolerance: 1e-9
        );
        var metrics = Assert.Single(run.Scenarios).EngineMetrics;
        Assert.Equal(step.Hosts.Sum(host => host.Counters.Signals), metrics["signals"].Value);
    }

    [Fact]
    public async Task Backlog_waits_until_the_hosts_are_started()
    {
        var backlog = new LoadStep { Name = "burn", Kind = LoadKind.BurnDown, Backlog = Operations };

        var (result, _) = await RunAsync(hosts: 2, Profile with { Steps = [backlog] });

        Assert.Equal(Operations, Assert.Single(result.Steps).Counts.Completed);
    }

    [Fact]
    public async Task Runs_with_another_number_of_hosts_are_not_alike()
    {
        var (_, none) = await RunAsync(hosts: 0);
        var (_, one) = await RunAsync(hosts: 1);
        var (_, two) = await RunAsync(hosts: 2);

        Assert.Contains("options.hosts: 1 against 2", Likeness.ParameterDifferences(one.Scenarios[0], two.Scenarios[0]));
        Assert.Contains("options.hosts: none against 1", Likeness.ParameterDifferences(none.Scenarios[0], one.Scenarios[0]));
        Assert.Equal(("on", "off"), (Direct(none), Direct(one)));
    }

    [Fact]
    public async Task Steps_that_were_asked_for_something_else_are_not_alike()
    {
        var step = Profile.Steps[0];
        var plain = await DeclaredAsync(Profile);
        LoadProfile[] others =
        [
            Profile with { Slots = 4 },
            Profile with { WarmUp = FromMilliseconds(1) },
            Profile with { WorkerDelay = FromMilliseconds(1) },
            With(step with { Operations = 5 }),
            With(step with { ReadsPerSecond = 1 }),
            With(step with { Wave = new(400, 0, FromMilliseconds(50)) }),
            With(step with { BacklogBetween = new(1, 2) }),
            With(new() { Name = step.Name, Kind = LoadKind.BurnDown, Backlog = 20 }),
            With(new() { Name = step.Name, Kind = LoadKind.BurnDown, Backlog = 21 }),
        ];

        var all = new List<ScenarioResult> { plain };
        foreach (var other in others)
        {
            var result = await DeclaredAsync(other);
            EachItem.Holds(all, earlier => Assert.NotEmpty(Likeness.ParameterDifferences(earlier, result)));
            all.Add(result);
        }

        static LoadProfile With(LoadStep step) => Profile with { Steps = [step] };
        static async Task<ScenarioResult> DeclaredAsync(LoadProfile profile) => (await RunAsync(hosts: 0, profile)).Run.Scenarios[0];
    }

    private static string Direct(RunResult run) => run.Scenarios[0].Parameters.Engine[ScenarioParameters.DirectSetting];

    private static async Task<(LoadTestResult Result, RunResult Run)> RunAsync(int hosts, LoadProfile? profile = null)
    {
        using var root = new TemporaryFolder();
        var (suite, backend) = await LoadTestTests.BeginAsync(root);
        var work = LoadWork.Of(profile ?? Profile);
        var test = new LoadTest(suite, backend, profile ?? Profile, work)
        {
            Hosts =
                hosts == 0 ? null : SameProcessHosts.Source(hosts, store => LoadWork.RemoteHostOf(work.Create(store), profile ?? Profile)),
        };
        await test.RunAsync(Token);
        return (test.Result("serdica-perf load", DateTimeOffset.UnixEpoch, 1, null), suite.End());
    }
}
