namespace Serdica.Perf.Cli.Measuring;

/// <summary>Runs `serdica-perf` with arguments and variables, and returns when it has ended.</summary>
internal delegate Task<(int ExitCode, string Output, string Error)> ProgramRun(
    IReadOnlyList<string> arguments,
    IReadOnlyDictionary<string, string> environment,
    CancellationToken cancellationToken
);

/// <summary>A build of serdica-perf that measures in a process of its own.</summary>
/// <param name="Folder">Where it runs, and where it finds the commit that it measures.</param>
internal sealed record MeasuringProgram(string Assembly, string Folder)
{
    /// <summary>This program as it is.</summary>
    public static MeasuringProgram Here { get; } = new(typeof(MeasuringProgram).Assembly.Location, Directory.GetCurrentDirectory());

    /// <value>Called instead of starting a process, for tests of what a command does with its runs; null starts one.</value>
    public ProgramRun? InPlace { get; init; }

    /// <summary>The program that runs assemblies.</summary>
    public static string DotNet { get; } =
        Path.GetFileNameWithoutExtension(Environment.ProcessPath) == "dotnet" ? Environment.ProcessPath!
        : Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") is { Length: > 0 } host ? host
        : "dotnet";

    /// <summary>Measures once.</summary>
    /// <param name="arguments">Of `run`, without the folder.</param>
    /// <param name="environment">How the servers are reached: secrets, which are never printed.</param>
    /// <exception cref="MeasuringException">It did not pass.</exception>
    public async Task<RunResult> MeasureAsync(
        IReadOnlyList<string> arguments,
        string output,
        IReadOnlyDictionary<string, string> environment,
        CancellationToken cancellationToken
    )
    {
        string[] all = [.. arguments, "--output", output];
        var (exitCode, _, error) = await (
            InPlace?.Invoke(all, environment, cancellationToken)
            ?? ChildProcess.RunAsync(DotNet, ["exec", Assembly, .. all], Folder, environment, cancellationToken)
        );
        cancellationToken.ThrowIfCancellationRequested();
        if (exitCode is ExitCodes.Success or ExitCodes.Failed && RunIn(output) is { } folder)
        {
            var result = Read(folder);
            return result.Status == RunStatus.Passed
                ? result
                : throw new MeasuringException(ExitCodes.Failed, $"The run did not pass: {result.StatusReason}");
        }

        var reason = (exitCode == ExitCodes.BackendUnavailable ? WhyMissing(output) : null) ?? ChildProcess.LastLine(error);
        throw new MeasuringException(
            exitCode is ExitCodes.Usage or ExitCodes.BackendUnavailable ? exitCode : ExitCodes.Failed,
            $"'serdica-perf {string.Join(' ', arguments)}' ended with exit code {exitCode}: "
                + SecretScrubber.Scrub(reason)
        );
    }

    /// <summary>A run that lacks its server prints nothing to the error stream: the reason is part of its result.</summary>
    private static string? WhyMissing(string output) =>
        RunIn(output) is { } folder ? Read(folder).NotMeasured.Select(missing => missing.Reason).FirstOrDefault() : null;

    private static string? RunIn(string output) => Directory.Exists(output) ? Directory.GetDirectories(output).FirstOrDefault() : null;

    private static RunResult Read(string folder)
    {
        try
        {
            return BaselineReader.Read(folder);
        }
        catch (BaselineException error)
        {
            throw new MeasuringException(ExitCodes.Failed, error.Message);
        }
    }
}

/// <summary>A measurement by other processes cannot continue.</summary>
internal sealed class MeasuringException(int exitCode, string message) : Exception(message)
{
    public int ExitCode => exitCode;
}
