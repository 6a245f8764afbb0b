namespace Serdica.Perf.Delivery.Tests;

/// <summary>The exit codes of <c>eng/smoke.cs</c>, with a script in the place of dotnet.</summary>
public sealed class SmokeScriptTests : IDisposable
{
    private const string Dotnet = """
        #!/bin/sh
        case "$1 $2" in
            "build "*) exit "${BUILD:-0}" ;;
            "exec "*) echo "$*" >>"$CALLS"; exit "${SMOKE:-0}" ;;
        esac
        """;

    private readonly TemporaryFolder _folder = new();

    [Fact]
    public async Task Exit_code_is_that_of_the_run_and_of_a_build_that_fails()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "It is a shell script.");
        foreach (var file in ScriptFiles.Of("eng/smoke.cs"))
            ScriptFiles.Copy(file, _folder);
        StandIn.Write(_folder, Dotnet);

        var (passed, failed, notBuilt) = (await RunAsync(), await RunAsync(smoke: 4), await RunAsync(built: 1));

        Assert.Equal((0, 4, 1), (passed.ExitCode, failed.ExitCode, notBuilt.ExitCode));
        Assert.Contains("Shown: every result was correct.", passed.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("Shown: every result was correct.", failed.Output, StringComparison.Ordinal);
        EachItem.Holds(
            await File.ReadAllLinesAsync(_folder.Below("calls"), TestContext.Current.CancellationToken),
            call =>
                Assert.EndsWith(
                    "run --tier smoke --backend in-memory --backend postgresql --backend documentdb",
                    call,
                    StringComparison.Ordinal
                )
        );
    }

    public void Dispose() => _folder.Dispose();

    private Task<CommandResult> RunAsync(int smoke = 0, int built = 0) =>
        DotnetCommand.RunProgramAsync(
            StandIn.Real,
            _folder.Path,
            new Dictionary<string, string>
            {
                ["PATH"] = StandIn.Path(_folder.Path),
                ["CALLS"] = _folder.Below("calls"),
                ["SMOKE"] = $"{smoke}",
                ["BUILD"] = $"{built}",
            },
            "run",
            "eng/smoke.cs",
            "--",
            "--backend",
            "documentdb"
        );
}
