namespace Serdica.Perf.Faults.Hosts;

/// <summary>A process of <see cref="HostProcess"/>, as the run sees it. It ends with this object, and with this process.</summary>
internal sealed class FaultHost : IAsyncDisposable
{
    private static readonly TimeSpan Patience = FromMinutes(2);

    /// <summary>The exit code of a process that SIGKILL has ended.</summary>
    private const int Killed = 128 + 9;

    private readonly Process _process;
    private readonly string _logFile;
    private readonly Task _log;

    private FaultHost(string name, Process process, string logFile)
    {
        (Name, _process, _logFile) = (name, process, logFile);
        _log = CopyAsync(process.StandardError, logFile);
    }

    /// <value>As the history names it.</value>
    public string Name { get; }

    public int Id => _process.Id;

    /// <summary>Starts a host, and returns when it moves instances.</summary>
    /// <param name="connectionString">The way to its server, which other users of the machine do not see.</param>
    /// <exception cref="FaultRunException">It has ended before, or does not answer.</exception>
    public static async Task<FaultHost> StartAsync(
        HostSettings settings,
        string connectionString,
        string logFolder,
        CancellationToken cancellationToken
    )
    {
        Directory.CreateDirectory(logFolder);
        var start = new ProcessStartInfo("dotnet", [.. Program(), JsonSerializer.Serialize(settings)])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment[DatabaseEnvironment.ApplicationVariable(BackendNames.InVariables(settings.Backend))] = connectionString;
        var logFile = Path.Combine(logFolder, $"{settings.Name}.log");
        var host = new FaultHost(settings.Name, Process.Start(start)!, logFile);
        try
        {
            return await host.ReadAsync("start", cancellationToken) == HostProcess.Running
                ? host
                : throw host.Failure("did not say that it was running");
        }
        catch
        {
            await host.DisposeAsync();
            throw;
        }
    }

    /// <summary>Kills it, and returns its exit code.</summary>
    /// <exception cref="FaultRunException">It has ended by itself.</exception>
    public Task<int> KillAsync(CancellationToken cancellationToken) => EndAsync(Signals.Kill, Killed, cancellationToken);

    /// <summary>Asks it to stop in order, and returns its exit code when it has ended.</summary>
    /// <exception cref="FaultRunException">It has ended by itself or not in order, or does not end.</exception>
    public Task<int> TerminateAsync(CancellationToken cancellationToken) => EndAsync(Signals.Terminate, 0, cancellationToken);

    /// <summary>Shifts the wall clock by which its engine works.</summary>
    /// <param name="shift">From the true time; zero sets it right.</param>
    /// <returns>How far its clock is ahead of that of this process.</returns>
    public async Task<TimeSpan> ShiftClockAsync(TimeSpan shift, CancellationToken cancellationToken)
    {
        var answer = await AskAsync(shift.ToString("c", CultureInfo.InvariantCulture), cancellationToken);
        return DateTimeOffset.Parse(answer, CultureInfo.InvariantCulture) - DateTimeOffset.UtcNow;
    }

    /// <summary>Lets its callers end their instances; it goes on to move those of others.</summary>
    /// <returns>How many signals it has decided directly.</returns>
    public async Task<long> EndLoadAsync(CancellationToken cancellationToken) =>
        long.Parse(await AskAsync(HostProcess.EndLoad, cancellationToken), CultureInfo.InvariantCulture);

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
            _process.Kill();
        await _process.WaitForExitAsync(CancellationToken.None);
        await _log;
        _process.Dispose();
    }

    private async Task<string> AskAsync(string line, CancellationToken cancellationToken)
    {
        try
        {
            await _process.StandardInput.WriteLineAsync(line);
            await _process.StandardInput.FlushAsync(cancellationToken);
        }
        catch (IOException)
        {
            // Nobody reads: it has ended, and so has its output.
        }

        return await ReadAsync($"answer '{line}'", cancellationToken);
    }

    private async Task<string> ReadAsync(string what, CancellationToken cancellationToken)
    {
        var answer = _process.StandardOutput.ReadLineAsync(cancellationToken).AsTask();
        if (await PatientlyAsync(answer, what, cancellationToken) is { } line)
            return line;
        await _process.WaitForExitAsync(cancellationToken);
        throw EndedByItself();
    }

    private async Task<int> EndAsync(string signal, int expected, CancellationToken cancellationToken)
    {
        if (_process.HasExited)
            throw EndedByItself();
        await Signals.SendAsync(signal, [Id], cancellationToken);
        var code = await PatientlyAsync(ExitAsync(cancellationToken), $"end after SIG{signal}", cancellationToken);
        return code == expected ? code : throw Failure(Invariant($"ended after SIG{signal} with code {code}, and not with {expected}"));
    }

    private async Task<int> ExitAsync(CancellationToken cancellationToken)
    {
        await _process.WaitForExitAsync(cancellationToken);
        return _process.ExitCode;
    }

    private async Task<T> PatientlyAsync<T>(Task<T> task, string what, CancellationToken cancellationToken)
    {
        try
        {
            return await task.WaitAsync(Patience, cancellationToken);
        }
        catch (TimeoutException e)
        {
            throw Failure(Invariant($"did not {what} within {Patience.TotalSeconds} s"), e);
        }
    }

    private FaultRunException EndedByItself() => Failure(Invariant($"ended by itself with code {_process.ExitCode}"));

    private FaultRunException Failure(string what, Exception? cause = null) =>
        new(Invariant($"The process {Id} of {Name} {what}; its log is {_logFile}."), cause);

    /// <summary>This assembly as a program, with the files of the program that runs now.</summary>
    private static string[] Program()
    {
        var dependencies = ((string?)AppContext.GetData("APP_CONTEXT_DEPS_FILES") ?? "").Split(';')[0];
        return
        [
            "exec",
            "--depsfile",
            dependencies,
            "--runtimeconfig",
            dependencies.Replace(".deps.json", ".runtimeconfig.json", Ordinal),
            typeof(HostProcess).Assembly.Location,
        ];
    }

    private static async Task CopyAsync(StreamReader from, string file)
    {
        await using (var log = new StreamWriter(file) { AutoFlush = true })
        {
            while (await from.ReadLineAsync() is { } line)
                await log.WriteLineAsync(line);
        }
    }
}
