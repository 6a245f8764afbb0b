namespace Serdica.Perf.Delivery.Tests;

/// <summary>The script for Bash in docs/command-line.md, as Bash calls it when Tab is pressed.</summary>
public sealed class ShellCompletionTests
{
    private const string Bash = "/bin/bash";

    [Theory]
    [InlineData("serdica-perf qui", "quick")]
    [InlineData("serdica-perf run --back", "--backend")]
    [InlineData("serdica-perf run --backend doc", "documentdb")]
    [InlineData("serdica-perf run --scenario immediate-burst-s", "immediate-burst-smoke")]
    [InlineData("serdica-perf baseline che", "check")]
    public async Task Bash_completes_a_line_by_the_documented_script(string line, string completions)
    {
        Assert.SkipUnless(File.Exists(Bash), "This machine has no /bin/bash.");
        using var folder = new TemporaryFolder();
        var assembly = Path.Combine(AppContext.BaseDirectory, "serdica-perf.dll");
        var script = File.ReadAllText(Repository.PathOf("docs/command-line.md")).Split("```bash\n")[1].Split("```")[0];

        var completed = await DotnetCommand.RunProgramAsync(
            Bash,
            folder.Path,
            new Dictionary<string, string> { ["LINE"] = line },
            "--norc",
            "-c",
            $$"""
            serdica-perf() { dotnet exec '{{assembly}}' "$@"; }
            {{script}}
            COMP_LINE=$LINE COMP_POINT=${#LINE}
            IFS=' ' read -ra COMP_WORDS <<< "$LINE"
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            "$(complete -p serdica-perf | sed 's/.*-F \([^ ]*\).*/\1/')" serdica-perf
            echo "${COMPREPLY[*]}"
            """
        );

        Assert.Equal((0, completions), (completed.ExitCode, completed.Output.Trim()));
    }
}
