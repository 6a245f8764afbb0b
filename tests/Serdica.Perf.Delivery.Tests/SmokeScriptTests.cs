namespace Serdica.Perf.Delivery.Tests;

/// <summary>The exit codes of <c>eng/smoke.cs</c>, with a script in the place of dotnet.</summary>
public sealed class SmokeScriptTests : IDisposable
{
    private const string Dotnet = """
        #!/bin/sh
        case "$1 $2" in
            "build "*) echo built; exit "${BUILD:-0}" ;;
            "run "*) echo set up ;;
            "exec "*) echo "$*" >>"$CALLS"; echo '{}'; exit "${SMOKE:-0}" ;;
        esac
        """;

    private readonly ScriptCopy _script = new();

    [Fact]
    public async Task Exit_code_is_that_of_the_run_and_of_a_build_that_fails()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "It is a shell script.");
        StandIn.Write(await _script.CompileAsync("eng/smoke.cs"), Dotnet);

        var (passed, failed, notBuilt) = (await RunAsync(), await RunAsync(smoke: 4), await RunAsync(built: 1));
        var (planned, asked, json) = (await RunAsync("--dry-run"), await RunAsync("-h"), await RunAsync("--json 2>/dev/null"));

        Assert.Equal((0, 4, 1), (passed.ExitCode, failed.ExitCode, notBuilt.ExitCode));
        Assert.Contains("Every result was correct. Measuring speed takes more operations.", passed.Output);
        EachItem.Holds([failed, planned, asked], run => Assert.DoesNotContain("Every result was correct.", run.Output));
        Assert.Equal((0, "{}\n"), (json.ExitCode, json.Output));
        EachItem.Holds(await File.ReadAllLinesAsync(_script.Folder.Below("calls"), Token), call =>
            Assert.Matches(@" --tier smoke --backend in-memory --backend postgresql( --(dry-run|json|backend documentdb)| -h)\z", call)
        );
    }

    public void Dispose() => _script.Dispose();

    private Task<CommandResult> RunAsync(string arguments = "--backend documentdb", int smoke = 0, int built = 0) =>
        DotnetCommand.RunProgramAsync(
            "sh",
            _script.Folder.Path,
            new Dictionary<string, string>
            {
                ["PATH"] = StandIn.Path(_script.Folder.Path),
                ["CALLS"] = _script.Folder.Below("calls"),
                ["SMOKE"] = $"{smoke}",
                ["BUILD"] = $"{built}",
            },
            "-c",
            $"'{StandIn.Real}' run --no-build eng/smoke.cs -- {arguments}"
        );
}
