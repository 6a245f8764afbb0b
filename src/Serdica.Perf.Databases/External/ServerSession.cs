namespace Serdica.Perf.Databases.External;

/// <summary>Finds out whether a session of a PostgreSQL server is a process of this machine, which only Linux reports.</summary>
internal static class ServerSession
{
    /// <summary>Whether a session is a child of a process, as all are of their server's first one.</summary>
    /// <param name="serverProcessId">Said to be the server's first process.</param>
    /// <param name="sessionProcessId">As the server reports it: in a container, the number inside of it.</param>
    /// <returns><see langword="null"/> where the system does not report it.</returns>
    public static bool? IsChildOf(int serverProcessId, int sessionProcessId) =>
        Directory.Exists("/proc/self")
            ? ProcessStatus.ChildrenOf(serverProcessId).Any(process => OwnNumber(process) == $"{sessionProcessId}")
            : null;

    /// <summary>The last of all numbers that a process has: the one in its own container.</summary>
    private static string? OwnNumber(string process) => ProcessStatus.Read(process, "NSpid")?.Split([' ', '\t'])[^1];
}
