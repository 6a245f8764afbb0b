using System.ComponentModel;
using Serdica.Perf.Faults.Actuators;

namespace Serdica.Perf.Cli.Measuring;

/// <summary>Runs a program to its end and keeps what it prints.</summary>
internal static class ChildProcess
{
    /// <summary>Long enough to stop a measurement and to drop its schema.</summary>
    private static readonly TimeSpan ShutdownLimit = FromSeconds(30);

    /// <param name="arguments">As the program gets them; they must hold no secret, for other users of the machine see them.</param>
    /// <param name="cancellationToken">Asks the program to stop, and kills it when it does not.</param>
    public static async Task<(int ExitCode, string Output, string Error)> RunAsync(
        string program,
        IReadOnlyList<string> arguments,
        string folder,
        IReadOnlyDictionary<string, string> environment,
        CancellationToken cancellationToken
    )
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (var (name, value) in environment)
            start.Environment[name] = value;

        using var process = Start(start);
        var output = process.StandardOutput.ReadToEndAsync(CancellationToken.None);
        var error = process.StandardError.ReadToEndAsync(CancellationToken.None);
        try
        {
            await process.WaitForExitAsync(cancellationToken);
        }
        catch (OperationCanceledException)
        {
            await StopAsync(process);
            throw;
        }

        return (process.ExitCode, await output, await error);
    }

    /// <summary>What a program printed last.</summary>
    public static string LastLine(string text) =>
        text.Split('\n', RemoveEmptyEntries | TrimEntries).LastOrDefault() ?? "it printed nothing.";

    private static Process Start(ProcessStartInfo start)
    {
        try
        {
            return Process.Start(start)!;
        }
        catch (Win32Exception)
        {
            throw new UsageException($"'{start.FileName}' cannot be started; is it installed and on PATH?");
        }
    }

    /// <summary>A Ctrl-C on a terminal reaches the program by itself; a signal to this process alone does not.</summary>
    private static async Task StopAsync(Process process)
    {
        using var deadline = new CancellationTokenSource(ShutdownLimit);
        try
        {
            if (!OperatingSystem.IsWindows())
                await Signals.SendAsync(Signals.Terminate, [process.Id], deadline.Token);
            await process.WaitForExitAsync(deadline.Token);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
        }
    }
}
