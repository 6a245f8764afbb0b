using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using Serdica.Perf.Databases.Containers;
using Serdica.Perf.Databases.Local;
using Serdica.Perf.Databases.PostgreSql.Installed;

namespace Serdica.Perf.Databases.Tests.Containers;

/// <summary>A process in place of a container, started as the image's entry point starts it.</summary>
internal sealed class ProcessContainer : IDatabaseContainer
{
    // It tells the password, as an image may that is not careful.
    private const string EntryPoint = """
        exec > "$1" 2>&1
        port="$2"
        shift 2
        echo "password is $POSTGRES_PASSWORD"
        printf '%s' "$POSTGRES_PASSWORD" > password
        initdb -D "$PGDATA" -U "$POSTGRES_USER" --pwfile=password -A scram-sha-256 $POSTGRES_INITDB_ARGS --no-sync || exit 1
        exec "$@" -c "port=$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories=
        """;

    private static readonly TimeSpan Forever = TimeSpan.FromHours(1);
    private static readonly TimeSpan StopLimit = TimeSpan.FromSeconds(30);

    private readonly string _folder;
    private readonly double? _cpus;
    private readonly PostgreSqlBinaries _binaries;
    private readonly ServerCommand _command;
    private readonly Task<(int ExitCode, string Output)> _process;

    private ProcessContainer(ContainerPlan plan, string folder, double? cpus, PostgreSqlBinaries binaries, ServerUser? user)
    {
        (Plan, _folder, _cpus, _binaries) = (plan, folder, cpus, binaries);
        _command = new ServerCommand(user, folder);
        Port = FreePort();
        var environment = plan.Environment.ToDictionary(entry => entry.Key, entry => Here(entry.Value));
        environment["PATH"] = $"{binaries.Folder}:{Environment.GetEnvironmentVariable("PATH")}";
        string[] arguments = ["-c", EntryPoint, "sh", LogFile, Port.ToString(CultureInfo.InvariantCulture), .. plan.Command];
        _process = _command.RunAsync("sh", arguments, Forever, CancellationToken.None, environment);
    }

    public ContainerPlan Plan { get; }

    public string Id { get; } = Guid.NewGuid().ToString("N");

    public string Host => IPAddress.Loopback.ToString();

    public int Port { get; }

    private string LogFile => Path.Combine(_folder, "log");

    private string DataFolder => Path.Combine(_folder, "data");

    public static async Task<ProcessContainer> StartAsync(
        ContainerPlan plan,
        string folder,
        double? cpus,
        CancellationToken cancellationToken
    )
    {
        var (user, _) = ServerUser.ForThisProcess();
        Directory.CreateDirectory(folder);

        if (user is not null)
            await new ServerCommand(user: null, folder).RunAsync(
                "chown",
                [$"{user.UserId}:{user.GroupId}", folder],
                StopLimit,
                cancellationToken
            );

        return new ProcessContainer(plan, folder, cpus, PostgreSqlBinarySearch.OnThisMachine().Find().Binaries!, user);
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
            RanOutOfMemory: false
        );

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

        var (exitCode, output) = await _command.RunAsync(command[0], [.. command.Skip(1).Select(Here)], StopLimit, cancellationToken);
        return new CommandOutcome(exitCode, output, "");
    }

    public async Task RemoveAsync()
    {
        // One that has only just been started is between initdb and the server.
        while (
            !_process.IsCompleted && !_command.Run(_binaries.PgCtl, ["stop", "-D", DataFolder, "-m", "immediate", "-w", "-s"], StopLimit)
        )
            await Task.WhenAny(_process, Task.Delay(TimeSpan.FromMilliseconds(100)));

        await _process;
        Directory.Delete(_folder, recursive: true);
    }

    private string Here(string text) => text.Replace(Plan.DataFolder, _folder, StringComparison.Ordinal);

    private int? ServerProcessId()
    {
        var file = Path.Combine(DataFolder, "postmaster.pid");
        return File.Exists(file) ? int.Parse(File.ReadLines(file).First(), CultureInfo.InvariantCulture) : null;
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }
}
