using System.Globalization;

namespace Serdica.Perf.Results.Machine;

/// <summary>
/// What all disks of the machine have carried since it started, everybody's work included. Disks in memory and loop devices are not in
/// it, nor are those that lie on others (device mapper, RAID), whose work these have done already.
/// </summary>
/// <param name="Reads">Requests that were completed, after the system had merged neighbours.</param>
/// <param name="ReadBytes">In them.</param>
/// <param name="Writes">The same of writes.</param>
/// <param name="WriteBytes">In them.</param>
public sealed record MachineDisks(long Reads, long ReadBytes, long Writes, long WriteBytes)
{
    /// <summary>Of <c>/proc/diskstats</c>, whatever the disk's own sector is.</summary>
    private const int SectorBytes = 512;

    private static readonly string[] NoDisk = ["loop", "ram", "zram", "dm-", "md", "sr", "fd"];

    /// <param name="root">The root of the file system that holds <c>proc</c> and <c>sys</c>.</param>
    /// <returns>Null when the system does not tell. See proc_diskstats(5).</returns>
    public static MachineDisks? Read(string root)
    {
        if (SystemFile.Read(root, "proc/diskstats") is not { } text)
            return null;

        // Partitions are listed as well; only whole devices have a folder of their own.
        var disks = text.Split('\n')
            .Select(line => line.Split(' ', StringSplitOptions.RemoveEmptyEntries))
            .Where(fields => fields.Length > 9
                && !NoDisk.Any(prefix => fields[2].StartsWith(prefix, StringComparison.Ordinal))
                && Directory.Exists(Path.Combine(root, "sys/block", fields[2])))
            .ToArray();
        long Sum(int field) => disks.Sum(fields => long.Parse(fields[field], CultureInfo.InvariantCulture));
        return disks.Length == 0 ? null : new(Sum(3), Sum(5) * SectorBytes, Sum(7), Sum(9) * SectorBytes);
    }
}
