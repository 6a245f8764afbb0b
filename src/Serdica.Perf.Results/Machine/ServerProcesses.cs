namespace Serdica.Perf.Results.Machine;

/// <summary>
/// Processor time, memory and disk traffic of a server on this Linux machine: a process and its children, such as PostgreSQL's
/// postmaster with one process for each session.
/// </summary>
internal static class ServerProcesses
{
    /// <summary>The kernel reports the processor time of processes in hundredths of a second.</summary>
    private const double MillisecondsPerTick = 10;

    /// <summary>What the server has used since it started.</summary>
    /// <param name="processId">The process id of the server's first process.</param>
    /// <returns><see langword="null"/> when there is no such process, or the system does not report it.</returns>
    public static ServerUsage? Read(string root, int processId)
    {
        if (Process.Read(root, processId) is not { } server)
            return null;

        var processes = Children(root, processId).Append(server).ToList();
        return new(
            FromMilliseconds(processes.Sum(process => process.ProcessorMs)),
            processes.Sum(process => process.PrivateBytes) + processes.Max(process => process.SharedBytes),
            Disk: server.Disk is null
                ? null
                : processes.Select(process => process.Disk).OfType<DiskUsage>().Aggregate((sum, disk) => sum.Plus(disk))
        );
    }

    private static IEnumerable<Process> Children(string root, int parent) =>
        from folder in Directory.EnumerateDirectories(Path.Combine(root, "proc"))
        let id = int.TryParse(Path.GetFileName(folder), CultureInfo.InvariantCulture, out var number) ? number : 0
        where id > 0 && id != parent
        let process = Process.Read(root, id, parent)
        where process is not null
        select process;

    /// <param name="ProcessorMs">Processor time in milliseconds, including children that have ended.</param>
    /// <param name="PrivateBytes">Memory in bytes that belongs to no file and is not shared.</param>
    /// <param name="SharedBytes">Bytes of shared memory that the process has touched.</param>
    /// <param name="Disk">
    /// Disk traffic, including children that have ended; null when it is not reported, or the process has just ended.
    /// </param>
    private sealed record Process(double ProcessorMs, long PrivateBytes, long SharedBytes, DiskUsage? Disk)
    {
        /// <param name="parent">When given, a process with another parent is not read.</param>
        public static Process? Read(string root, int id, int? parent = null)
        {
            // The program's name is in parentheses and may contain anything, even blanks and parentheses.
            var stat = SystemFile.Read(root, $"proc/{id}/stat");
            var fields = stat?[(stat.LastIndexOf(')') + 1)..].Split(' ', RemoveEmptyEntries);
            if (fields is not { Length: > 17 } || (parent is not null && Number(fields[1]) != parent))
                return null;

            var status = SystemFile.Read(root, $"proc/{id}/status");
            var ended = (Number(fields[13]) + Number(fields[14])) * MillisecondsPerTick;
            return new(
                ended + OwnMs(root, id, fields),
                Kibibytes(status, "RssAnon:"),
                Kibibytes(status, "RssShmem:"),
                DiskUsage.Read(root, $"{id}")
            );
        }

        /// <summary>The scheduler's nanoseconds of the first and only thread where available, otherwise ticks.</summary>
        private static double OwnMs(string root, int id, string[] fields) =>
            SystemFile.Read(root, $"proc/{id}/schedstat")?.Split(' ') is [var nanoseconds, _, _] && Number(fields[17]) == 1
                ? Number(nanoseconds) / 1e6
                : (Number(fields[11]) + Number(fields[12])) * MillisecondsPerTick;

        private static long Kibibytes(string? status, string name) =>
            status?.Split('\n').FirstOrDefault(line => line.StartsWith(name, Ordinal)) is { } line
                ? (long)Number(line[name.Length..].Trim().Split(' ')[0]) * 1024
                : 0;

        private static double Number(string text) => double.TryParse(text, CultureInfo.InvariantCulture, out var number) ? number : 0;
    }
}
