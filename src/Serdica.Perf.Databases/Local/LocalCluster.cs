using System.ComponentModel;

namespace Serdica.Perf.Databases.Local;

/// <summary>A PostgreSQL cluster in a folder of its own: made, started, stopped and removed with PostgreSQL's own programs.</summary>
internal sealed class LocalCluster(
    PostgreSqlFlavour flavour,
    ClusterFolder folder,
    PostgreSqlBinaries binaries,
    ServerUser? user,
    ILogger logger
)
{
    private const string SuperUser = "serdica";
    private const int PortAttempts = 3;

    private static readonly TimeSpan InitLimit = FromMinutes(2);
    private static readonly TimeSpan StartLimit = FromMinutes(1);
    private static readonly TimeSpan StopLimit = FromMinutes(1);

    // scram with a secret that only this process knows, and the server where it needs it (WayIn): on a shared machine
    // the port is open to every local user.
    private string _password = flavour.Password ?? RandomNumberGenerator.GetHexString(32);
    private readonly ServerCommand _command = new(user, folder.Path);
    private readonly ServerCommand _rootCommand = new(user: null, folder.Path);

    private int _port;
    private IReadOnlyList<string> _binding = [];
    private ServerVolume? _volume;

    public ClusterFolder Folder => folder;

    /// <summary>Makes the cluster.</summary>
    /// <param name="settings">The user's, on top of the suite's own.</param>
    /// <param name="made">One that never started, to copy together with its password; <see langword="null"/> runs initdb.</param>
    public async Task InitializeAsync(
        IReadOnlyDictionary<string, string> settings,
        LocalCluster? made,
        CancellationToken cancellationToken
    )
    {
        var configuration = LocalServerSettings.Compose(flavour, binaries, settings);
        await (made is null ? MakeAsync(cancellationToken) : CopyAsync(made, cancellationToken));
        await File.AppendAllTextAsync(Path.Combine(folder.DataFolder, "postgresql.conf"), configuration, cancellationToken);
    }

    /// <summary>Makes the cluster as initdb leaves it.</summary>
    public async Task MakeAsync(CancellationToken cancellationToken)
    {
        await WritePasswordAsync(cancellationToken);
        await GiveToServerUserAsync(cancellationToken);

        string[] arguments =
        [
            "-D",
            folder.DataFolder,
            "-U",
            SuperUser,
            "--pwfile",
            folder.PasswordFile,
            "-A",
            "scram-sha-256",
            "--no-locale",
            "--encoding=UTF8",
            "--no-instructions",
        ];
        var (exitCode, output) = await RunAsync(binaries.InitDb, arguments, InitLimit, cancellationToken);

        if (exitCode != 0)
            throw Fault($"initdb of PostgreSQL {binaries.Version} ended with exit code {exitCode}", output);

        File.Delete(folder.PasswordFile);
    }

    /// <summary>Starts the server on a free port and returns once it has carried out the first statement of its flavour.</summary>
    public async Task<NpgsqlConnectionStringBuilder> StartAsync(IReadOnlyList<string> binding, CancellationToken cancellationToken)
    {
        for (var attempt = 1; ; attempt++)
        {
            (_port, _binding) = (FreePort(), binding);
            var (exitCode, output) = await RunServerAsync(cancellationToken);
            if (exitCode == 0)
            {
                await AnswersAsync(flavour.FirstStatement, cancellationToken);
                return Connection;
            }

            // Between asking for a free port and binding it somebody else may have taken it.
            if (attempt == PortAttempts || !ReadLog().Contains("could not bind", Ordinal))
                throw DidNotStart(output);

            Log.PortTaken(logger, _port);
        }
    }

    /// <summary>Stops the server and leaves its data: at once, as after a crash, or in order.</summary>
    public async Task StopAsync(bool immediate, CancellationToken cancellationToken)
    {
        var (exitCode, output) = await RunAsync(binaries.PgCtl, Stop(immediate), StopLimit, cancellationToken);
        if (exitCode != 0)
            throw Fault($"PostgreSQL {binaries.Version} on port {_port} did not stop", output);
    }

    /// <summary>Starts the server on its old port after it was stopped or has died, and returns once it answers.</summary>
    public async Task StartAgainAsync(CancellationToken cancellationToken)
    {
        // While nobody has waited for a process that was killed, its number is in use, and PostgreSQL takes it for a running server.
        if (folder.ServerProcessId is null)
            File.Delete(folder.ProcessFile);
        var (exitCode, output) = await RunServerAsync(cancellationToken);
        if (exitCode != 0)
            throw DidNotStart(output);
        await AnswersAsync("select 1", cancellationToken);
    }

    /// <summary>
    /// Lets processes of the server write no file beyond a size; what they start inherits the limit. It ends with the processes.
    /// </summary>
    /// <param name="processes">The first must be there; others may have ended meanwhile.</param>
    /// <param name="bytes">Where writes begin to fail in each file.</param>
    public async Task LimitFilesAsync(IReadOnlyList<int> processes, long bytes, CancellationToken cancellationToken)
    {
        // Only the user whose processes they are may do that, root included where it lacks CAP_SYS_RESOURCE.
        const string Script = """
            limit=--fsize=$1:
            prlimit --pid "$2" "$limit" || exit 1
            shift 2
            for process; do prlimit --pid "$process" "$limit" 2>/dev/null; done
            exit 0
            """;
        string[] arguments =
        [
            "-c",
            Script,
            "limit",
            bytes.ToString(CultureInfo.InvariantCulture),
            .. processes.Select(process => process.ToString(CultureInfo.InvariantCulture)),
        ];
        var (exitCode, output) = await RunAsync("/bin/sh", arguments, StopLimit, cancellationToken);
        if (exitCode != 0)
            throw Fault($"prlimit (of util-linux) could not limit the files of PostgreSQL {binaries.Version} on port {_port}", output);
    }

    /// <summary>Starts the server again with a volume of its own, where this process may mount one.</summary>
    /// <returns>The place of the empty volume, or in <c>Problem</c> a sentence why there is none.</returns>
    public async Task<(string? Volume, string? Problem)> AddVolumeAsync(CancellationToken cancellationToken)
    {
        if (user is null)
            return (null, "A server has a volume of its own only where the suite runs as root on Linux, because it has to be mounted.");
        var volume = new ServerVolume(Path.Combine(folder.ServerFolder, "volume"), user);
        Directory.CreateDirectory(volume.Folder);
        var (exitCode, output) = await RunAsRootAsync([.. volume.Prefix, "true"], cancellationToken);
        if (exitCode != 0)
            return (null, $"A server has no volume of its own here, because this process may not mount one ({output}).");
        await StopAsync(immediate: false, cancellationToken);
        _volume = volume;
        await StartAgainAsync(cancellationToken);
        return (volume.Folder, null);
    }

    /// <summary>Takes all room that the volume of the server has left.</summary>
    public Task FillVolumeAsync(CancellationToken cancellationToken) =>
        ChangeVolumeAsync(static (volume, process) => volume.FillCommand(process), cancellationToken);

    /// <summary>Gives the volume of the server its room again.</summary>
    public Task FreeVolumeAsync(CancellationToken cancellationToken) =>
        ChangeVolumeAsync(static (volume, process) => volume.FreeCommand(process), cancellationToken);

    /// <summary>How many lines of the server's log have a text.</summary>
    public int CountInLog(string text) => ReadLog().Split('\n').Count(line => line.Contains(text, Ordinal));

    /// <summary>Stops the server and removes its folder. May be called in any state, and again.</summary>
    public void Remove()
    {
        if (folder.ServerProcessId is not null && !_command.Run(binaries.PgCtl, Stop(immediate: false), StopLimit))
            _command.Run(binaries.PgCtl, Stop(immediate: true), StopLimit);
        folder.Delete();
    }

    /// <summary>One that nobody listens on; somebody may before it is used.</summary>
    public static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private async Task ChangeVolumeAsync(Func<ServerVolume, int, string[]> command, CancellationToken cancellationToken)
    {
        if (_volume is not { } volume || folder.ServerProcessId is not { } process)
            throw new InvalidOperationException("The server has no volume of its own, or does not run.");
        var (exitCode, output) = await RunAsRootAsync(command(volume, process), cancellationToken);
        if (exitCode != 0)
            throw Fault($"The room of the volume of PostgreSQL {binaries.Version} on port {_port} could not be changed", output);
    }

    private async Task CopyAsync(LocalCluster made, CancellationToken cancellationToken)
    {
        _password = made._password;
        await GiveToServerUserAsync(cancellationToken);

        // As the server's user, who owns both folders and may read no other.
        var (exitCode, output) = await RunAsync("cp", ["-Rp", made.Folder.DataFolder, folder.DataFolder], InitLimit, cancellationToken);
        if (exitCode != 0)
            throw Fault($"{made.Folder.DataFolder} could not be copied", output);
    }

    private Task<(int ExitCode, string Output)> RunAsRootAsync(string[] line, CancellationToken cancellationToken) =>
        RunAsync(line[0], line[1..], StopLimit, cancellationToken, command: _rootCommand);

    private Task<(int ExitCode, string Output)> RunServerAsync(CancellationToken cancellationToken)
    {
        string[] line =
        [
            .. _volume?.Prefix ?? [],
            .. _binding,
            binaries.PgCtl,
            "start",
            "-D",
            folder.DataFolder,
            "-l",
            folder.LogFile,
            "-w",
            "-s",
            "-t",
            StartLimit.TotalSeconds.ToString(CultureInfo.InvariantCulture),
            "-o",
            $"-p {_port}",
        ];
        var command = _volume is null ? _command : _rootCommand;
        return RunAsync(line[0], line[1..], StartLimit + StopLimit, cancellationToken, WayIn, command);
    }

    private string[] Stop(bool immediate) => ["stop", "-D", folder.DataFolder, "-m", immediate ? "immediate" : "fast", "-w", "-s"];

    private DatabaseStartException DidNotStart(string output) =>
        Fault(
            $"PostgreSQL {binaries.Version} from {binaries.Folder} did not start on port {_port}",
            ReadLog() is { Length: > 0 } log ? log : output
        );

    private NpgsqlConnectionStringBuilder Connection =>
        new()
        {
            Host = IPAddress.Loopback.ToString(),
            Port = _port,
            Database = "postgres",
            Username = SuperUser,
            Password = _password,
        };

    /// <summary>
    /// The variables by which clients inside the server find it and log in, where it has such clients: libpq reads them,
    /// and of the machine's users only the server's own and root may.
    /// </summary>
    private Dictionary<string, string>? WayIn =>
        !flavour.ServerLogsInToItself
            ? null
            : new() { ["PGPORT"] = _port.ToString(CultureInfo.InvariantCulture), ["PGPASSWORD"] = _password };

    private async Task AnswersAsync(string statement, CancellationToken cancellationToken)
    {
        try
        {
            var settings = Connection;
            settings.Pooling = false;
            await using var connection = new NpgsqlConnection(settings.ConnectionString);
            await connection.OpenAsync(cancellationToken);
            await using var command = new NpgsqlCommand(statement, connection);
            command.CommandTimeout = (int)StartLimit.TotalSeconds;
            await command.ExecuteNonQueryAsync(cancellationToken);
        }
        catch (NpgsqlException e)
        {
            throw Fault(
                $"PostgreSQL {binaries.Version} started on port {_port}, but did not carry out '{statement}' ({e.Message})",
                ReadLog()
            );
        }
    }

    private async Task WritePasswordAsync(CancellationToken cancellationToken)
    {
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };

        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;

        await using var writer = new StreamWriter(folder.PasswordFile, options);
        await writer.WriteLineAsync(ScramSecret.Of(_password).AsMemory(), cancellationToken);
    }

    private async Task GiveToServerUserAsync(CancellationToken cancellationToken)
    {
        if (user is null)
            return;

        string[] arguments = ["-R", $"{user.UserId}:{user.GroupId}", folder.ServerFolder];
        var (exitCode, output) = await _rootCommand.RunAsync("chown", arguments, StopLimit, cancellationToken);

        if (exitCode != 0)
            throw Fault($"{folder.ServerFolder} could not be given to the user '{user.Name}'", output);
    }

    private async Task<(int ExitCode, string Output)> RunAsync(
        string program,
        string[] arguments,
        TimeSpan limit,
        CancellationToken cancellationToken,
        Dictionary<string, string>? environment = null,
        ServerCommand? command = null
    )
    {
        try
        {
            return await (command ?? _command).RunAsync(program, arguments, limit, cancellationToken, environment);
        }
        catch (Exception e) when (e is TimeoutException or Win32Exception)
        {
            throw Fault($"{program} failed ({e.Message})", ReadLog());
        }
    }

    /// <summary>
    /// The log belongs to the server's user, who may have put a link in its place: what root may read is not read through it.
    /// </summary>
    private string ReadLog() =>
        new FileInfo(folder.LogFile) is { Exists: true, LinkTarget: null } ? File.ReadAllText(folder.LogFile).Trim() : "";

    /// <summary>Keeps what the server said beside the folder, and quotes its end.</summary>
    private DatabaseStartException Fault(string what, string output) => KeptLog.Fault(what, output, folder.KeptLogFile);
}
