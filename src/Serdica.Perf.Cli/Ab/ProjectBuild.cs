namespace Serdica.Perf.Cli.Ab;

/// <summary>Builds a project in Release, in the way in which nothing of the build runs beside the measurement.</summary>
internal static partial class ProjectBuild
{
    /// <returns>The assembly.</returns>
    /// <exception cref="MeasuringException">It does not build.</exception>
    public static async Task<string> RunAsync(string project, string what, CancellationToken cancellationToken)
    {
        // Build servers would go on running, beside the measurement. And a weakness that was found in a package since must
        // not keep an old commit from being measured: its own settings may make an error of it.
        string[] options = ["-c", "Release", "--nologo", "-v", "quiet", "--tl:off", "--disable-build-servers", "-p:NuGetAudit=false"];
        var built = await DotNetAsync(project, ["build", project, .. options], cancellationToken);
        if (built.ExitCode != 0)
            throw new MeasuringException(ExitCodes.Failed, $"{what} does not build: {FirstError(built.Output + built.Error)}");
        var asked = await DotNetAsync(
            project,
            ["msbuild", project, "-nologo", "-p:Configuration=Release", "-getProperty:TargetPath"],
            cancellationToken
        );
        return asked.Output.Trim();
    }

    private static Task<(int ExitCode, string Output, string Error)> DotNetAsync(
        string project,
        IReadOnlyList<string> arguments,
        CancellationToken cancellationToken
    ) =>
        ChildProcess.RunAsync(
            MeasuringProgram.DotNet,
            arguments,
            Path.GetDirectoryName(project)!,
            new Dictionary<string, string>(),
            cancellationToken
        );

    private static string FirstError(string output) =>
        output.Split('\n').Select(line => Error().Match(line)).FirstOrDefault(match => match.Success)?.Groups["what"].Value.Trim()
        ?? ChildProcess.LastLine(output);

    // The file and the project around the message hold paths of this machine.
    [GeneratedRegex(@"\berror (?<what>[A-Z]+\d+: .*?)(?: \[.*)?\z")]
    private static partial Regex Error();
}
