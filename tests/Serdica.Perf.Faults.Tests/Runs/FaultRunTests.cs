using Serdica.Perf.Databases.Tests.Containers;
using Serdica.Perf.Faults.Hosts;
using Serdica.Perf.Faults.Runs;
using Serdica.Perf.Faults.Tests.Actuators;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Faults.Tests.Runs;

/// <summary>Short runs with processes of their own on a real server.</summary>
public sealed class FaultRunTests : FolderTests
{
    private const int Seed = 1;

    /// <summary>The proof needs no more load, and other tests run beside it.</summary>
    private static readonly TimeSpan ThinkTime = FromMilliseconds(750);

    [Fact]
    public async Task Others_take_over_from_a_host_that_is_killed()
    {
        var result = await ProvenAsync(Plan("kill-worker"));

        Assert.NotEqual(0, result.DirectSignals);
        EachItem.Holds(result.Faults, fault => Assert.StartsWith("process ", fault.Evidence));
        EachItem.Holds(result.Faults, fault => Assert.NotNull(fault.P99During));
    }

    [Fact]
    public async Task Nothing_is_lost_with_a_server_that_dies_when_signals_wait_in_the_inbox()
    {
        var plan = Plan("restart-database") with
        {
            Engine = new Dictionary<string, string> { [ScenarioParameters.DirectSetting] = "off" },
        };

        var result = await ProvenAsync(plan);

        Assert.Equal(0, result.DirectSignals);
        EachItem.Holds(result.Faults, fault => Assert.NotNull(fault.P99After));
    }

    [Fact]
    public async Task Nothing_is_lost_with_nodes_of_a_cluster_that_die()
    {
        var plan = BuiltInPlans.Make("restart-database", BackendNames.Citus, Seed, FromMinutes(1), 2);

        var result = await ProvenAsync(plan.With([.. plan.Faults.Take(3)]));

        Assert.Equal(["worker 1", "worker 2", "coordinator"], result.Faults.Select(fault => fault.Evidence.Split(':')[0]));
    }

    [Fact]
    public async Task Nothing_is_lost_with_a_container_that_is_killed_stopped_restarted_and_paused()
    {
        using var place = new ScratchFolder();
        await using var server = await ContainerActuatorTests.StartAsync(ProcessEngine.OrSkip(place.Path));
        var plan = BuiltInPlans.Make("restart-database", BackendNames.PostgreSql, Seed, FromMinutes(1), 2, container: true);

        var result = await ProvenAsync(plan.With([.. plan.Faults.Take(4)]), server);

        Assert.Equal(4, result.Faults.Select(fault => fault.Kind).Distinct().Count());
        Assert.Contains(result.Faults, fault => fault.Evidence.Contains(", ended with code 137, "));
        var log = await server.Container.ReadLogAsync(Token);
        EachItem.Holds(["immediate", "fast"], how => Assert.Contains($"received {how} shutdown request", log));
    }

    [Fact]
    public async Task Container_that_others_may_use_is_not_struck()
    {
        using var place = new ScratchFolder();
        var engine = ProcessEngine.OrSkip(place.Path);
        await using var server = await ContainerActuatorTests.StartAsync(engine, keep: true);

        var refusal = Record.Exception(() => Run(Plan("restart-database"), server, _ => { }));

        await engine.RemoveAsync(server.Container.Id, engine.Plans[0].Labels, Token);
        Assert.Contains("is not of this run alone", Assert.IsType<ArgumentException>(refusal).Message);
    }

    [Fact]
    public async Task Nothing_is_lost_on_a_full_disk_or_by_a_wrong_clock()
    {
        FaultKind[] kinds = [FaultKind.FillDisk, FaultKind.SkewClock];
        var everything = BuiltInPlans.Make("everything", BackendNames.PostgreSql, Seed, FromMinutes(10), 2);

        var result = await ProvenAsync(everything.With([.. kinds.Select(kind => everything.Faults.First(fault => fault.Kind == kind))]));

        Assert.EndsWith("of the server ended, because it could not write its log", result.Faults[0].Evidence);
        Assert.EndsWith("was 10 min ahead, then 10 min behind", result.Faults[1].Evidence);
    }

    [Theory]
    [InlineData(BackendNames.PostgreSql)]
    [InlineData(BackendNames.DocumentDb)]
    public async Task Nothing_is_lost_while_the_schema_changes(string backend)
    {
        var result = await ProvenAsync(BuiltInPlans.Make("schema-change", backend, Seed, FromSeconds(18), 2));

        Assert.Matches(" had (a new column and )?[0-9]+ new indexes, one after the other$", Assert.Single(result.Faults).Evidence);
    }

    [Fact]
    public async Task Nothing_is_lost_while_the_volume_of_the_tables_is_full()
    {
        var result = await ProvenAsync(Plan("volume-full"));

        var evidence = Assert.Single(result.Faults).Evidence;
        Assert.EndsWith(" writes, because the volume of the tables was full", evidence);
    }

    [Fact]
    public async Task Nothing_is_lost_while_hosts_have_different_versions_of_the_definition()
    {
        var result = await ProvenAsync(BuiltInPlans.Make("upgrade", BackendNames.PostgreSql, Seed, FromSeconds(25), 2));

        Assert.InRange(Assert.Single(result.Faults).EvidenceValue, 1, double.MaxValue);
    }

    [Fact]
    public async Task Host_that_ended_before_its_fault_is_no_evidence_of_it()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        var plan = Plan("kill-worker");
        var target = plan.Faults[0].Target;

        // The first line that it prints is that of the fault.
        var run = Run(plan, server, _ => KillHost(target));

        var failure = await Assert.ThrowsAsync<FaultRunException>(() => run.RunAsync(Token));
        Assert.Matches(
            $"^The process [0-9]+ of {target} ended by itself with code 137; its log is {Root.Path}/hosts/{target}.log.$",
            failure.Message
        );
        Assert.Empty(Hosts());
    }

    [Fact]
    public async Task Nothing_runs_after_a_run_that_was_stopped()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(Token);
        var plan = BuiltInPlans.Make("zombie", BackendNames.PostgreSql, Seed, FromSeconds(20), 2);

        // The first line that it prints is that of the fault.
        var run = Run(plan, server, _ => stop.CancelAfter(FromMilliseconds(200)));

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => run.RunAsync(stop.Token));
        Assert.Empty(Hosts());
    }

    private static FaultPlan Plan(string name) => BuiltInPlans.Make(name, BackendNames.PostgreSql, Seed, FromSeconds(18), 2);

    private async Task<FaultResult> ProvenAsync(FaultPlan plan)
    {
        await using var server = await LocalServer.StartOrSkipAsync(backend: plan.Backend);
        return await ProvenAsync(plan, server);
    }

    private async Task<FaultResult> ProvenAsync(FaultPlan plan, DatabaseServer server)
    {
        var (result, report) = await RunOrSkipAsync(Run(plan, server, Console.WriteLine));
        Assert.True(result.Verdict == InvariantVerdict.Held, Written.By(text => CheckReportText.Write(text, report)));
        Assert.True(File.Exists(Root.Below(FaultResult.FileName)));

        // What is promised of gauges is what is measured.
        var gauges = OwnLines().Where(line => line.Kind == HistoryKind.Gauge);
        Assert.Equal(["connections"], gauges.Select(line => line.Name).Distinct());
        Assert.StartsWith("The number of database connections is back ", result.Invariants[14].Promise);
        AssertHeldToTheRules(plan);
        return result;
    }

    /// <summary>The checker knows a run by its history alone, and skips or softens what the history leaves out.</summary>
    private void AssertHeldToTheRules(FaultPlan plan)
    {
        var limits = Assert.Single(OwnLines(), line => line.Kind == HistoryKind.Limits).Limits!;
        var signals = HostOptions.With(plan.Engine).SignalRetry.MaxAttempts;

        Assert.Equal((signals, 10, 0.5), (limits.SignalAttempts, limits.ActivityAttempts, limits.GaugeBand));
        Assert.Equal(FromMinutes(2), FromMicroseconds(limits.Window));
        FaultKind[] othersGoOn =
        [
            FaultKind.KillHost,
            FaultKind.TerminateHost,
            FaultKind.PauseHost,
            FaultKind.SkewClock,
            FaultKind.UpgradeHost,
            FaultKind.ChangeSchema,
        ];
        Assert.Equal(
            plan.Faults.Select(fault => othersGoOn.Contains(fault.Kind) ? (bool?)null : true),
            OwnLines().Where(line => line is { Kind: HistoryKind.Fault, Phase: HistoryPhase.Began }).Select(line => line.Stops)
        );
    }

    /// <summary>The history as this process has written it.</summary>
    private List<HistoryRecord> OwnLines() => KeptHistory.Read(Root.Below("history"), "run");

    private static async Task<(FaultResult Result, CheckReport Report)> RunOrSkipAsync(FaultRun run)
    {
        try
        {
            return await run.RunAsync(Token);
        }
        catch (FaultImpossibleException e)
        {
            Assert.Skip(e.Message);
            throw;
        }
    }

    private FaultRun Run(FaultPlan plan, DatabaseServer server, Action<string> progress) =>
        new(plan with { ThinkTime = ThinkTime }, server, Root.Path, progress);

    private void KillHost(string name)
    {
        foreach (var host in Hosts().Where(host => CommandLine(host).Contains($"\"{name}\"")))
        {
            using var process = Process.GetProcessById(int.Parse(Path.GetFileName(host), CultureInfo.InvariantCulture));
            process.Kill();
            process.WaitForExit();
        }
    }

    /// <summary>The folders of all processes that have the folder of this run among their arguments: its hosts.</summary>
    private List<string> Hosts() => [.. Directory.EnumerateDirectories("/proc").Where(process => CommandLine(process).Contains(Root.Path))];

    /// <summary>Empty for a process that has ended, or that may not be read.</summary>
    private static string CommandLine(string process)
    {
        try
        {
            return File.ReadAllText(Path.Combine(process, "cmdline"));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }
}
