namespace Serdica.Perf.Databases.Local;

/// <summary>
/// The folder of one throw-away server: a marker file that names the owner, and <c>server/</c>, which belongs to the
/// user that the server runs as.
/// </summary>
internal sealed class ClusterFolder
{
    public const string NamePrefix = "serdica-perf-postgresql-";
    public const string MarkerName = "owner";

    private const UnixFileMode Private = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    private ClusterFolder(string path)
    {
        Path = path;
    }

    public string Path { get; }

    /// <summary>What the server's user owns.</summary>
    public string ServerFolder => System.IO.Path.Combine(Path, "server");

    public string DataFolder => System.IO.Path.Combine(ServerFolder, "data");

    public string LogFile => System.IO.Path.Combine(ServerFolder, "server.log");

    public string PasswordFile => System.IO.Path.Combine(ServerFolder, "password");

    /// <summary>Where the server writes its process id.</summary>
    public string ProcessFile => System.IO.Path.Combine(DataFolder, "postmaster.pid");

    /// <summary>Where the log goes when the server does not start: beside the folder, which is removed.</summary>
    public string KeptLogFile => Path + ".log";

    /// <summary>
    /// Process id of the server, as the server itself wrote it; <see langword="null"/> when it does not run. The file
    /// belongs to the server's user and outlives the server, so only a process that serves this folder counts.
    /// </summary>
    public int? ServerProcessId
    {
        get
        {
            try
            {
                var file = new FileInfo(ProcessFile);
                var line = file is { Exists: true, LinkTarget: null } ? File.ReadLines(file.FullName).FirstOrDefault() : null;
                return
                    int.TryParse(line, NumberStyles.None, CultureInfo.InvariantCulture, out var id) && ServerProcess.Serves(id, DataFolder)
                    ? id
                    : null;
            }
            catch (IOException)
            {
                // A server that ends removes the file, perhaps between the two looks.
                return null;
            }
        }
    }

    public static ClusterFolder Create(string baseFolder)
    {
        var suffix = RandomNumberGenerator.GetHexString(8, lowercase: true);
        var folder = new ClusterFolder(System.IO.Path.Combine(baseFolder, $"{NamePrefix}{Environment.ProcessId}-{suffix}"));

        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(folder.ServerFolder);
        }
        else
        {
            // Others may pass through, not look: the server may run as another user than the suite.
            Directory.CreateDirectory(folder.Path, Private | UnixFileMode.GroupExecute | UnixFileMode.OtherExecute);
            Directory.CreateDirectory(folder.ServerFolder, Private);
        }

        ClusterOwner.ThisProcess.Write(System.IO.Path.Combine(folder.Path, MarkerName));
        return folder;
    }

    /// <summary>The folders of this user in <paramref name="baseFolder"/> that carry our marker, with their owners.</summary>
    public static IEnumerable<(ClusterFolder Folder, ClusterOwner Owner)> In(string baseFolder)
    {
        foreach (var path in OwnedFolders.In(baseFolder, NamePrefix + "*"))
        {
            if (ClusterOwner.Read(System.IO.Path.Combine(path, MarkerName)) is { } owner)
                yield return (new ClusterFolder(path), owner);
        }
    }

    public void Delete() => OwnFolder.Delete(Path);
}
