namespace Serdica.Perf.Databases.Local;

/// <summary>Runs the programs of a server, as the server's user.</summary>
internal sealed class ServerCommand(ServerUser? user, string workingFolder)
{
    /// <summary>
    /// Runs a program to its end and returns its exit code and all it wrote. <paramref name="environment"/> is added to
    /// the variables of this process.
    /// </summary>
    /// <exception cref="TimeoutException">It did not end in time, and was killed.</exception>
    public async Task<(int ExitCode, string Output)> RunAsync(
        string program,
        IReadOnlyList<string> arguments,
        TimeSpan limit,
        CancellationToken cancellationToken,
        IReadOnlyDictionary<string, string>? environment = null
    )
    {
        using var deadline = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        deadline.CancelAfter(limit);
        using var process = Start(program, arguments, environment);
        var output = process.StandardOutput.ReadToEndAsync(CancellationToken.None);
        var errors = process.StandardError.ReadToEndAsync(CancellationToken.None);

        try
        {
            await process.WaitForExitAsync(deadline.Token);
        }
        catch (OperationCanceledException)
        {
            process.Kill(entireProcessTree: true);
            cancellationToken.ThrowIfCancellationRequested();
            throw new TimeoutException($"{Path.GetFileName(program)} did not end within {limit.TotalSeconds:F0} s.");
        }

        return (process.ExitCode, (await output + await errors).Trim());
    }

    /// <summary>As <see cref="RunAsync"/>, for when the process is about to end and nothing may be awaited.</summary>
    public bool Run(string program, IReadOnlyList<string> arguments, TimeSpan limit)
    {
        using var process = Start(program, arguments);
        process.OutputDataReceived += static (_, _) => { };
        process.ErrorDataReceived += static (_, _) => { };
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return process.WaitForExit(limit) && process.ExitCode == 0;
    }

    private Process Start(string program, IReadOnlyList<string> arguments, IReadOnlyDictionary<string, string>? environment = null)
    {
        string[] line = [.. user?.Prefix ?? [], program, .. arguments];

        var start = new ProcessStartInfo(line[0], line[1..])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,

            // A folder that the server's user may enter: the suite's own may be closed to it.
            WorkingDirectory = workingFolder,
        };

        // PGDATA, PGPORT, PGOPTIONS and their like would redirect or change the throw-away server.
        foreach (var name in start.Environment.Keys.Where(key => key.StartsWith("PG", Ordinal)).ToList())
            start.Environment.Remove(name);

        foreach (var (name, value) in environment ?? new Dictionary<string, string>())
            start.Environment[name] = value;

        var process = Process.Start(start)!;
        process.StandardInput.Close();
        return process;
    }
}
