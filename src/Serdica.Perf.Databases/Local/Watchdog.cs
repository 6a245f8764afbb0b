using System.Diagnostics;

namespace Serdica.Perf.Databases.Local;

/// <summary>
/// A shell beside the server that holds the read end of a pipe from this process. The pipe closes when this process
/// ends, however it ends, <c>kill -9</c> included; then the shell stops the server and removes its folder.
/// </summary>
/// <remarks>
/// It works because nobody else holds the write end: .NET opens it close-on-exec, so the server, started later, does
/// not inherit it. Windows has no such shell; there the next start sweeps (<see cref="StaleClusters"/>).
/// </remarks>
internal sealed class Watchdog : IDisposable
{
    // Detached, in a session of its own where there is setsid: who kills the suite's process tree or group, as test
    // runners do at a time limit, must not kill the watchdog first.
    private const string Launcher =
        """
        exec 3<&0
        if command -v setsid >/dev/null 2>&1; then
            setsid sh -c "$1" watchdog "$2" <&3 3<&- >/dev/null 2>&1 &
        else
            sh -c "$1" watchdog "$2" <&3 3<&- >/dev/null 2>&1 &
        fi
        """;

    // SIGQUIT is PostgreSQL's immediate shutdown: nothing here is worth a checkpoint. While the server's pid file is
    // missing the server may be about to write it, so the folder is left alone for two rounds before it goes.
    private const string Script =
        """
        trap '' HUP INT TERM QUIT PIPE
        cd /
        while read -r line; do :; done
        round=0
        while [ -d "$1" ] && [ "$round" -lt 20 ]; do
            if read -r pid < "$1/server/data/postmaster.pid"; then
                kill -QUIT "$pid"
                waited=0
                while kill -0 "$pid" && [ "$waited" -lt 5 ]; do sleep 1; waited=$((waited + 1)); done
                if kill -0 "$pid"; then kill -KILL "$pid"; fi
                rm -rf "$1"
            elif [ "$round" -ge 2 ]; then
                rm -rf "$1"
            fi
            if [ -d "$1" ]; then sleep 1; fi
            round=$((round + 1))
        done
        """;

    private readonly StreamWriter _pipe;

    private Watchdog(StreamWriter pipe)
    {
        _pipe = pipe;
    }

    /// <summary>Starts watching over a folder; <see langword="null"/> where there is no shell to do it.</summary>
    public static async Task<Watchdog?> StartAsync(ClusterFolder folder, CancellationToken cancellationToken)
    {
        if (OperatingSystem.IsWindows())
            return null;

        var start = new ProcessStartInfo("/bin/sh", ["-c", Launcher, "launcher", Script, folder.Path])
        {
            RedirectStandardInput = true,
            WorkingDirectory = "/",
        };

        // The stream outlives the Process object, which only stood for the launcher.
        using var launcher = Process.Start(start)!;
        var pipe = launcher.StandardInput;
        await launcher.WaitForExitAsync(cancellationToken).ConfigureAwait(false);
        return new Watchdog(pipe);
    }

    /// <summary>Closes the pipe: the watchdog removes the folder if it is still there, and ends.</summary>
    public void Dispose() => _pipe.Dispose();
}
