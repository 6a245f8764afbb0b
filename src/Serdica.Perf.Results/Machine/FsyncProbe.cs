namespace Serdica.Perf.Results.Machine;

/// <summary>
/// Measures the lower bound of the cost of a durable commit on a volume: one block in a file of fixed size is overwritten and
/// flushed to the disk repeatedly, as a database does with its log.
/// </summary>
internal static class FsyncProbe
{
    /// <summary>The size of each write in bytes.</summary>
    public const int BlockBytes = 8 * 1024;

    private const int FileBlocks = 1024;

    /// <summary>The duration of the probe unless another one is given.</summary>
    public static TimeSpan DefaultDuration { get; internal set; } = FromSeconds(2);

    /// <summary>Writes 8 MiB into <paramref name="directory"/> and removes them again. At least one write is measured.</summary>
    /// <exception cref="IOException">The directory cannot be written to.</exception>
    public static FsyncProbeResult Run(string directory, TimeSpan duration, CancellationToken cancellationToken)
    {
        var path = Path.Combine(directory, $"serdica-perf-fsync-{Guid.NewGuid():N}.tmp");
        using var file = File.OpenHandle(path, FileMode.CreateNew, FileAccess.Write, FileShare.None, FileOptions.DeleteOnClose);
        RandomAccess.Write(file, new byte[BlockBytes * FileBlocks], 0);
        RandomAccess.FlushToDisk(file);

        var block = new byte[BlockBytes];
        Random.Shared.NextBytes(block);
        var histogram = new LatencyHistogram();
        var before = DiskUsage.Read("/", "self");
        var begin = Stopwatch.GetTimestamp();
        long end;
        do
        {
            cancellationToken.ThrowIfCancellationRequested();
            var start = Stopwatch.GetTimestamp();
            RandomAccess.Write(file, block, histogram.Count % FileBlocks * BlockBytes);
            RandomAccess.FlushToDisk(file);
            end = Stopwatch.GetTimestamp();
            histogram.Record(start, end);
        } while (Stopwatch.GetElapsedTime(begin, end) < duration);

        return new(
            BlockBytes,
            histogram.Count / Stopwatch.GetElapsedTime(begin, end).TotalSeconds,
            FileSystemOf(directory),
            histogram.Summarize()
        )
        {
            CountedPerByte = CountedPerByte(before, DiskUsage.Read("/", "self"), histogram.Count),
        };
    }

    /// <summary>See <see cref="FsyncProbeResult.CountedPerByte"/>.</summary>
    internal static double? CountedPerByte(DiskUsage? before, DiskUsage? after, long blocks) =>
        (double?)(after?.WriteBytes - before?.WriteBytes) / (blocks * BlockBytes);

    /// <summary>
    /// The result from durations that were measured elsewhere, of writes of <see cref="BlockBytes"/>; null when there are none.
    /// </summary>
    public static FsyncProbeResult? Of(IReadOnlyList<TimeSpan> writes, string? fileSystem)
    {
        var histogram = new LatencyHistogram();
        foreach (var write in writes)
            histogram.Record(write);
        return writes.Count == 0
            ? null
            : new(BlockBytes, writes.Count / writes.Sum(write => write.TotalSeconds), fileSystem, histogram.Summarize());
    }

    /// <summary>The type of file system of a directory, for instance <c>ext4</c> or <c>tmpfs</c>; null when it is unknown.</summary>
    public static string? FileSystemOf(string directory)
    {
        try
        {
            return new DriveInfo(Path.GetFullPath(directory)).DriveFormat;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }
}

/// <summary>The cost of a flushed write on one volume.</summary>
/// <param name="BlockBytes">The size of each write in bytes.</param>
/// <param name="WritesPerSecond">Flushed writes a second, one after the other.</param>
/// <param name="FileSystem">The type of file system, for instance <c>ext4</c>; null when it is unknown.</param>
public sealed record FsyncProbeResult(int BlockBytes, double WritesPerSecond, string? FileSystem, LatencySummary Latency)
{
    /// <summary>From twice the written bytes on, the difference is more than rounding.</summary>
    private const double TolerableCount = 2;

    /// <summary>
    /// Bytes that the kernel counted for each byte that this process wrote; null where the kernel does not report it. A kernel with
    /// large folios in its cache (ext4 since Linux 6.16) counts the whole folio, up to 2 MiB, for each block.
    /// </summary>
    public double? CountedPerByte { get; init; }

    /// <summary>Why the kernel's write counters of processes are unusable on this volume; null where they are usable.</summary>
    [JsonIgnore]
    public string? WritesMissing =>
        CountedPerByte is { } factor and > TolerableCount
            ? Invariant($"This kernel counts {factor:0} bytes for each that a process writes in blocks of {BlockBytes} bytes: a whole ")
                + "folio of its cache. The disks of the machine are counted as they are."
            : null;
}
