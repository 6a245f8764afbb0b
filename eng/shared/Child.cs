using System.ComponentModel;
using System.Diagnostics;

/// <summary>How the scripts of this folder run other programs.</summary>
internal static class Child
{
    /// <summary>Runs a program to its end, unseen and without input.</summary>
    /// <returns>127 with the reason when there is no such program.</returns>
    public static async Task<(int ExitCode, string Output, string Error)> CaptureAsync(
        string program, IEnumerable<string> arguments, string folder)
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        };

        try
        {
            using var process = Process.Start(start)!;
            process.StandardInput.Close();
            var output = process.StandardOutput.ReadToEndAsync();
            var error = process.StandardError.ReadToEndAsync();
            await process.WaitForExitAsync();
            return (process.ExitCode, (await output).TrimEnd(), (await error).TrimEnd());
        }
        catch (Win32Exception e)
        {
            return (127, "", e.Message);
        }
    }

    /// <summary>Runs dotnet in this console.</summary>
    /// <returns>Its exit code.</returns>
    public static async Task<int> DotnetAsync(string folder, params string[] arguments)
    {
        using var process = Process.Start(new ProcessStartInfo("dotnet", arguments) { WorkingDirectory = folder })!;

        // Ctrl-C reaches the child as well, which ends in its own time and cleans up; this process waits for it.
        ConsoleCancelEventHandler wait = (_, e) => e.Cancel = true;
        Console.CancelKeyPress += wait;
        await process.WaitForExitAsync();
        Console.CancelKeyPress -= wait;
        return process.ExitCode;
    }
}
