using System.Diagnostics;

namespace Serdica.Perf.Mutation;

internal static class Processes
{
    /// <returns>The exit code and all that the program wrote; the code is null when it was killed at the limit.</returns>
    public static async Task<(int? ExitCode, string Output)> CaptureAsync(
        string program, string[] arguments, IReadOnlyDictionary<string, string>? environment = null, TimeSpan? limit = null)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (var (name, value) in environment ?? new Dictionary<string, string>())
            start.Environment[name] = value;
        using var process = Process.Start(start)!;
        process.StandardInput.Close();
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = process.StandardError.ReadToEndAsync();
        using var time = new CancellationTokenSource(limit ?? Timeout.InfiniteTimeSpan);
        try
        {
            await process.WaitForExitAsync(time.Token);
            return (process.ExitCode, await output + await errors);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            return (null, await output + await errors);
        }
    }
}
