namespace Serdica.Perf.Results.Machine;

/// <summary>
/// The work of all disks of the machine since it started, for all processes. It leaves out disks in memory, loop devices, and
/// devices that lie on other disks (device mapper, RAID), because those disks already count the work.
/// </summary>
/// <param name="Reads">Completed read requests, counted after the system had merged neighbours.</param>
/// <param name="ReadBytes">Bytes of the read requests.</param>
/// <param name="Writes">Completed write requests, counted after the system had merged neighbours.</param>
/// <param name="WriteBytes">Bytes of the write requests.</param>
internal sealed record MachineDisks(long Reads, long ReadBytes, long Writes, long WriteBytes)
{
    /// <summary>The unit of <c>/proc/diskstats</c> in bytes, independent of the disk's own sector size.</summary>
    private const int SectorBytes = 512;

    private static readonly string[] NoDisk = ["loop", "ram", "zram", "dm-", "md", "sr", "fd"];

    /// <returns>Null when the system does not report it. See proc_diskstats(5).</returns>
    public static MachineDisks? Read(string root)
    {
        if (SystemFile.Read(root, "proc/diskstats") is not { } text)
            return null;

        // Partitions are listed too; only whole devices have a folder of their own.
        var disks = text.Split('\n')
            .Select(line => line.Split(' ', RemoveEmptyEntries))
            .Where(fields =>
                fields.Length > 9
                && !NoDisk.Any(prefix => fields[2].StartsWith(prefix, Ordinal))
                && Directory.Exists(Path.Combine(root, "sys/block", fields[2]))
            )
            .ToArray();
        long Sum(int field) => disks.Sum(fields => long.Parse(fields[field], CultureInfo.InvariantCulture));
        return disks.Length == 0 ? null : new(Sum(3), Sum(5) * SectorBytes, Sum(7), Sum(9) * SectorBytes);
    }
}
