namespace Serdica.Perf.Delivery.Tests;

/// <summary>What projects evaluate to, asked of one MSBuild: its start takes longer than all evaluations.</summary>
internal static class Evaluation
{
    private const string Mark = "says:";

    /// <param name="text">What each project is asked for, in the language of MSBuild.</param>
    /// <param name="projects">Full paths, each with the properties that it is evaluated with.</param>
    /// <returns>The answers, in the order of the projects.</returns>
    public static async Task<IReadOnlyList<string>> AskAsync(string text, params IEnumerable<(string Project, string Properties)> projects)
    {
        using var folder = new TemporaryFolder();
        folder.Write(
            "say.targets",
            $"""<Project><Target Name="Say"><Message Importance="high" Text="{Mark}{text}" /></Target></Project>"""
        );
        var asked = projects.Select(asked => $"""<Asked Include="{asked.Project}" AdditionalProperties="{asked.Properties}" />""");
        folder.Write(
            "ask.proj",
            $"""
            <Project>
              <ItemGroup>{string.Concat(asked)}</ItemGroup>
              <Target Name="Ask">
                <MSBuild Projects="@(Asked)" Targets="Say" Properties="CustomAfterMicrosoftCommonTargets={folder.Below("say.targets")}" />
              </Target>
            </Project>
            """
        );

        var run = await DotnetCommand.RunAsync(
            Repository.Root,
            new Dictionary<string, string>(),
            "msbuild",
            folder.Below("ask.proj"),
            "-nologo",
            "-verbosity:minimal"
        );

        Assert.True(run.ExitCode == 0, run.Output);
        return
        [
            .. run.Output.Split('\n')
                .Select(line => line.Trim())
                .Where(line => line.StartsWith(Mark))
                .Select(line => line[Mark.Length..]),
        ];
    }
}
