namespace Serdica.Perf.Cli.Tests;

/// <summary>Queue tests whose readers are in host processes.</summary>
public sealed class QueueHostsTests : CliTests
{
    [Theory]
    [InlineData("--readers 2 --writers 16 --max-unread 500 --engine claim-batch=1")]
    [InlineData("--mode pubsub --queues 2 --subscribers 2 --readers 8 --throttle 200")]
    public async Task Hosts_read_each_message_once_for_each_who_gets_it(string options)
    {
        await using var server = await ServeAsync();

        var exitCode = await Cli.MeasureAsync($"queue --hosts 2 --warmup 500ms --duration 1s --drain 60s {options}");

        using var queue = Cli.Parsed(RunFolder.QueueFile);
        var root = queue.RootElement;
        Assert.True(exitCode == (QueueCommandTests.FallsBehind(root) ? ExitCodes.Failed : ExitCodes.Success), Cli.Error + Cli.Output);
        var written = root.Int64("written");
        var read = written * (options.Contains("pubsub") ? 2 : 1);
        Assert.True(written > 0);
        Assert.Equal(
            (read, 0, 0, read),
            (root.Int64("read"), root.Int64("lost"), root.Int64("duplicates"), root.GetProperty("endToEnd").Int64("count"))
        );

        // What was written was due before it was read, by the clock of either process.
        Assert.True(root.GetProperty("endToEnd").Number("minMs") > 0);
        var scenario = Assert.Single(BaselineReader.Read(Cli.RunFolder).Scenarios);
        Assert.Equal("2", scenario.Parameters.Options["hosts"]);
        EachItem.Holds(scenario.Verification, check => Assert.True(check.Passed, $"{check}"));
        var processes = scenario.Processes!;
        Assert.Equal([1, 2], processes.Hosts.Select(host => host.Number));
        Assert.Equal(read, processes.Hosts.Sum(host => host.Counters.Signals));

        // A host that keeps up leaves nothing to the other; one that takes one message at a time does not keep up.
        if (options.Contains("claim-batch=1"))
            EachItem.Holds(processes.Hosts, host => Assert.True(host.Counters.Signals > 0, $"{host}"));
        Assert.Equal(3, processes.Hosts.Select(host => host.ProcessId).Append(Environment.ProcessId).Distinct().Count());
        Assert.Equal(2, root.GetProperty("hosts").GetArrayLength());
        var report = Cli.Written(RunFolder.QueueReportFile);
        foreach (var role in (string[])["host 1", "host 2", "generator", "database"])
            Assert.Matches($@"\| {scenario.Name} +\| {role} ", report);
        Assert.Equal(0, await WholeProgram.StoresAsync(server));
    }

    /// <summary>Sessions of 30 queues were refused by the server that the suite had started for them.</summary>
    [Fact]
    public async Task Server_of_the_suite_has_room_for_many_queues()
    {
        await (await LocalServer.StartOrSkipAsync()).DisposeAsync();

        var exitCode = await Cli.MeasureAsync(
            "queue --source local --queues 30 --readers 60 --ladder 30,60 --throttle 100 --warmup 0s --duration 1s --drain 60s"
        );

        Assert.True(exitCode == ExitCodes.Success, Cli.Error + Cli.Output);

        // 60 readers, the most writers, two for each queue, and 30 others.
        Assert.Equal("210", Assert.Single(BaselineReader.Read(Cli.RunFolder).Databases).Settings["max_connections"]);
    }

    [Theory]
    [InlineData("--ladder 1,2")]
    [InlineData("--repeat 2")]
    public async Task Each_of_several_tests_has_hosts_of_its_own(string options)
    {
        await using var server = await ServeAsync();

        await Cli.MeasureAsync($"queue --hosts 2 --readers 4 --throttle 200 --duration 1s --warmup 0s --drain 60s {options}");

        var tests = BaselineReader.Read(Cli.RunFolder);
        Assert.True(tests.Scenarios.Count == 2, Cli.Error + Cli.Output);
        Assert.Equal(4, tests.Scenarios.SelectMany(test => test.Processes!.Hosts).Select(host => host.ProcessId).Distinct().Count());
        EachItem.Holds(tests.Scenarios.SelectMany(test => test.Verification), check => Assert.True(check.Passed, $"{check}"));
        Assert.Contains("2 hosts with 2 workers each", Cli.Output);
    }

    [Fact]
    public async Task Host_that_is_killed_ends_the_test_which_says_so()
    {
        HostProcessesTests.SkipWithoutProcesses();
        await using var server = await ServeAsync();

        // The mark by which its processes are found.
        const string Duration = "1777s";
        var test = Cli.MeasureAsync($"queue --hosts 2 --duration {Duration} --warmup 0s");
        await HostProcessesTests.UntilMeasuredAsync(Cli.Folder, () => test.IsCompleted, () => Cli.Error + Cli.Output);

        var host = HostProcessesTests.KillSecond(Duration);

        Assert.Equal(ExitCodes.Failed, await test.InTime());
        var result = BaselineReader.Read(Cli.RunFolder);
        Assert.Equal(RunStatus.Aborted, result.Status);
        Assert.StartsWith(
            Invariant($"Host 2 (process {host}) ended with exit code {HostProcessesTests.Killed} before its work was done"),
            result.StatusReason
        );
        Assert.Empty(HostProcessesTests.Hosts(Duration));
        Assert.Equal(0, await WholeProgram.StoresAsync(server));
    }

    [Theory]
    [InlineData("--backend in-memory --hosts 2", "with --hosts choose postgresql, ")]
    [InlineData("--hosts 0", "--hosts is '0'; it must be a whole number from 1 to 64.")]
    [InlineData("--hosts 3 --readers 2", "3 hosts cannot share 2 readers, because each needs one; give 3 or more, or fewer hosts")]
    [InlineData(
        "--hosts 4 --queues 3 --mode pubsub",
        "4 hosts cannot share 20 readers, because each needs one for each of 6 queues; give 24 or more, or fewer hosts"
    )]
    public async Task What_hosts_cannot_do_is_refused_before_anything_starts(string options, string sentence)
    {
        Assert.Equal(ExitCodes.Usage, await Cli.MeasureAsync($"queue --duration 1s {options}"));

        Assert.Contains(sentence, Cli.Error);
        Assert.Empty(Directory.GetFileSystemEntries(Cli.Folder));
    }
}
