using System.CommandLine;

namespace Serdica.Perf.Cli.Tests;

public sealed class UsageTests
{
    /// <summary>Options that the suite passes to its own processes are in no help text.</summary>
    [Fact]
    public async Task Options_that_help_does_not_show_are_not_offered()
    {
        using var cli = new Cli();

        Assert.Equal(ExitCodes.Usage, await cli.RunAsync("run", "--foo"));

        Assert.StartsWith("There is no option '--foo'; 'run' has --", cli.Error, Ordinal);
        Assert.DoesNotContain("--host-store", cli.Error, Ordinal);
    }

    [Theory]
    [InlineData(
        "run --backend oracle",
        "There is no backend 'oracle'; there are postgresql, citus, mongodb, documentdb, oracle-aq, oracle-aq-reference, in-memory."
            + " Did you mean 'oracle-aq'?"
    )]
    [InlineData(
        "run --backend in-memory,postgres",
        "There is no backend 'postgres'; there are postgresql, citus, mongodb, documentdb, oracle-aq, oracle-aq-reference, in-memory."
            + " Did you mean 'postgresql'?"
    )]
    [InlineData(
        "doctor --backend mysql",
        "There is no backend 'mysql'; there are postgresql, citus, mongodb, documentdb, oracle-aq, oracle-aq-reference, in-memory."
    )]
    [InlineData("queue --throttle 0", "--throttle is '0'; it must be a number per second above 0.")]
    [InlineData(
        "load --rate 10 --users 2.5",
        "--users is '2.5'; it must be a whole number from 1 to 1,000,000, or two such as 5..20, of which the second is not the smaller one."
    )]
    [InlineData("size", "'size' needs RUN; 'serdica-perf size --help' shows how.")]
    [InlineData("size x --target 9 --cores 0", "--cores is '0'; it must be a whole number from 1 to 100,000.")]
    [InlineData("size x --cores 4", "--cores describes the machines of an extrapolation; add --target, or leave --cores out.")]
    [InlineData("size x --target Infinity", "--target is 'Infinity'; it must be a number per second above 0.")]
    [InlineData("faults", "'faults' needs --plan; 'serdica-perf faults --help' shows how.")]
    [InlineData("faults --plan", "'faults' needs a value for --plan; 'serdica-perf faults --help' shows how.")]
    [InlineData("compare", "'compare' needs BASE and CANDIDATE; 'serdica-perf compare --help' shows how.")]
    [InlineData("baseline publish", "'publish' needs RUN; 'serdica-perf baseline publish --help' shows how.")]
    [InlineData("load --rate 10 --duration 0s", "--duration is 0, so nothing would be measured; it must be longer than 0s.")]
    [InlineData("load --users 4 --operations 0", "--operations is 0, so nothing would be measured; it must be 1 or more.")]
    [InlineData("load --find-max --rate 100", "--find-max finds the rate by itself; leave --rate out.")]
    [InlineData("load --rate 100 --confirm 5s", "--confirm belongs to --find-max; add --find-max, or leave --confirm out.")]
    [InlineData("load --find-max --ramp 100", "--find-max finds the rate by itself; leave --ramp out.")]
    [InlineData("run --tier weekly", "There is no tier 'weekly'; there are latency, throughput, smoke, capacity, nightly, soak, all.")]
    [InlineData("run --operations abc", "--operations is 'abc'; it must be a whole number from 1 to 100,000,000.")]
    [InlineData("run --concurrency 1,16", "--concurrency is '1,16'; it must be a whole number from 1 to 100,000, without commas.")]
    [InlineData("load --rate 10 --hosts 2,4", "--hosts is '2,4'; it must be a whole number from 1 to 64, without commas.")]
    [InlineData("run --concurrency 0", "--concurrency is '0'; it must be a whole number from 1 to 100,000.")]
    [InlineData("run --load open", "--load is 'open'; it must be one of serial, wave, closed.")]
    [InlineData(
        "run --engine frob=1",
        "The engine has no setting 'frob' that a run may change; the settings are claim-batch, linger, submit-batch, submit-concurrency, "
            + "max-pending, max-poll, max-activities, direct."
    )]
    [InlineData(
        "run --scenario full-host --engine max-activities=64",
        "The scenario 'full-host' sets itself how many activities run at the same time, and its checks count on that number; leave "
            + "max-activities=64 out (in a load test --slots), or choose another scenario."
    )]
    [InlineData(
        "worker --scenario child-fan-out --engine max-activities=64",
        "The scenario 'child-fan-out' sets itself how many activities run at the same time, and its checks count on that number; leave "
            + "max-activities=64 out (in a load test --slots), or choose another scenario."
    )]
    [InlineData(
        "load --rate 10 --workflow child-fan-out --slots 64",
        "The scenario 'child-fan-out' sets itself how many activities run at the same time, and its checks count on that number; leave "
            + "max-activities=64 out (in a load test --slots), or choose another scenario."
    )]
    [InlineData(
        "load --rate 10 --engine max-activities=64",
        "The engine's setting max-activities is 64; a load test has slots for activities instead. Use --slots, or 'slots' in a profile: "
            + "the number for all hosts."
    )]
    [InlineData(
        "load --rate 10 --slots 2000000",
        "The engine's setting max-activities is '2000000'; it must be a whole number from 1 to 1,000,000."
    )]
    [InlineData("load --engine claim-batch=0", "The engine's setting claim-batch is '0'; it must be a whole number from 1 to 1,000,000.")]
    [InlineData("queue --engine linger=1ms", "--linger sets how long readers of a queue linger; leave linger out of --engine.")]
    [InlineData("run --source cloud", "--source is 'cloud'; it must be one of external, containers, local.")]
    [InlineData(
        "run --db-cpus 0",
        "--db-cpus is '0'; it must be a number from 0.01 to 1024, for instance 1.5, or several comma-separated, each higher than the one "
            + "before."
    )]
    [InlineData(
        "run --db-cpus 2,1",
        "--db-cpus is '2,1'; it must be a number from 0.01 to 1024, for instance 1.5, or several comma-separated, each higher than the "
            + "one before."
    )]
    [InlineData(
        "run --db-cpus 1,2 --json",
        "Several sizes of the server make several runs, and --gate and --json take one; leave them out, or name one size in "
            + "--db-cpus."
    )]
    [InlineData(
        "run --db-cpus 1,2 --keep-database",
        "Servers of several sizes would run at the same time and disturb each other; leave --keep-database out, or name one size in "
            + "--db-cpus."
    )]
    [InlineData(
        "run --db-cpus 1 --source external",
        "--db-cpus is for databases in containers and local ones, and --source is external; leave one of them out."
    )]
    [InlineData(
        "run --hosts 0",
        "--hosts is '0'; it must be a whole number from 1 to 64, or several comma-separated, each higher than the one before: for "
            + "instance 1,2,4,8."
    )]
    [InlineData(
        "run --hosts 4,2",
        "--hosts is '4,2'; it must be a whole number from 1 to 64, or several comma-separated, each higher than the one before: for "
            + "instance 1,2,4,8."
    )]
    [InlineData(
        "run --tier throughput --hosts 1,2 --json",
        "Several numbers of hosts make several runs, and --gate and --json take one; leave them out, or name one number in --hosts."
    )]
    [InlineData(
        "run --tier throughput --hosts 1,2 --db-cpus 1,2",
        "A ladder varies one thing, and --db-cpus and --hosts both have several values; give several values to only one of them."
    )]
    [InlineData(
        "run --tier throughput --backend postgresql,in-memory --hosts 2",
        "The store of 'in-memory' is in the memory of one process, so no other process can run its workflows; with --hosts choose "
            + "postgresql, citus, mongodb, documentdb, oracle-aq, oracle-aq-reference."
    )]
    [InlineData(
        "run --tier throughput --hosts 2 --engine direct=on",
        "Signals are decided directly only in a process with a host, and with --hosts the generator has none; leave 'direct=on' or "
            + "--hosts out."
    )]
    [InlineData(
        "run --scenario full-host --hosts 2",
        "The scenario 'full-host' prepares its operations in the measuring process or has no workflow, so it cannot run in host "
            + "processes; leave it or --hosts out, or choose a signal round trip, large-state or workflows of your own."
    )]
    [InlineData(
        "run --hosts 2",
        "The scenario 'immediate-burst-smoke' prepares its operations in the measuring process or has no workflow, so it cannot run in "
            + "host processes; leave it or --hosts out, or choose a signal round trip, large-state or workflows of your own."
    )]
    [InlineData(
        "run --db-memory 4096",
        "--db-memory is '4096'; it must be a whole number with m or g, 64m or more: for instance 512m or 4g."
    )]
    [InlineData("run --db-memory 8m", "--db-memory is '8m'; it must be a whole number with m or g, 64m or more: for instance 512m or 4g.")]
    [InlineData(
        "run --db-memory 1g --source local",
        "--db-memory is for databases in containers, and --source is local; leave one of them out."
    )]
    [InlineData(
        "run --keep-database --source external",
        "--keep-database is for databases in containers, and --source is external; leave one of them out."
    )]
    [InlineData(
        "",
        "A command is missing; there are quick, list, doctor, run, load, queue, size, baseline, compare, ab, floor, backends, history, "
            + "trend, report, serve, init, worker, dead-letters, leftovers, faults, check-history."
    )]
    [InlineData("run --scenario ,", "--scenario has no value; give a name, or leave --scenario out.")]
    [InlineData("compare a b --history no.ndjson", "There is no history 'no.ndjson'; 'serdica-perf history add RUN' creates one.")]
    [InlineData("dead-letters requeue", "Name the dead letters: give ids as 'dead-letters list' prints them, or --all.")]
    [InlineData("dead-letters requeue xyz", "'xyz' is not the id of a dead letter; 'dead-letters list' prints them.")]
    [InlineData(
        "dead-letters list --backend in-memory",
        "There is no backend 'in-memory' that keeps dead letters; "
            + "there are postgresql, citus, mongodb, documentdb, oracle-aq, oracle-aq-reference."
    )]
    public Task What_is_not_understood_is_answered_with_one_sentence_and_exit_code_2(string line, string sentence) =>
        Cli.RefusesAsync(line, sentence);

    [Theory]
    [InlineData("run --scenario frob", "immediate-burst-smoke")]
    [InlineData("run --frob", "--concurrency")]
    [InlineData("frob", "doctor")]
    public async Task An_unknown_name_lists_the_known_ones(string line, string known)
    {
        using var cli = new Cli();

        var exitCode = await cli.TypeAsync(line);

        Assert.Equal(ExitCodes.Usage, exitCode);
        Assert.Contains("frob", cli.Error, Ordinal);
        Assert.Contains(known, cli.Error, Ordinal);
        Assert.Single(cli.Error.TrimEnd().Split('\n'));
    }

    [Theory]
    [InlineData("dotcor", "doctor")]
    [InlineData("run --bakend x", "--backend")]
    [InlineData("run --scenario signal-roundtrip-latency-seriall", "signal-roundtrip-latency-serial")]
    [InlineData("run --scenario postgresql-imediate-burst-smoke", "immediate-burst-smoke")]
    [InlineData("run --tier nighly", "nightly")]
    [InlineData("load --rate 10 --mix start-onyl=1", "start-only")]
    [InlineData("load --rate 10 --threshold responsTime:p99<5ms", "responseTime")]
    [InlineData("load --rate 10 --threshold troughput>=990", "throughput")]
    [InlineData("dead-letters list --backend postgres", "postgresql")]
    [InlineData("dead-letters requeue --all --backend mongdb", "mongodb")]
    [InlineData("leftovers --backend documentb", "documentdb")]
    public async Task A_misspelt_name_is_answered_with_the_one_that_was_meant(string line, string meant)
    {
        using var cli = new Cli();

        var exitCode = await cli.TypeAsync(line);

        Assert.Equal(ExitCodes.Usage, exitCode);
        Assert.EndsWith($" Did you mean '{meant}'?{Environment.NewLine}", cli.Error, Ordinal);
    }

    [Theory]
    [InlineData("frob --help")]
    [InlineData("frob -h")]
    [InlineData("run frob --help")]
    public async Task Help_of_a_command_that_does_not_exist_is_refused(string line)
    {
        using var cli = new Cli();

        var exitCode = await cli.TypeAsync(line);

        Assert.Equal(ExitCodes.Usage, exitCode);
        Assert.StartsWith("'frob' is unknown; ", cli.Error, Ordinal);
        Assert.Empty(cli.Output);
    }

    [Theory]
    [InlineData("run --backend in-memory --scenario immediate-burst-smoke --operations 7 --dry-run --json", "operations")]
    [InlineData("load --backend in-memory --rate 10 --dry-run --json", "steps")]
    public async Task A_dry_run_with_json_prints_json_alone(string line, string property)
    {
        using var cli = new Cli();

        Assert.Equal(ExitCodes.Success, await cli.TypeAsync(line));

        using var plan = JsonDocument.Parse(cli.Output);
        Assert.Contains($"\"{property}\"", plan.RootElement.GetRawText(), Ordinal);
        Assert.Empty(cli.Error);
    }

    /// <summary>What the shells' scripts in docs/command-line.md ask for.</summary>
    [Theory]
    [InlineData("serdica-perf qu", "quick")]
    [InlineData("serdica-perf run --ba", "--backend")]
    [InlineData("serdica-perf run --backend pos", "postgresql")]
    [InlineData("serdica-perf run --scenario immediate-burst-s", "immediate-burst-smoke")]
    [InlineData("serdica-perf quick --backend docu", "documentdb")]
    public async Task A_line_is_completed(string line, string completion)
    {
        using var cli = new Cli();

        Assert.Equal(ExitCodes.Success, await cli.RunAsync($"[suggest:{line.Length}]", line));

        Assert.Contains(completion, cli.Output.Split(Environment.NewLine));
    }

    [Fact]
    public async Task A_new_project_says_how_to_enter_it_and_where_its_packages_come_from()
    {
        using var cli = new Cli();
        var folder = Path.Combine(cli.Folder, "two words");

        Assert.Equal(ExitCodes.Success, await cli.RunAsync("init", folder));

        Assert.Contains($"cd \"{folder}\"", cli.Output, Ordinal);
        Assert.Contains("name that folder in --packages.", cli.Output, Ordinal);

        var taken = Path.Combine(cli.Folder, "event");
        Assert.Equal(ExitCodes.Success, await cli.RunAsync("init", taken));
        Assert.Contains("namespace event_;", await File.ReadAllTextAsync(Path.Combine(taken, "OrderWorkflow.cs"), Token));
    }

    [Fact]
    public async Task A_project_that_cannot_be_written_is_answered_with_what_to_do()
    {
        using var cli = new Cli();
        var file = Path.Combine(cli.Folder, "file");
        await File.WriteAllTextAsync(file, "", Token);
        var folder = Path.Combine(file, "orders");

        Assert.Equal(ExitCodes.Failed, await cli.RunAsync("init", folder));

        Assert.StartsWith($"The project cannot be written into '{folder}' (", cli.Error, Ordinal);
        Assert.EndsWith($"): name a folder in a place where you may write.{Environment.NewLine}", cli.Error, Ordinal);
        Assert.Single(cli.Error.TrimEnd().Split('\n'));
        Assert.Empty(cli.Output);
    }

    [Fact]
    public void Command_that_was_typed_can_be_typed_again()
    {
        var parsed = new RootCommand().Parse(["p99<80ms", "50%", ""]);

        Assert.Equal("serdica-perf \"p99<80ms\" 50% \"\"", CommandText.Of(parsed));
    }

    [Fact]
    public void A_misspelt_name_of_what_is_required_is_answered_with_the_one_that_was_meant()
    {
        var environment = new DatabaseEnvironment(_ => "postgres");

        var error = Assert.Throws<InvalidOperationException>(() => environment.IsRequired("mongodb", ClosestName.Question));

        Assert.EndsWith(" or unset it. Did you mean 'postgresql'?", error.Message, Ordinal);
    }
}
