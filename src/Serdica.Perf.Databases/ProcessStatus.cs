namespace Serdica.Perf.Databases;

/// <summary>What Linux reports about a process in <c>/proc/PID/status</c>.</summary>
internal static class ProcessStatus
{
    /// <summary>The ids of a process's children; none where the system does not report them.</summary>
    public static IEnumerable<string> ChildrenOf(int process) =>
        Directory.Exists("/proc/self")
            ? Directory
                .EnumerateDirectories("/proc")
                .Select(folder => Path.GetFileName(folder))
                .Where(id => char.IsAsciiDigit(id[0]) && Read(id, "PPid") == Invariant($"{process}"))
            : [];

    /// <param name="field">Name of the field, without its colon.</param>
    /// <returns><see langword="null"/> where the system does not report it, or the process has ended.</returns>
    public static string? Read(string process, string field)
    {
        try
        {
            return File.ReadLines($"/proc/{process}/status")
                .FirstOrDefault(line => line.StartsWith($"{field}:", Ordinal))
                ?[(field.Length + 1)..].Trim();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }
}
