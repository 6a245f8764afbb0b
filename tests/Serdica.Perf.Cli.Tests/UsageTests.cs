namespace Serdica.Perf.Cli.Tests;

public sealed class UsageTests : CliTests
{
    /// <summary>Options that the suite passes to its own processes are in no help text.</summary>
    [Fact]
    public async Task Options_that_help_does_not_show_are_not_offered()
    {
        Assert.Equal(ExitCodes.Usage, await Cli.TypeAsync("run --foo"));

        Assert.StartsWith("There is no option '--foo'; 'run' has --", Cli.Error);
        Assert.DoesNotContain("--host-store", Cli.Error);
    }

    /// <summary>Lines of commands, each followed by the sentence that answers it.</summary>
    public static IEnumerable<TheoryDataRow<string, string>> Mistakes =>
        File.ReadAllLines(Path.Combine(AppContext.BaseDirectory, "mistakes.txt"))
            .Chunk(2)
            .Select(pair => new TheoryDataRow<string, string>(pair[0], pair[1]));

    [Theory]
    [MemberData(nameof(Mistakes))]
    public async Task What_is_not_understood_is_answered_with_one_sentence_and_exit_code_2(string line, string sentence)
    {
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync(line.Split(' ', RemoveEmptyEntries)));
        Assert.Equal(sentence + Environment.NewLine, Cli.Error);
        Assert.Empty(Cli.Output);
    }

    /// <summary>So a variable of the shell that is not set arrives.</summary>
    [Theory]
    [InlineData("--output", "run", "--backend", "in-memory", "--output", "")]
    [InlineData("--gate", "run", "--gate", "")]
    [InlineData("--assembly", "worker", "--assembly", "")]
    [InlineData("--markdown", "compare", "a", "b", "--markdown", "")]
    [InlineData("DIR", "init", "")]
    [InlineData("RUN", "size", "a", "")]
    public async Task Empty_text_is_no_value(string name, params string[] args)
    {
        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync(args));
        Assert.Equal($"{name} is empty; 'serdica-perf {args[0]} --help' shows what it takes.{Environment.NewLine}", Cli.Error);
    }

    [Theory]
    [InlineData("run --scenario frob", "immediate-burst-smoke")]
    [InlineData("run --frob", "--concurrency")]
    [InlineData("frob", "doctor")]
    public async Task An_unknown_name_lists_the_known_ones(string line, string known)
    {
        var exitCode = await Cli.TypeAsync(line);

        Assert.Equal(ExitCodes.Usage, exitCode);
        Assert.Contains("frob", Cli.Error);
        Assert.Contains(known, Cli.Error);
        Assert.Single(Cli.Error.TrimEnd().Split('\n'));
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
        var exitCode = await Cli.TypeAsync(line);

        Assert.Equal(ExitCodes.Usage, exitCode);
        Assert.EndsWith($" Did you mean '{meant}'?{Environment.NewLine}", Cli.Error);
    }

    [Theory]
    [InlineData("frob --help")]
    [InlineData("frob -h")]
    [InlineData("run frob --help")]
    public async Task Help_of_a_command_that_does_not_exist_is_refused(string line)
    {
        var exitCode = await Cli.TypeAsync(line);

        Assert.Equal(ExitCodes.Usage, exitCode);
        Assert.StartsWith("'frob' is unknown; ", Cli.Error);
        Assert.Empty(Cli.Output);
    }

    [Theory]
    [InlineData("run --backend in-memory --scenario immediate-burst-smoke --operations 7 --dry-run --json", "operations")]
    [InlineData("load --backend in-memory --rate 10 --dry-run --json", "steps")]
    public async Task A_dry_run_with_json_prints_json_alone(string line, string property)
    {
        Assert.Equal(ExitCodes.Success, await Cli.TypeAsync(line));

        using var plan = JsonDocument.Parse(Cli.Output);
        Assert.Contains($"\"{property}\"", plan.RootElement.GetRawText());
        Assert.Empty(Cli.Error);
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
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync($"[suggest:{line.Length}]", line));

        Assert.Contains(completion, Cli.Output.Split(Environment.NewLine));
    }

    [Fact]
    public async Task A_new_project_says_how_to_enter_it_and_where_its_packages_come_from()
    {
        var folder = Path.Combine(Cli.Folder, "two words");

        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("init", folder));

        Assert.Contains($"cd \"{folder}\"", Cli.Output);
        Assert.Contains("name that folder in --packages.", Cli.Output);

        var taken = Path.Combine(Cli.Folder, "event");
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("init", taken));
        Assert.Contains("namespace event_;", await File.ReadAllTextAsync(Path.Combine(taken, "OrderWorkflow.cs"), Token));
    }

    [Fact]
    public async Task A_project_that_cannot_be_written_is_answered_with_what_to_do()
    {
        var file = Path.Combine(Cli.Folder, "file");
        await File.WriteAllTextAsync(file, "", Token);
        var folder = Path.Combine(file, "orders");

        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("init", folder));

        Assert.StartsWith($"The project cannot be written into '{folder}' (", Cli.Error);
        Assert.EndsWith($"): name a folder in a place where you may write.{Environment.NewLine}", Cli.Error);
        Assert.Single(Cli.Error.TrimEnd().Split('\n'));
        Assert.Empty(Cli.Output);
    }

    [Fact]
    public async Task A_current_folder_that_was_removed_is_answered_with_a_sentence()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "It is a shell script.");

        var ended = await WholeProgram.ShellAsync("cd `mktemp -d` && rmdir $PWD && exec \"$@\"", "list");

        Assert.Equal((2, "", "The current folder is no longer there; change to another one.\n"), ended);
    }

    [Fact]
    public void Two_scenarios_with_one_name_are_refused()
    {
        var error = Assert.Throws<UsageException>(() => ScenarioAssembly.Of([typeof(OtherInTheSecondRun), typeof(Twin)], "own.dll"));

        Assert.Equal(
            "'own.dll' has more than one scenario with the name 'wrong-beyond-three'; give each a name of its own.",
            error.Message
        );
    }

    [Fact]
    public void A_name_that_no_file_can_have_is_refused() =>
        Assert.Contains("'a b'", Assert.Throws<ArgumentException>(() => OtherInTheSecondRun.Wrong with { Name = "a b" }).Message);

    private static class Twin
    {
        public static Serdica.Perf.Measurement.Scenarios.Scenario Same =>
            OtherInTheSecondRun.WrongBeyondThree with { Description = "Another one." };
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

        Assert.EndsWith(" or unset it. Did you mean 'postgresql'?", error.Message);
    }
}
