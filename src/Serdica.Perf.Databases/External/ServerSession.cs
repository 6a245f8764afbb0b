namespace Serdica.Perf.Databases.External;

/// <summary>Finds out whether a session of a PostgreSQL server is a process of this machine, which only Linux tells.</summary>
internal static class ServerSession
{
    private const string Processes = "/proc";

    /// <summary>Whether a session is a child of a process, as all are of their server's first one.</summary>
    /// <param name="serverProcessId">Said to be the server's first process.</param>
    /// <param name="sessionProcessId">As the server tells it: in a container by the numbers that hold there.</param>
    /// <returns><see langword="null"/> where the system does not tell.</returns>
    public static bool? IsChildOf(int serverProcessId, int sessionProcessId)
    {
        if (!Directory.Exists($"{Processes}/self"))
            return null;

        return Directory.EnumerateDirectories(Processes)
            .Where(folder => char.IsAsciiDigit(Path.GetFileName(folder)[0]))
            .Select(Status)
            .Any(status => Last(status, "PPid:") == $"{serverProcessId}" && Last(status, "NSpid:") == $"{sessionProcessId}");
    }

    private static string[] Status(string folder)
    {
        try
        {
            return File.ReadAllLines($"{folder}/status");
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // It has ended, or is none of our business.
            return [];
        }
    }

    /// <summary>The last number of a field: of all that a process has, the one in its own container.</summary>
    private static string? Last(string[] status, string field) =>
        status.FirstOrDefault(line => line.StartsWith(field, StringComparison.Ordinal))?.Split([' ', '\t'], StringSplitOptions.RemoveEmptyEntries)[^1];
}
