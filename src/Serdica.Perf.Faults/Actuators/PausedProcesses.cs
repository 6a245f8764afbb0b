namespace Serdica.Perf.Faults.Actuators;

/// <summary>
/// Processes that are stopped by SIGSTOP until this object is disposed. A shell holds them, and resumes them when its input ends: also
/// when this process is killed.
/// </summary>
internal sealed class PausedProcesses : IAsyncDisposable
{
    private const string Script = """
        trap '' HUP INT TERM
        kill -STOP "$@" 2>/dev/null
        echo stopped
        read -r _
        kill -CONT "$@" 2>/dev/null
        """;

    private readonly Process _shell;
    private readonly IReadOnlyList<int> _processes;

    private PausedProcesses(Process shell, IReadOnlyList<int> processes) => (_shell, _processes) = (shell, processes);

    /// <summary>How many of the processes are stopped now.</summary>
    public int Stopped => _processes.Count(ProcessTree.IsStopped);

    public static async Task<PausedProcesses> PauseAsync(IReadOnlyList<int> processes, CancellationToken cancellationToken)
    {
        var start = new ProcessStartInfo("/bin/sh", ["-c", Script, "pause", .. Signals.Arguments(processes)])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        var paused = new PausedProcesses(Process.Start(start)!, processes);
        try
        {
            await paused._shell.StandardOutput.ReadLineAsync(cancellationToken);

            // A signal is only sent by then: on a busy machine a process runs a little longer.
            while (processes.Any(static process => ProcessTree.IsAlive(process) && !ProcessTree.IsStopped(process)))
                await Task.Delay(1, cancellationToken);
            return paused;
        }
        catch
        {
            await paused.DisposeAsync();
            throw;
        }
    }

    /// <summary>Resumes them.</summary>
    public async ValueTask DisposeAsync()
    {
        _shell.StandardInput.Close();
        await _shell.WaitForExitAsync();
        _shell.Dispose();
    }
}
