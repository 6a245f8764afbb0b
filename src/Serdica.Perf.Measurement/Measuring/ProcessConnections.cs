namespace Serdica.Perf.Measurement.Measuring;

/// <summary>The open TCP connections of processes on this machine.</summary>
/// <remarks>
/// To read them, the kernel walks its whole table of connections, which takes milliseconds: too long for what is read every second.
/// </remarks>
internal sealed class ProcessConnections
{
    /// <summary>The state of an established connection, in hexadecimal digits.</summary>
    private const string Established = "01";

    private const int StateColumn = 3;
    private const int SocketColumn = 9;

    private readonly HashSet<string> _established =
    [
        .. new[] { "tcp", "tcp6" }
            .Select(table => SystemFile.Read(new EnvironmentOptions().SystemRoot, $"proc/self/net/{table}"))
            .OfType<string>()
            .SelectMany(text => text.Split('\n').Skip(1))
            .Select(line => line.Split(' ', RemoveEmptyEntries))
            .Where(columns => columns.Length > SocketColumn && columns[StateColumn] == Established)
            .Select(columns => $"socket:[{columns[SocketColumn]}]"),
    ];

    /// <returns>
    /// Null where the system does not report it, where the process has ended, and where there is none: the server is then reached in
    /// another way.
    /// </returns>
    public int? Of(int process)
    {
        if (_established.Count == 0)
            return null;
        try
        {
            var files = Directory.EnumerateFileSystemEntries(Invariant($"/proc/{process}/fd"));
            var count = files.Count(file => _established.Contains(Target(file)));
            return count == 0 ? null : count;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    private static string Target(string file)
    {
        try
        {
            return new FileInfo(file).LinkTarget ?? "";
        }
        catch (IOException)
        {
            // Closed meanwhile.
            return "";
        }
    }
}
