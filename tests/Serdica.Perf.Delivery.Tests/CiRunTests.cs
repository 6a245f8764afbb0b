namespace Serdica.Perf.Delivery.Tests;

/// <summary>What <c>.ci/run</c> makes of what it runs. In the place of dotnet is a script that answers as the test says.</summary>
public sealed class CiRunTests : FolderTests
{
    private const string Closing = "7 passed, 0 failed, 2 skipped";

    /// <summary>Notes its arguments, with the backends that are required; the answer to a command is in the variable of its name.</summary>
    private const string Dotnet = """
        #!/usr/bin/env bash
        echo "$SERDICA_PERF_REQUIRE: $*" >>"$CALLS"
        case "$*" in
            "run eng/setup.cs"*) exit "${SETUP:-0}" ;;
            "run eng/documentdb.cs"*) exit "${DOCUMENTDB:-1}" ;;
            "format whitespace"*) exit "${FORMAT:-0}" ;;
            "build Serdica.Perf.sln"*) exit "${BUILD:-0}" ;;
            "run eng/test.cs"*) echo "${CLOSING-7 passed, 0 failed, 2 skipped}"; exit "${TESTS:-0}" ;;
            "run eng/smoke.cs"*) exit "${SMOKE:-0}" ;;
        esac
        """;

    public CiRunTests()
    {
        Directory.CreateDirectory(Root.Below(".ci"));
        File.Copy(Repository.PathOf(".ci/run"), Root.Below(".ci", "run"));
        StandIn.Write(Root, Dotnet);
    }

    [Fact]
    public async Task Change_that_passes_all_ends_with_the_closing_line_of_the_tests()
    {
        var run = await RunAsync();

        Assert.Equal((0, Closing), (run.ExitCode, LastLine(run)));
        Assert.Equal(
            [
                "postgresql: run eng/setup.cs",
                "postgresql: run eng/documentdb.cs",
                "postgresql: format whitespace",
                "postgresql: build Serdica.Perf.sln",
                "postgresql: run eng/test.cs",
                "postgresql: run eng/smoke.cs",
                "postgresql: build-server shutdown",
            ],
            Calls().Select(call => string.Join(' ', call.Split(' ').Take(3)))
        );
    }

    [Theory]
    [InlineData("SETUP", "eng/documentdb.cs")]
    [InlineData("FORMAT", "build Serdica.Perf.sln")]
    [InlineData("BUILD", "eng/test.cs")]
    [InlineData("TESTS", "eng/smoke.cs")]
    public async Task Step_that_fails_ends_the_run_and_fails_it(string step, string next)
    {
        var run = await RunAsync((step, "1"));

        Assert.Equal(1, run.ExitCode);
        Assert.DoesNotContain(Calls(), call => call.Contains(next));
    }

    [Theory]
    [InlineData("")]
    [InlineData("7 passed")]
    [InlineData("7 passed, 0 failed, 2 skipped, 1 lost")]
    public async Task Tests_without_their_closing_line_fail_the_run(string closing)
    {
        var run = await RunAsync(("CLOSING", closing));

        Assert.Equal((1, "eng/test.cs gave no closing line."), (run.ExitCode, LastLine(run)));
    }

    [Fact]
    public async Task Smoke_tier_that_fails_gives_its_exit_code_and_the_closing_line_stays_the_last()
    {
        var run = await RunAsync(("SMOKE", "4"));

        Assert.Equal((4, Closing), (run.ExitCode, LastLine(run)));
        Assert.Contains("The Smoke tier failed with exit code 4.", run.Output);
    }

    [Fact]
    public async Task DocumentDB_is_required_and_measured_where_it_can_be_prepared()
    {
        await RunAsync(("DOCUMENTDB", "0"));

        Assert.Contains("postgresql,documentdb: run eng/test.cs -- --no-setup --no-build", Calls());
        Assert.Contains("postgresql,documentdb: run eng/smoke.cs -- --backend documentdb", Calls());
    }

    private Task<CommandResult> RunAsync(params (string Name, string Value)[] answers)
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "It is a shell script.");
        var variables = answers.ToDictionary(answer => answer.Name, answer => answer.Value);
        variables["CALLS"] = Root.Below("calls");
        variables["PATH"] = StandIn.Path(Root.Path);
        variables.TryAdd("SERDICA_PERF_REQUIRE", "");
        return DotnetCommand.RunProgramAsync("bash", Root.Path, variables, Root.Below(".ci", "run"));
    }

    private string[] Calls() => File.ReadAllLines(Root.Below("calls"));

    private static string LastLine(CommandResult run) => run.Output.TrimEnd().Split('\n')[^1];
}
