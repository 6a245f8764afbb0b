namespace Serdica.Perf.Measurement.Measuring;

/// <summary>The open TCP connections of this process.</summary>
internal static class ProcessConnections
{
    /// <summary>The state of an established connection, in hexadecimal digits.</summary>
    private const string Established = "01";

    private const int StateColumn = 3;
    private const int SocketColumn = 9;

    /// <returns>Null where the system does not report it, and where there is none: the server is then reached in another way.</returns>
    public static int? Count()
    {
        if (!OperatingSystem.IsLinux())
            return null;
        var established = new[] { "tcp", "tcp6" }
            .Select(table => SystemFile.Read(new EnvironmentOptions().SystemRoot, $"proc/self/net/{table}"))
            .OfType<string>()
            .SelectMany(text => text.Split('\n').Skip(1))
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(columns => columns.Length > SocketColumn && columns[StateColumn] == Established)
            .Select(columns => $"socket:[{columns[SocketColumn]}]")
            .ToHashSet();
        var count = Directory.EnumerateFileSystemEntries("/proc/self/fd").Count(file => established.Contains(Target(file)));
        return count == 0 ? null : count;
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
