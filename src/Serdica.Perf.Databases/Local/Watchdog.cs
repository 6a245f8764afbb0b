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
    private const string Launcher = """
        exec 3<&0
        script=$1
        shift
        if command -v setsid >/dev/null 2>&1; then
            setsid sh -c "$script" watchdog "$@" <&3 3<&- >/dev/null 2>&1 &
        else
            sh -c "$script" watchdog "$@" <&3 3<&- >/dev/null 2>&1 &
        fi
        """;

    // The first argument is the folder; the others, if there are any, become the server's user. The pid file belongs to
    // that user and outlives the server, so its number is only digits, and the process's arguments name the data folder,
    // or nothing is signalled; and the signal is sent as that user, who can reach nobody else's process.
    //
    // SIGQUIT is PostgreSQL's immediate shutdown: nothing here is worth a checkpoint. While the server's pid file is
    // missing or is not its own the server may be about to write it, so the folder is left alone for two rounds before it goes.
    private const string Script = """
        trap '' HUP INT TERM QUIT PIPE
        cd /
        folder=$1
        shift
        serves() {
            if [ -r "/proc/$1/cmdline" ]; then
                tr '\0' '\n' < "/proc/$1/cmdline" | grep -Fxq -e "$folder/server/data"
            else
                case " $(ps -o command= -p "$1") " in *" $folder/server/data "*) true ;; *) false ;; esac
            fi
        }
        server() {
            pid=
            file=$folder/server/data/postmaster.pid
            if [ -f "$file" ] && [ ! -L "$file" ]; then read -r pid < "$file"; fi
            case $pid in ''|*[!0-9]*) false ;; *) serves "$pid" ;; esac
        }
        while read -r line; do :; done
        round=0
        while [ -d "$folder" ] && [ "$round" -lt 20 ]; do
            if server; then
                "$@" sh -c 'kill -QUIT "$1"' kill "$pid"
                waited=0
                while serves "$pid" && [ "$waited" -lt 5 ]; do sleep 1; waited=$((waited + 1)); done
                if serves "$pid"; then "$@" sh -c 'kill -KILL "$1"' kill "$pid"; fi
                rm -rf "$folder"
            elif [ "$round" -ge 2 ]; then
                rm -rf "$folder"
            fi
            if [ -d "$folder" ]; then sleep 1; fi
            round=$((round + 1))
        done
        """;

    private readonly StreamWriter _pipe;

    private Watchdog(StreamWriter pipe)
    {
        _pipe = pipe;
    }

    /// <summary>Starts watching over a folder; <see langword="null"/> where there is no shell to do it.</summary>
    public static async Task<Watchdog?> StartAsync(ClusterFolder folder, ServerUser? user, CancellationToken cancellationToken)
    {
        if (OperatingSystem.IsWindows())
            return null;

        var start = new ProcessStartInfo("/bin/sh", ["-c", Launcher, "launcher", Script, folder.Path, .. user?.Prefix ?? []])
        {
            RedirectStandardInput = true,
            WorkingDirectory = "/",
        };

        // The stream outlives the Process object, which only stood for the launcher.
        using var launcher = Process.Start(start)!;
        var pipe = launcher.StandardInput;
        await launcher.WaitForExitAsync(cancellationToken);
        return new Watchdog(pipe);
    }

    /// <summary>Closes the pipe: the watchdog removes the folder if it is still there, and ends.</summary>
    public void Dispose() => _pipe.Dispose();
}
