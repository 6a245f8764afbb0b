namespace Serdica.Perf.Delivery.Tests;

/// <summary>What a program wrote and how it ended.</summary>
internal sealed record CommandResult(int ExitCode, string Output);

/// <summary>Runs programs as a user does, in a process of their own.</summary>
internal static class DotnetCommand
{
    /// <summary>Runs dotnet to its end; a cancelled test kills it and what it has started.</summary>
    public static Task<CommandResult> RunAsync(string folder, IReadOnlyDictionary<string, string> variables, params string[] arguments) =>
        RunProgramAsync("dotnet", folder, variables, arguments);

    public static async Task<CommandResult> RunProgramAsync(
        string program,
        string folder,
        IReadOnlyDictionary<string, string> variables,
        params string[] arguments
    )
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        };

        // Build processes that stay would outlive the test; and what the test runner tells its own children is not for these.
        start.Environment["MSBUILDDISABLENODEREUSE"] = "1";
        start.Environment["DOTNET_CLI_USE_MSBUILD_SERVER"] = "0";
        start.Environment["DOTNET_CLI_TELEMETRY_OPTOUT"] = "true";
        start.Environment["DOTNET_NOLOGO"] = "true";
        start.Environment.Remove("MSBuildSDKsPath");
        start.Environment.Remove("MSBuildExtensionsPath");
        foreach (var (name, value) in variables)
            start.Environment[name] = value;

        var cancellationToken = Token;
        using var process = Process.Start(start)!;
        try
        {
            var output = process.StandardOutput.ReadToEndAsync(cancellationToken);
            var errors = process.StandardError.ReadToEndAsync(cancellationToken);
            await process.WaitForExitAsync(cancellationToken);
            return new(process.ExitCode, await output + await errors);
        }
        finally
        {
            if (!process.HasExited)
                process.Kill(entireProcessTree: true);
        }
    }
}
