namespace Serdica.Perf.Measurement.Tests.Scenarios;

/// <summary>Scenarios whose instances run on other hosts than that of the measuring process.</summary>
public sealed class HostedScenarioTests
{
    private const int Operations = 200;

    [Fact]
    public async Task Hosts_run_the_instances_and_each_process_is_recorded_by_itself()
    {
        var result = await MeasureAsync("signal-roundtrip-throughput-parallel", hosts: 2);

        Assert.True(result.Status == ScenarioStatus.Passed, string.Join(' ', result.FailureReasons));
        Assert.Equal((Operations, 2), (result.Counts.Completed, result.Parameters.Hosts));
        var processes = result.Processes!;
        Assert.Equal([1, 2], processes.Hosts.Select(host => host.Number));
        Assert.Equal(Environment.ProcessId, processes.Generator.ProcessId);
        Assert.Equal(result.EngineMetrics["signals"].Value, processes.Hosts.Sum(host => host.Counters.Signals));
        Assert.Equal(result.EngineMetrics[MetricNames.EmptyClaims].Value, processes.Hosts.Sum(host => host.Counters.EmptyClaims));
        Assert.Equal("off", result.Parameters.Engine[ScenarioParameters.DirectSetting]);
    }

    [Fact]
    public async Task Without_host_processes_none_is_recorded_and_the_results_are_not_alike()
    {
        var own = await MeasureAsync("signal-roundtrip-throughput-parallel", hosts: 0);
        var one = await MeasureAsync("signal-roundtrip-throughput-parallel", hosts: 1);

        Assert.Null(own.Processes);
        Assert.Equal(0, own.Parameters.Hosts);
        Assert.Contains("options.hosts: none against 1", Likeness.ParameterDifferences(own, one));
    }

    [Fact]
    public async Task Scenario_that_prepares_its_operations_is_not_measured_with_host_processes() =>
        await Assert.ThrowsAsync<NotSupportedException>(() => MeasureAsync("child-fan-out", hosts: 1, "signal-roundtrip-latency-serial"));

    [Fact]
    public async Task Failed_calls_of_a_host_process_are_a_warning()
    {
        var result = await MeasureAsync("signal-roundtrip-latency-serial", hosts: 2, failedCalls: 3);

        Assert.Equal(ScenarioStatus.Passed, result.Status);
        Assert.Matches(
            @"^[0-9]+ database calls of host 2 failed; hosts/2\.log has its warnings\.$",
            Assert.Single(result.EngineWarnings)
        );
    }

    [Fact]
    public async Task Hosts_are_read_in_the_warm_up_as_in_the_window()
    {
        var result = await MeasureAsync("signal-roundtrip-throughput-parallel", hosts: 1, idleReads: 2);

        Assert.Equal(Operations, result.WarmUp!.Operations);
    }

    private static async Task<ScenarioResult> MeasureAsync(
        string name,
        int hosts,
        string? hosted = null,
        int failedCalls = 0,
        int idleReads = 0
    )
    {
        using var root = new TemporaryFolder();
        var (suite, backend) = await LoadTestTests.BeginAsync(root);
        var work = ScenarioCatalog.Find(hosted ?? name)!;
        HostedWorkload Host(IScenarioStore store) => HostedWorkload.RunningAnywhere(work.CreateWorkload(store, work.Parameters))!;
        return await suite.MeasureAsync(
            backend,
            ScenarioCatalog.Find(name)!,
            new RunOptions
            {
                Operations = Operations,
                WarmUp = idleReads == 0 ? 0 : Operations,
                StallLimit = FromSeconds(5),
                Hosts = hosts,
                HostSource = hosts == 0 ? null : SameProcessHosts.Source(hosts, Host, failedCalls, idleReads),
            },
            repeat: 1,
            Token
        );
    }
}
