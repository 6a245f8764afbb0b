namespace Serdica.Perf.Delivery.Tests;

/// <summary>What <c>eng/test.cs</c> makes of the results of the tests: its exit code is what every pipeline believes.</summary>
public sealed class TestScriptTests : IDisposable
{
    private const string Passed = """<UnitTestResult testName="A" outcome="Passed" />""";
    private const string Failed = """
        <UnitTestResult testName="B" outcome="Failed"><Output>
            <TextMessages><Message>What the test has printed.</Message></TextMessages>
            <ErrorInfo><Message>Why it failed.</Message></ErrorInfo>
        </Output></UnitTestResult>
        """;

    /// <summary>Builds nothing.</summary>
    private const string Dotnet = """
        #!/bin/sh
        exit "${BUILD:-0}"
        """;

    /// <summary>Leaves the results that the test has prepared, if there are any.</summary>
    private const string Program = """
        #!/bin/sh
        while [ "$1" != -trx ]; do shift; done
        [ -z "$LOG" ] || touch "$TMPDIR/$LOG"
        case "$0" in *Other.Tests) cp "$OTHER" "$2"; exit 0 ;; esac
        if [ -s "$RESULTS" ]; then cp "$RESULTS" "$2"; fi
        exit "${TESTS:-0}"
        """;

    private string _output = "";
    private readonly ScriptCopy _script = new();

    private TemporaryFolder Folder => _script.Folder;

    /// <summary>The script is compiled once for all of them, which takes longer than they do.</summary>
    [Fact]
    public async Task Nothing_but_tests_that_pass_or_skip_as_expected_is_a_success()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "It is a shell script.");
        await _script.CompileAsync("eng/test.cs", "eng/Testing");
        AddProject("Any.Tests");
        StandIn.Write(Folder, Dotnet);

        Assert.Equal((0, "1 passed, 0 failed, 1 skipped"), await RunAsync([Passed, Skipped("This clone is shallow: fetch the rest.")]));
        Assert.Equal((1, "1 passed, 0 failed, 1 skipped"), await RunAsync([Passed, Skipped("Too slow today.")]));
        Assert.Equal((1, "1 passed, 1 failed, 0 skipped"), await RunAsync([Passed, Failed]));
        Assert.Contains("failed: B\n    Why it failed.\n", _output);
        Assert.Equal((1, "0 passed, 0 failed, 0 skipped"), await RunAsync([]));
        Assert.Equal((1, "0 passed, 0 failed, 0 skipped"), await RunAsync([Passed], built: 1));
        Assert.Equal((0, "1 passed, 0 failed, 0 skipped"), await RunAsync([Passed], built: 1, more: "--no-build"));

        // A program that dies half-way leaves no results, and one that dies at its end leaves all.
        Assert.Equal((1, "1 passed, 0 failed, 0 skipped"), await RunAsync([Passed], exitCode: 134));
        Assert.Equal((1, "0 passed, 0 failed, 0 skipped"), await RunAsync(null, exitCode: 134));

        // Tests leave nothing behind but the logs of servers that failed them.
        Assert.Empty(TemporaryFolders());
        Assert.Equal((0, "1 passed, 0 failed, 0 skipped"), await RunAsync([Passed], log: "server.log"));
        var kept = Assert.Single(TemporaryFolders());
        Assert.Contains($"Logs of servers are in {kept}; ", _output);
        Assert.True(File.Exists(Path.Combine(kept, "server.log")));

        // What another project passed stands for nothing that this one should have shown.
        AddProject("Other.Tests");
        await File.WriteAllTextAsync(Folder.Below("other.xml"), Results([Passed]), Token);
        Assert.Equal((0, "2 passed, 0 failed, 0 skipped"), await RunAsync([Passed]));
        Assert.Equal((1, "1 passed, 0 failed, 0 skipped"), await RunAsync(null));
        Assert.Contains("CRASHED: Any.Tests ended with exit code 0 and without results.", _output);
        Assert.Equal((1, "1 passed, 0 failed, 0 skipped"), await RunAsync([]));
        Assert.Contains("CRASHED: Any.Tests has no test.", _output);
        Assert.Equal((0, "1 passed, 0 failed, 0 skipped"), await RunAsync([], more: ["-class", "A"]));
        Assert.Equal(2, (await RunAsync([Passed], more: ["--project", "Any", "--project", "Orther"])).ExitCode);
        Assert.Equal(2, (await RunAsync([Passed], more: ["--no-setpu"])).ExitCode);
    }

    public void Dispose() => _script.Dispose();

    private static string Skipped(string reason) =>
        $"""<UnitTestResult testName="C" outcome="NotExecuted"><Output><Message>{reason}</Message></Output></UnitTestResult>""";

    private static string Results(string[] tests) =>
        $"<TestRun xmlns='http://microsoft.com/schemas/VisualStudio/TeamTest/2010'><Results>{string.Concat(tests)}</Results></TestRun>";

    private string[] TemporaryFolders() => Directory.GetDirectories(Folder.Below("tmp"), "serdica-perf-*");

    private async Task<(int ExitCode, string Closing)> RunAsync(
        string[]? results,
        int exitCode = 0,
        int built = 0,
        string log = "",
        params string[] more
    )
    {
        var file = Folder.Below("results.xml");
        await File.WriteAllTextAsync(file, results is null ? "" : Results(results), Token);
        var run = await DotnetCommand.RunProgramAsync(
            StandIn.Real,
            Folder.Path,
            new Dictionary<string, string>
            {
                ["PATH"] = StandIn.Path(Folder.Path),
                ["TMPDIR"] = Directory.CreateDirectory(Folder.Below("tmp")).FullName,
                ["LOG"] = log,
                ["RESULTS"] = file,
                ["OTHER"] = Folder.Below("other.xml"),
                ["TESTS"] = $"{exitCode}",
                ["BUILD"] = $"{built}",
            },
            ["run", "--no-build", "eng/test.cs", "--", "--no-setup", .. more]
        );
        _output = run.Output;
        return (run.ExitCode, run.Output.TrimEnd().Split('\n')[^1]);
    }

    private void AddProject(string name)
    {
        StandIn.WriteProgram(Folder.Below("tests", "bin", "Release", "net10.0", name), Program);
        File.WriteAllText(Folder.Below("tests", $"{name}.csproj"), "<Project />");
    }
}
