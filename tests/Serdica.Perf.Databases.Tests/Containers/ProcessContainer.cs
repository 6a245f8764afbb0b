using System.Net;
using System.Net.Sockets;

namespace Serdica.Perf.Databases.Tests.Containers;

/// <summary>A process in place of a container, started as the image's entry point starts it.</summary>
internal sealed class ProcessContainer : IDatabaseContainer
{
    // It tells the password, as an image may that is not careful.
    private const string EntryPoint = """
        exec >> "$1" 2>&1
        port="$2"
        shift 2
        echo "password is $POSTGRES_PASSWORD"
        printf '%s' "$POSTGRES_PASSWORD" > password
        [ -e "$PGDATA/PG_VERSION" ] \
            || initdb -D "$PGDATA" -U "$POSTGRES_USER" --pwfile=password -A scram-sha-256 $POSTGRES_INITDB_ARGS --no-sync || exit 1
        exec "$@" -c "port=$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories=
        """;

    // The first process is stopped at first, for it may be about to start others. After KILL and STOP none of them runs.
    private const string SignalAll = """
        runs() { grep -qs "^State:.[RSD]" "/proc/$1/status"; }
        kill -STOP $2
        while runs $2; do :; done
        all="$(cat /proc/$2/task/$2/children) $2"
        kill -$1 $all
        [ $1 = CONT ] || for process in $all; do while runs $process; do :; done; done
        """;

    private static readonly TimeSpan Forever = FromHours(1);

    private readonly string _folder;
    private readonly double? _cpus;
    private readonly PostgreSqlBinaries _binaries;
    private readonly ServerCommand _command;
    private readonly Dictionary<string, string> _environment;
    private Task<(int ExitCode, string Output)> _process;
    private DateTimeOffset _startedAt;

    private ProcessContainer(ContainerPlan plan, string folder, double? cpus, PostgreSqlBinaries binaries, string host, ServerUser? user)
    {
        (Plan, _folder, _cpus, _binaries, Host) = (plan, folder, cpus, binaries, host);
        _command = new ServerCommand(user, folder);
        _environment = plan.Environment.ToDictionary(entry => entry.Key, entry => Here(entry.Value));
        _environment["PATH"] = $"{binaries.Folder}:{Environment.GetEnvironmentVariable("PATH")}";
        _process = RunEntryPointAsync();
    }

    public ContainerPlan Plan { get; }

    public string Id { get; } = Guid.NewGuid().ToString("N");

    public string Host { get; }

    public int Port { get; private set; }

    public bool IsPaused { get; private set; }

    private string LogFile => Path.Combine(_folder, "log");

    private string DataFolder => Path.Combine(_folder, "data");

    private string ProcessFile => Path.Combine(DataFolder, "postmaster.pid");

    public static async Task<ProcessContainer> StartAsync(
        ContainerPlan plan,
        string folder,
        double? cpus,
        PostgreSqlBinaries binaries,
        string host,
        CancellationToken cancellationToken
    )
    {
        var (user, _) = ServerUser.ForThisProcess();
        Directory.CreateDirectory(folder);

        if (user is not null)
            await new ServerCommand(user: null, folder).RunAsync(
                "chown",
                [$"{user.UserId}:{user.GroupId}", folder],
                HangGuard.Limit,
                cancellationToken
            );

        return new ProcessContainer(plan, folder, cpus, binaries, host, user);
    }

    /// <summary>Its processes that are said to have been killed for want of memory.</summary>
    public int Killed { get; set; }

    public async Task<ContainerState> InspectAsync(CancellationToken cancellationToken) =>
        new(
            !_process.IsCompleted,
            _process.IsCompleted ? (await _process).ExitCode : 0,
            $"{Plan.Image}, id stand-in",
            _cpus,
            Plan.MemoryBytes,
            RanOutOfMemory: false,
            IsPaused,
            _startedAt
        );

    public async Task SignalAsync(string signal, CancellationToken cancellationToken)
    {
        // The others of a container end with the first process.
        if (signal == "SIGKILL")
            await SignalAllAsync("KILL");
        else
            await _command.RunAsync("kill", [$"-{signal[3..]}", Text(ServerProcessId()!.Value)], HangGuard.Limit, cancellationToken);
    }

    public Task StartAgainAsync(CancellationToken cancellationToken)
    {
        File.Delete(ProcessFile);
        _process = RunEntryPointAsync();
        return Task.CompletedTask;
    }

    public async Task SetPausedAsync(bool isPaused, CancellationToken cancellationToken)
    {
        await SignalAllAsync(isPaused ? "STOP" : "CONT");
        IsPaused = isPaused;
    }

    public Task<string> ReadLogAsync(CancellationToken cancellationToken) => File.ReadAllTextAsync(LogFile, cancellationToken);

    public Task<ContainerUsage> ReadUsageAsync(CancellationToken cancellationToken)
    {
        using var server = Process.GetProcessById(ServerProcessId()!.Value);
        return Task.FromResult(new ContainerUsage(server.TotalProcessorTime, server.WorkingSet64, null, null));
    }

    public async Task<CommandOutcome> RunAsync(IReadOnlyList<string> command, CancellationToken cancellationToken)
    {
        // Those of the machine are not its own.
        if (command.SequenceEqual(["cat", .. MemoryProbe.Counters]))
            return new CommandOutcome(1, $"oom_kill_disable 0\nunder_oom 0\noom_kill {Killed}\n", "");

        var (exitCode, output) = await _command.RunAsync(command[0], [.. command.Skip(1).Select(Here)], HangGuard.Limit, cancellationToken);
        return new CommandOutcome(exitCode, output, "");
    }

    public async Task RemoveAsync()
    {
        if (IsPaused)
            await SetPausedAsync(false, CancellationToken.None);

        // One that has only just been started is between initdb and the server.
        while (
            !_process.IsCompleted
            && !_command.Run(_binaries.PgCtl, ["stop", "-D", DataFolder, "-m", "immediate", "-w", "-s"], HangGuard.Limit)
        )
            await Task.WhenAny(_process, Task.Delay(FromMilliseconds(100)));

        await _process;
        Directory.Delete(_folder, recursive: true);
    }

    private string Here(string text) => text.Replace(Plan.DataFolder, _folder);

    private Task<(int ExitCode, string Output)> RunEntryPointAsync()
    {
        var before = Port;
        while (Port == before)
            Port = FreePort();
        _startedAt = DateTimeOffset.UtcNow;
        string[] arguments = ["-c", EntryPoint, "sh", LogFile, Text(Port), .. Plan.Command];
        return _command.RunAsync("sh", arguments, Forever, CancellationToken.None, _environment);
    }

    private async Task SignalAllAsync(string signal)
    {
        string[] arguments = ["-c", SignalAll, "signal", signal, Text(ServerProcessId()!.Value)];
        var (exitCode, output) = await _command.RunAsync("sh", arguments, HangGuard.Limit, CancellationToken.None);
        Assert.True(exitCode == 0, output);
    }

    private int? ServerProcessId() =>
        File.Exists(ProcessFile) ? int.Parse(File.ReadLines(ProcessFile).First(), CultureInfo.InvariantCulture) : null;

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
