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
        if [ -s "$RESULTS" ]; then cp "$RESULTS" "$2"; fi
        exit "${TESTS:-0}"
        """;

    private string _output = "";
    private readonly TemporaryFolder _folder = new();

    /// <summary>The script is compiled once for all of them, which takes longer than they do.</summary>
    [Fact]
    public async Task Nothing_but_tests_that_pass_or_skip_as_expected_is_a_success()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "It is a shell script.");
        CopyScript();
        StandIn.Write(_folder, Dotnet);

        Assert.Equal((0, "1 passed, 0 failed, 1 skipped"), await RunAsync([Passed, Skipped("This clone is shallow: fetch the rest.")]));
        Assert.Equal((1, "1 passed, 0 failed, 1 skipped"), await RunAsync([Passed, Skipped("Too slow today.")]));
        Assert.Equal((1, "1 passed, 1 failed, 0 skipped"), await RunAsync([Passed, Failed]));
        Assert.Contains("failed: B\n    Why it failed.\n", _output, StringComparison.Ordinal);
        Assert.Equal((1, "0 passed, 0 failed, 0 skipped"), await RunAsync([]));
        Assert.Equal((1, "0 passed, 0 failed, 0 skipped"), await RunAsync([Passed], built: 1));

        // A program that dies half-way leaves no results, and one that dies at its end leaves all.
        Assert.Equal((1, "1 passed, 0 failed, 0 skipped"), await RunAsync([Passed], exitCode: 134));
        Assert.Equal((1, "0 passed, 0 failed, 0 skipped"), await RunAsync(null, exitCode: 134));
    }

    public void Dispose() => _folder.Dispose();

    private static string Skipped(string reason) =>
        $"""<UnitTestResult testName="C" outcome="NotExecuted"><Output><Message>{reason}</Message></Output></UnitTestResult>""";

    private async Task<(int ExitCode, string Closing)> RunAsync(string[]? results, int exitCode = 0, int built = 0)
    {
        var (file, text) = (_folder.Below("results.xml"), string.Concat(results ?? []));
        await File.WriteAllTextAsync(
            file,
            results is null
                ? ""
                : $"""<TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results>{text}</Results></TestRun>""",
            TestContext.Current.CancellationToken
        );
        var run = await DotnetCommand.RunProgramAsync(
            StandIn.Real,
            _folder.Path,
            new Dictionary<string, string>
            {
                ["PATH"] = StandIn.Path(_folder.Path),
                ["RESULTS"] = file,
                ["TESTS"] = $"{exitCode}",
                ["BUILD"] = $"{built}",
            },
            "run",
            "eng/test.cs",
            "--",
            "--no-setup"
        );
        _output = run.Output;
        return (run.ExitCode, run.Output.TrimEnd().Split('\n')[^1]);
    }

    private void CopyScript()
    {
        foreach (var file in ScriptFiles.Of("eng/test.cs", "eng/Testing"))
            ScriptFiles.Copy(file, _folder);
        StandIn.WriteProgram(_folder.Below("tests", "bin", "Release", "net10.0", "Any.Tests"), Program);
        File.WriteAllText(_folder.Below("tests", "Any.Tests.csproj"), "<Project />");
    }
}
