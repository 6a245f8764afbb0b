using System.Globalization;

namespace Serdica.Perf.Results.Machine;

/// <summary>
/// Processor time, memory and disk of a server on this Linux machine: a process and its children, as PostgreSQL's postmaster with
/// one process for each session.
/// </summary>
public static class ServerProcesses
{
    /// <summary>The kernel counts processor time for programs in hundredths of a second.</summary>
    private const double MillisecondsPerTick = 10;

    /// <summary>What the server has used since it started.</summary>
    /// <param name="root">The root of the file system that holds <c>proc</c>.</param>
    /// <param name="processId">Of the server's first process.</param>
    /// <returns><see langword="null"/> when there is no such process, or the system does not tell.</returns>
    public static ServerUsage? Read(string root, int processId)
    {
        if (Process.Read(root, processId) is not { } server)
            return null;

        var processes = Children(root, processId).Append(server).ToList();
        return new(
            TimeSpan.FromMilliseconds(processes.Sum(process => process.ProcessorMs)),
            processes.Sum(process => process.PrivateBytes) + processes.Max(process => process.SharedBytes),
            Disk: server.Disk is null ? null : processes.Select(process => process.Disk).OfType<DiskUsage>().Aggregate((sum, disk) => sum.Plus(disk)));
    }

    private static IEnumerable<Process> Children(string root, int parent) =>
        from folder in Directory.EnumerateDirectories(Path.Combine(root, "proc"))
        let id = int.TryParse(Path.GetFileName(folder), CultureInfo.InvariantCulture, out var number) ? number : 0
        where id > 0 && id != parent
        let process = Process.Read(root, id, parent)
        where process is not null
        select process;

    /// <param name="ProcessorMs">With that of its own children that have ended.</param>
    /// <param name="PrivateBytes">Memory that is no file's and nobody else's.</param>
    /// <param name="SharedBytes">What it has touched of the memory that it shares with others.</param>
    /// <param name="Disk">With that of its own children that have ended; null when it is not told, or the process has just ended.</param>
    private sealed record Process(double ProcessorMs, long PrivateBytes, long SharedBytes, DiskUsage? Disk)
    {
        /// <param name="root">As above.</param>
        /// <param name="id">Of the process.</param>
        /// <param name="parent">When given, other processes' children are none.</param>
        public static Process? Read(string root, int id, int? parent = null)
        {
            // The name of the program is in parentheses and may hold anything, blanks and parentheses too.
            var stat = SystemFile.Read(root, $"proc/{id}/stat");
            var fields = stat?[(stat.LastIndexOf(')') + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
            if (fields is not { Length: > 17 } || (parent is not null && Number(fields[1]) != parent))
                return null;

            var status = SystemFile.Read(root, $"proc/{id}/status");
            var ended = (Number(fields[13]) + Number(fields[14])) * MillisecondsPerTick;
            return new(ended + OwnMs(root, id, fields), Kibibytes(status, "RssAnon:"), Kibibytes(status, "RssShmem:"), DiskUsage.Read(root, $"{id}"));
        }

        /// <summary>By the scheduler's count of nanoseconds of its first thread, which is the only one; else in ticks.</summary>
        private static double OwnMs(string root, int id, string[] fields) =>
            SystemFile.Read(root, $"proc/{id}/schedstat")?.Split(' ') is [var nanoseconds, _, _] && Number(fields[17]) == 1
                ? Number(nanoseconds) / 1e6
                : (Number(fields[11]) + Number(fields[12])) * MillisecondsPerTick;

        private static long Kibibytes(string? status, string name) =>
            status?.Split('\n').FirstOrDefault(line => line.StartsWith(name, StringComparison.Ordinal)) is { } line
                ? (long)Number(line[name.Length..].Trim().Split(' ')[0]) * 1024
                : 0;

        private static double Number(string text) =>
            double.TryParse(text, CultureInfo.InvariantCulture, out var number) ? number : 0;
    }
}
