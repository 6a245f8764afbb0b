using System.ComponentModel;

/// <summary>How the scripts of this folder run other programs.</summary>
internal static class Child
{
    /// <summary>The exit code of a program that was killed at its time limit, as that of coreutils' <c>timeout</c>.</summary>
    public const int OutOfTime = 124;

    /// <summary>The repository of the script that runs.</summary>
    public static string Repository { get; } = Path.GetDirectoryName((string)AppContext.GetData("EntryPointFileDirectoryPath")!)!;

    /// <summary>Runs a program to its end, unseen and without input.</summary>
    /// <param name="arguments">As they are; no shell reads them.</param>
    /// <param name="limit">When it is killed, with what it has started; default never.</param>
    /// <returns>127 with the reason when there is no such program.</returns>
    public static async Task<(int ExitCode, string Output, string Error)> CaptureAsync(
        string program,
        IEnumerable<string> arguments,
        string folder,
        IReadOnlyDictionary<string, string>? environment = null,
        TimeSpan? limit = null
    )
    {
        var start = new ProcessStartInfo(program, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            WorkingDirectory = folder,
        };
        foreach (var (name, value) in environment ?? new Dictionary<string, string>())
            start.Environment[name] = value;

        try
        {
            using var process = Process.Start(start)!;
            process.StandardInput.Close();
            var output = process.StandardOutput.ReadToEndAsync();
            var error = process.StandardError.ReadToEndAsync();
            using var time = new CancellationTokenSource(limit ?? Timeout.InfiniteTimeSpan);
            var isOver = false;
            try
            {
                await process.WaitForExitAsync(time.Token);
            }
            catch (OperationCanceledException)
            {
                isOver = true;
                process.Kill(entireProcessTree: true);
            }

            return (isOver ? OutOfTime : process.ExitCode, (await output).TrimEnd(), (await error).TrimEnd());
        }
        catch (Win32Exception e)
        {
            return (127, "", e.Message);
        }
    }

    /// <summary>Runs dotnet in this console.</summary>
    /// <returns>Its exit code.</returns>
    public static Task<int> DotnetAsync(string folder, params string[] arguments) => DotnetAsync(folder, toError: false, arguments);

    /// <summary>The same; <paramref name="toError"/> sends its standard output to standard error.</summary>
    public static async Task<int> DotnetAsync(string folder, bool toError, params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet", arguments) { WorkingDirectory = folder, RedirectStandardOutput = toError };
        using var process = Process.Start(start)!;

        // Ctrl-C reaches the child as well, which ends in its own time and cleans up; this process waits for it.
        ConsoleCancelEventHandler wait = (_, e) => e.Cancel = true;
        Console.CancelKeyPress += wait;
        if (toError)
            await process.StandardOutput.BaseStream.CopyToAsync(Console.OpenStandardError());
        await process.WaitForExitAsync();
        Console.CancelKeyPress -= wait;
        return process.ExitCode;
    }
}
