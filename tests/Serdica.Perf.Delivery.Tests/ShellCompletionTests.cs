namespace Serdica.Perf.Delivery.Tests;

/// <summary>The scripts in docs/command-line.md, as each shell calls them when Tab is pressed.</summary>
public sealed class ShellCompletionTests
{
    private const string Bash = "/bin/bash";

    private static readonly TestMachine Machine = new(Repository.Root);

    public static TheoryData<string, string> Lines =>
        new()
        {
            { "serdica-perf qui", "quick" },
            { "serdica-perf run --back", "--backend" },
            { "serdica-perf run --backend doc", "documentdb" },
            { "serdica-perf run --scenario immediate-burst-s", "immediate-burst-smoke" },
            { "serdica-perf baseline che", "check" },
        };

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task Bash_completes_a_line_by_the_documented_script(string line, string completion)
    {
        Assert.SkipUnless(File.Exists(Bash), "This machine has no /bin/bash.");

        var completed = await CompleteAsync(Bash, ["--norc", "-c"], line, (script, assembly) => $$"""
                serdica-perf() { dotnet exec '{{assembly}}' "$@"; }
                {{script("bash")}}
                COMP_LINE=$LINE COMP_POINT=${#LINE}
                IFS=' ' read -ra COMP_WORDS <<< "$LINE"
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                "$(complete -p serdica-perf | sed 's/.*-F \([^ ]*\).*/\1/')" serdica-perf
                echo "${COMPREPLY[*]}"
                """);

        Assert.Equal(completion, completed);
    }

    /// <summary>The line editor needs a terminal: its two functions print what they are given instead.</summary>
    [Theory]
    [MemberData(nameof(Lines))]
    public async Task Zsh_completes_a_line_by_the_documented_script(string line, string completion)
    {
        Assert.SkipUnless(Machine.HasProgram("zsh"), "zsh is not installed.");

        var completed = await CompleteAsync("zsh", ["-f", "-c"], line, (script, assembly) => $$"""
                serdica-perf() { dotnet exec '{{assembly}}' "$@"; }
                compdef() { completer[$2]=$1; }
                compadd() { shift; print -l -- "$@"; }
                typeset -A completer
                {{script("zsh")}}
                BUFFER=$LINE CURSOR=${#LINE}
                $completer[serdica-perf]
                """);

        Assert.Equal(completion, completed);
    }

    [Theory]
    [MemberData(nameof(Lines))]
    public async Task PowerShell_completes_a_line_by_the_documented_script(string line, string completion)
    {
        Assert.SkipUnless(Machine.HasProgram("pwsh"), "PowerShell is not installed.");

        var completed = await CompleteAsync("pwsh", ["-NoProfile", "-NonInteractive", "-Command"], line, (script, assembly) => $$"""
                function serdica-perf { dotnet exec '{{assembly}}' @args }
                {{script("powershell")}}
                (TabExpansion2 -inputScript $env:LINE -cursorColumn $env:LINE.Length).CompletionMatches | ForEach-Object CompletionText
                """);

        Assert.Equal(completion, completed);
    }

    private static async Task<string> CompleteAsync(
        string shell,
        string[] arguments,
        string line,
        Func<Func<string, string>, string, string> command
    )
    {
        using var folder = new TemporaryFolder();
        var page = File.ReadAllText(Repository.PathOf("docs/command-line.md"));
        var assembly = Path.Combine(AppContext.BaseDirectory, "serdica-perf.dll");
        var completed = await DotnetCommand.RunProgramAsync(
            shell,
            folder.Path,
            new Dictionary<string, string> { ["LINE"] = line },
            [.. arguments, command(language => page.Split($"```{language}\n")[1].Split("```")[0], assembly)]
        );
        Assert.Equal(0, completed.ExitCode);
        return completed.Output.Trim();
    }
}
