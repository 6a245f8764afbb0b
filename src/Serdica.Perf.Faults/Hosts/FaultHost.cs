using System.Diagnostics;
using Serdica.Perf.Backends;
using Serdica.Perf.Databases;
using Serdica.Perf.Faults.Actuators;

namespace Serdica.Perf.Faults.Hosts;

/// <summary>A process of <see cref="HostProcess"/>, as the run sees it. It ends with this object, and with this process.</summary>
internal sealed class FaultHost : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Process _process;
    private readonly Task _log;

    private FaultHost(string name, Process process, string logFile)
    {
        (Name, _process) = (name, process);
        _log = CopyAsync(process.StandardError, logFile);
    }

    /// <value>As the history names it.</value>
    public string Name { get; }

    public int Id => _process.Id;

    public int ExitCode => _process.ExitCode;

    /// <summary>Starts a host, and returns when it moves instances.</summary>
    /// <param name="settings">What it runs.</param>
    /// <param name="connectionString">The way to its server, which other users of the machine do not see.</param>
    /// <param name="logFolder">Gets a file with what the engine warns of.</param>
    /// <param name="cancellationToken">Ends the wait, and the host.</param>
    /// <exception cref="InvalidOperationException">It has ended before.</exception>
    public static async Task<FaultHost> StartAsync(
        HostSettings settings,
        string connectionString,
        string logFolder,
        CancellationToken cancellationToken
    )
    {
        ArgumentNullException.ThrowIfNull(settings);
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
            var line = await host._process.StandardOutput.ReadLineAsync(cancellationToken).AsTask().WaitAsync(Patience, cancellationToken);
            return line == HostProcess.Running
                ? host
                : throw new InvalidOperationException($"The process of {settings.Name} has ended before it was running; see {logFile}.");
        }
        catch
        {
            await host.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public async Task KillAsync()
    {
        _process.Kill();
        await _process.WaitForExitAsync(CancellationToken.None).ConfigureAwait(false);
    }

    /// <summary>Asks it to stop in order, and returns when it has ended.</summary>
    public async Task TerminateAsync(CancellationToken cancellationToken)
    {
        await Signals.SendAsync(Signals.Terminate, [Id], cancellationToken).ConfigureAwait(false);
        await _process.WaitForExitAsync(cancellationToken).WaitAsync(Patience, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Shifts the wall clock by which its engine works.</summary>
    /// <param name="shift">From the true time; zero sets it right.</param>
    /// <param name="cancellationToken">Ends the wait for the answer.</param>
    /// <returns>How far its clock is ahead of that of this process.</returns>
    public async Task<TimeSpan> ShiftClockAsync(TimeSpan shift, CancellationToken cancellationToken)
    {
        var answer = await AskAsync(shift.ToString("c", CultureInfo.InvariantCulture), cancellationToken).ConfigureAwait(false);
        return DateTimeOffset.Parse(answer, CultureInfo.InvariantCulture) - DateTimeOffset.UtcNow;
    }

    /// <summary>Lets its callers end their instances; it goes on to move those of others.</summary>
    /// <returns>How many signals it has decided directly.</returns>
    public async Task<long> EndLoadAsync(CancellationToken cancellationToken) =>
        long.Parse(await AskAsync(HostProcess.EndLoad, cancellationToken).ConfigureAwait(false), CultureInfo.InvariantCulture);

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
            await KillAsync().ConfigureAwait(false);
        await _log.ConfigureAwait(false);
        _process.Dispose();
    }

    private async Task<string> AskAsync(string line, CancellationToken cancellationToken)
    {
        await _process.StandardInput.WriteLineAsync(line).ConfigureAwait(false);
        await _process.StandardInput.FlushAsync(cancellationToken).ConfigureAwait(false);
        return await _process
                .StandardOutput.ReadLineAsync(cancellationToken)
                .AsTask()
                .WaitAsync(Patience, cancellationToken)
                .ConfigureAwait(false)
            ?? throw new InvalidOperationException($"The process of {Name} has ended before it answered '{line}'.");
    }

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
            dependencies.Replace(".deps.json", ".runtimeconfig.json", StringComparison.Ordinal),
            typeof(HostProcess).Assembly.Location,
        ];
    }

    private static async Task CopyAsync(StreamReader from, string file)
    {
        var log = new StreamWriter(file) { AutoFlush = true };
        await using (log.ConfigureAwait(false))
        {
            while (await from.ReadLineAsync().ConfigureAwait(false) is { } line)
                await log.WriteLineAsync(line).ConfigureAwait(false);
        }
    }
}
