using System.Net;
using Serdica.Perf.Cli.Commands.Hosts;
using Serdica.Perf.Cli.Commands.Run;

namespace Serdica.Perf.Cli.Tests;

/// <summary>Load tests and scenarios whose workflows run in host processes on one store.</summary>
public sealed class HostProcessesTests : CliTests
{
    private const int Operations = 80;
    internal const int Killed = 128 + 9;

    [Fact]
    public async Task Hosts_handle_operations_of_one_store_and_the_result_is_verified()
    {
        await using var server = await ServeAsync();

        // With one slot each, a host that is busy leaves activities to the other.
        var exitCode = await Cli.MeasureAsync(
            $"load --users 8 --operations {Operations} --duration 10m --warmup 0s --delay 100ms --slots 2 --failure-rate 50% --hosts 2"
        );

        Assert.True(exitCode == ExitCodes.Success, Cli.Error + Cli.Output);
        var test = LoadResultReader.Read(Cli.RunFolder);
        var step = Assert.Single(test.Steps);
        Assert.Equal((2, Operations, Operations / 2), (test.Hosts, step.Counts.Completed, step.Counts.InjectedFailures));
        Assert.Null(step.Unverified);
        Assert.Empty(step.FailedChecks);
        Assert.Equal([1, 2], step.Hosts.Select(host => host.Number));
        EachItem.Holds(step.Hosts, host =>
        {
            Assert.True(host is { CpuMs: > 0, WorkingSetBytes: > 0, Counters: { Signals: > 0, ActivityAttempts: > 0 } }, $"{host}");
            if (OperatingSystem.IsLinux())
                Assert.True(host.Connections > 0);
        });
        Assert.Equal(2, step.Hosts.Select(host => host.ProcessId).Append(Environment.ProcessId).Distinct().Count() - 1);
        Assert.Equal(Operations, step.Hosts.Sum(host => host.Counters.ActivityAttempts));
        using var summary = Cli.Summary();
        var parameters = Assert.Single(summary.Items("scenarios")).GetProperty("parameters");
        Assert.Equal("2", parameters.GetProperty("options").Text("hosts"));
        Assert.Equal("off", parameters.GetProperty("engine").Text("direct"));
        Assert.Equal(0, await WholeProgram.StoresAsync(server));
    }

    [Fact]
    public async Task Hosts_of_a_run_handle_the_operations_of_a_scenario_and_each_process_is_shown()
    {
        await using var server = await ServeAsync();

        // A host whose only worker is busy leaves signals to the other.
        var exitCode = await Cli.RunAsync([.. Roundtrips(Operations), "--step-delay", "100ms", "--hosts", "2", "--output", Cli.Folder]);

        Assert.True(exitCode == ExitCodes.Success, Cli.Error + Cli.Output);
        Assert.Contains("2 hosts with 1 worker each", Cli.Output);
        var scenario = Assert.Single(BaselineReader.Read(Cli.RunFolder).Scenarios);
        Assert.Equal((Operations, 0), (scenario.Counts.Completed, scenario.Counts.SignalsLeft));
        Assert.NotEmpty(scenario.Verification);
        Assert.Equal(("2", "off"), (scenario.Parameters.Options["hosts"], scenario.Parameters.Engine["direct"]));
        var processes = scenario.Processes!;
        Assert.Equal([1, 2], processes.Hosts.Select(host => host.Number));
        EachItem.Holds(processes.Hosts, host =>
        {
            Assert.True(host is { CpuMs: > 0, WorkingSetBytes: > 0, Counters: { Signals: > 0, Batches: > 0 } }, $"{host}");
            if (OperatingSystem.IsLinux())
                Assert.True(host.Connections > 0);

            // The database is on this machine, so the bounds hold zero between them.
            Assert.InRange(Math.Abs(host.Clock!.AheadMs), 0, host.Clock.UncertaintyMs);
            Assert.Contains($" {host.Clock.Text} ", Cli.Written(RunFolder.DetailsFile));
        });
        Assert.Equal(Operations, processes.Hosts.Sum(host => host.Counters.Signals));
        Assert.Equal(Environment.ProcessId, processes.Generator.ProcessId);
        Assert.Equal(3, processes.Hosts.Select(host => host.ProcessId).Append(processes.Generator.ProcessId).Distinct().Count());
        Assert.True(scenario.DatabaseMetrics[MetricNames.Connections].Value > 0);
        var details = Cli.Written(RunFolder.DetailsFile);
        foreach (var role in (string[])["host 1", "host 2", "generator", "database"])
            Assert.Matches($@"\| {scenario.Name} +\| {role} ", details);
        Assert.Equal(0, await WholeProgram.StoresAsync(server));
    }

    [Fact]
    public async Task Workflows_of_a_host_may_print()
    {
        await using var server = await ServeAsync();
        var assembly = typeof(OtherInTheSecondRun).Assembly.Location;
        var scenario = OtherInTheSecondRun.Printing.Name;

        var exitCode = await Cli.RunAsync("run", "--assembly", assembly, "--scenario", scenario, "--hosts", "1", "--output", Cli.Folder);

        Assert.True(exitCode == ExitCodes.Success, Cli.Error + Cli.Output);
        Assert.Contains("Visited, ", Cli.Written(Path.Combine("hosts", "1.log")));
    }

    [Fact]
    public async Task Numbers_of_hosts_are_set_side_by_side_up_to_one_that_fails()
    {
        await using var server = await ServeAsync();

        var isThird = false;
        Cli.OnLine = line =>
        {
            isThird |= line.StartsWith("The workflows run in 3 ");
            if (!isThird || !line.StartsWith("postgresql-"))
                return;
            Cli.OnLine = _ => { };
            throw new InvalidOperationException("The console has gone.");
        };
        var exitCode = await Cli.RunAsync([.. Roundtrips(200), "--hosts", "1,2,3,4", "--output", Cli.Folder]);

        Assert.True(exitCode == ExitCodes.Failed, Cli.Error + Cli.Output);
        Assert.Contains("This run failed. Runs that were not started: 1.", Cli.Output);
        var report = File.ReadAllText(Assert.Single(Directory.GetFiles(Cli.Folder, RunLadder.HostsFile, SearchOption.AllDirectories)));
        var rows = report.Split('\n').Where(line => line.StartsWith("| postgresql-")).ToArray();
        Assert.Equal(2, rows.Length);
        foreach (var (row, folder) in rows.Zip(Directory.GetDirectories(Cli.Folder).Order(StringComparer.Ordinal)))
        {
            var hosts = Assert.Single(BaselineReader.Read(folder).Scenarios).Processes!.Hosts.Count;
            Assert.Matches($@"^\| \S+ +\| +{hosts} \|.* {Path.GetFileName(folder)} +\|$", row);
        }

        Assert.Contains("The workflows run in 1 host process.", Cli.Output);
        Assert.Contains("The workflows run in 2 host processes.", Cli.Output);
        Assert.Contains("/s with 1 host and ", Cli.Output);
    }

    [Fact]
    public async Task Host_of_a_run_that_is_killed_ends_the_run_which_says_so()
    {
        SkipWithoutProcesses();
        await using var server = await ServeAsync();

        // The delay is the mark by which its processes are found, and long enough for the run not to end by itself.
        const string Delay = "1777ms";
        var run = Cli.RunAsync([.. Roundtrips(Operations), "--step-delay", Delay, "--hosts", "2", "--output", Cli.Folder]);
        await UntilMeasuredAsync(Cli.Folder, () => run.IsCompleted, () => Cli.Error + Cli.Output);

        var host = KillSecond(Delay);
        var exitCode = await run.WaitAsync(HangGuard.Limit, Token);

        Assert.Equal(ExitCodes.Failed, exitCode);
        var result = BaselineReader.Read(Cli.RunFolder);
        Assert.Equal(RunStatus.Aborted, result.Status);
        Assert.StartsWith(
            Invariant($"Host 2 (process {host}) ended with exit code {Killed} before its work was done"),
            result.StatusReason
        );
        Assert.Empty(Hosts(Delay));
        Assert.Equal(0, await WholeProgram.StoresAsync(server));
    }

    [Fact]
    public async Task Host_that_is_killed_ends_the_test_which_says_so()
    {
        SkipWithoutProcesses();
        await using var server = await ServeAsync();
        var profile = Endless(Cli.Folder);
        var run = Cli.RunAsync("load", "--profile", profile, "--hosts", "2", "--output", Cli.Folder);
        await UntilMeasuredAsync(Cli.Folder, () => run.IsCompleted, () => Cli.Error + Cli.Output);

        var host = KillSecond(profile);
        var exitCode = await run.WaitAsync(HangGuard.Limit, Token);

        Assert.Equal(ExitCodes.Failed, exitCode);
        using var summary = Cli.Summary();
        Assert.Equal("aborted", summary.RootElement.Text("status"));
        Assert.StartsWith(
            Invariant($"Host 2 (process {host}) ended with exit code {Killed} before its work was done"),
            summary.RootElement.Text("statusReason")
        );
        Assert.Empty(Hosts(profile));
        Assert.Equal(0, await WholeProgram.StoresAsync(server));
    }

    [Fact]
    public async Task Process_that_has_ended_refuses_a_line_and_is_disposed_in_order()
    {
        var process = new StartedProcess("Host 1", ["--version"], new Dictionary<string, string>());
        await using (process)
        {
            Assert.Equal(ExitCodes.Success, await process.Ended.WaitAsync(HangGuard.Limit, Token));

            var problem = await Assert.ThrowsAsync<WorkflowBackendException>(() => process.TellAsync("status"));

            Assert.StartsWith("Host 1 no longer reads its input: ", problem.Message);
        }
    }

    [Fact]
    public async Task Report_that_is_not_understood_ends_the_measurement()
    {
        var hosts = new HostProcesses(1, ["--version"], await RunLogTests.CreateFolderAsync(Cli));
        await using var store = new NoStore();

        var problem = await Assert.ThrowsAsync<WorkflowBackendException>(() =>
            hosts.WatchAsync(token => hosts.Source.OpenAsync(new([store], line => throw new FormatException()), token), Token)
        );

        Assert.Matches("^Host 1 reported '.+', which is not understood, so the measurement was ended", problem.Message);
    }

    /// <summary>What it is killed for afterwards is not the reason.</summary>
    [Fact]
    public async Task Host_that_does_not_answer_ends_the_measurement_and_is_named()
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();
        string[] arguments = ["queue", "--backend", "postgresql", "--readers", "1", "--duration", "1s"];
        var hosts = new HostProcesses(1, arguments, await RunLogTests.CreateFolderAsync(Cli), FromSeconds(5));
        await using var store = new NoStore(Invariant($"Host=127.0.0.1;Port={((IPEndPoint)silent.LocalEndpoint).Port};Timeout=0"));

        var problem = await Assert.ThrowsAsync<WorkflowBackendException>(() =>
            hosts
                .WatchAsync(
                    async token =>
                    {
                        await using var group = await hosts.Source.OpenAsync(new([store]), token);

                        // The sampling of a measurement counts errors and goes on.
                        await Assert.ThrowsAsync<WorkflowBackendException>(() => group.StartAsync(token));
                        await Task.Delay(Timeout.Infinite, token);
                    },
                    Token
                )
                .InTime()
        );

        Assert.StartsWith("Host 1 has not answered for 5 s, so the measurement was ended", problem.Message);
    }

    [Theory]
    [InlineData("TERM")]
    [InlineData("KILL")]
    public async Task Hosts_end_with_the_process_that_started_them(string signal)
    {
        SkipWithoutProcesses();
        await using var server = await LocalServer.StartOrSkipAsync();
        var profile = Endless(Cli.Folder);
        using var whole = WholeProgram.Start(server, "load", "--profile", profile, "--hosts", "2", "--output", Cli.Folder);
        var output = whole.StandardOutput.ReadToEndAsync(Token);
        try
        {
            await UntilMeasuredAsync(Cli.Folder, () => whole.HasExited, () => "It ended before its load had started.");
            Assert.Equal([1, 2], Hosts(profile).Select(host => host.Number).Order());

            await whole.SignalAsync(signal);
            await whole.WaitForExitAsync(Token).WaitAsync(HangGuard.Limit, Token);

            await HangGuard.UntilAsync(() => Hosts(profile).Count == 0, () => "A host goes on without the process that started it.");
        }
        finally
        {
            whole.Kill(entireProcessTree: true);
        }

        await output;
    }

    [Theory]
    [InlineData("--backend in-memory --hosts 2", "with --hosts choose postgresql, ")]
    [InlineData("--hosts 0", "--hosts is '0'; it must be a whole number from 1 to 64.")]
    [InlineData("--hosts 1000", "--hosts is '1000'; it must be a whole number from 1 to 64.")]
    [InlineData("--hosts 2 --generators 2", "leave --generators or --hosts out")]
    [InlineData("--hosts 3 --slots 2", "3 hosts cannot share 2 slots")]
    [InlineData("--hosts 2 --engine direct=on", "leave 'direct=on' or --hosts out")]
    [InlineData("--hosts 2 --workflow child-fan-out", "so it cannot run in host processes; use ")]
    [InlineData("--hosts 2 --workflow immediate-burst-smoke", "so it cannot run in host processes; use ")]
    public async Task What_hosts_cannot_do_is_refused_before_anything_starts(string options, string sentence)
    {
        var exitCode = await Cli.RunAsync(["load", "--users", "4", "--duration", "1s", .. options.Split(' '), "--output", Cli.Folder]);

        Assert.Equal(ExitCodes.Usage, exitCode);
        Assert.Contains(sentence, Cli.Error);
        Assert.Empty(Directory.GetFileSystemEntries(Cli.Folder));
    }

    [Fact]
    public async Task Plan_names_the_hosts()
    {
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("load", "--users", "4", "--duration", "1s", "--hosts", "3", "--dry-run"));
        Assert.Contains("3 hosts with 2 workers each", Cli.Output);
    }

    [Fact]
    public async Task Plan_of_a_run_names_each_number_of_hosts()
    {
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync([.. Roundtrips(Operations), "--hosts", "1,3", "--dry-run"]));

        Assert.Contains("1 host with 1 worker,", Cli.Output);
        Assert.Contains("3 hosts with 1 worker each,", Cli.Output);
    }

    /// <summary>A run in which each host has one worker, which claims one signal at a time.</summary>
    private static string[] Roundtrips(int operations) =>
        (
            "run --scenario postgresql-signal-roundtrip-throughput-parallel --load closed "
            + $"--operations {operations} --warmup 0 --workers 1 --engine claim-batch=1"
        ).Split(' ');

    /// <summary>A load without an end; its file is the mark by which its processes are found.</summary>
    private static string Endless(string folder)
    {
        var file = Path.Combine(folder, "endless.yml");
        File.WriteAllText(file, "name: endless\nwarmUp: 0s\nsteps:\n  - { name: on, users: 4, duration: 1h }\n");
        return file;
    }

    internal static void SkipWithoutProcesses() =>
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux lists the processes of the hosts in '/proc'.");

    /// <summary>Kills the second host of a test, and answers with the id of its process.</summary>
    internal static int KillSecond(string profile)
    {
        var host = Assert.Single(Hosts(profile), process => process.Number == 2).Id;
        using var process = Process.GetProcessById(host);
        process.Kill();
        return host;
    }

    /// <summary>The host processes of a test that are alive.</summary>
    internal static List<(int Number, int Id)> Hosts(string profile)
    {
        var hosts = new List<(int, int)>();
        foreach (var folder in Directory.EnumerateDirectories("/proc"))
        {
            try
            {
                var arguments = File.ReadAllText(Path.Combine(folder, "cmdline")).Split('\0');
                if (int.TryParse(Path.GetFileName(folder), out var id) && arguments.Contains(profile) && arguments.Contains("--host"))
                    hosts.Add((int.Parse(arguments[Array.IndexOf(arguments, "--host") + 1], CultureInfo.InvariantCulture), id));
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                // It has ended meanwhile.
            }
        }

        return hosts;
    }

    internal static Task UntilMeasuredAsync(string folder, Func<bool> hasEnded, Func<string> otherwise) =>
        HangGuard.UntilAsync(
            () =>
            {
                Assert.False(hasEnded(), otherwise());
                return Directory
                    .EnumerateFiles(folder, "samples.ndjson", SearchOption.AllDirectories)
                    .Any(file => new FileInfo(file).Length > 0);
            },
            otherwise
        );

    /// <summary>The host that gets it ends before it looks for it.</summary>
    private sealed class NoStore(string connectionString = "Host=none") : ISharedStore
    {
        public string Name => "none";

        public string ConnectionString => connectionString;

        public string Backend => BackendNames.PostgreSql;

        public IBackendStatistics? Statistics => null;

        public IWorkflowBackend Connect() => throw new NotSupportedException();

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
