namespace Serdica.Perf.Results.Machine;

/// <summary>
/// Bytes that a process has read from and written to the storage layer since it started. A write counts when a page becomes dirty,
/// which is before the disk sees it; a read from the kernel's cache does not count. Where <see
/// cref="FsyncProbeResult.WritesMissing"/> gives a reason, the writes are counted far too high.
/// </summary>
/// <param name="ReadBytes">Bytes read from the storage layer.</param>
/// <param name="WriteBytes">Bytes written to the storage layer.</param>
internal sealed record DiskUsage(long ReadBytes, long WriteBytes)
{
    /// <summary>The usage of a process, including children that have ended and were waited for.</summary>
    /// <returns>Null when the system does not report it, or not to this user. See proc_pid_io(5).</returns>
    public static DiskUsage? Read(string root, string process) =>
        SystemFile.Read(root, $"proc/{process}/io") is { } text
        && Bytes(text, "read_bytes:") is { } read
        && Bytes(text, "write_bytes:") is { } written
            ? new(read, written)
            : null;

    public DiskUsage Plus(DiskUsage other) => new(ReadBytes + other.ReadBytes, WriteBytes + other.WriteBytes);

    private static long? Bytes(string text, string name) =>
        text.Split('\n').FirstOrDefault(line => line.StartsWith(name, Ordinal)) is { } line
        && long.TryParse(line[name.Length..], CultureInfo.InvariantCulture, out var bytes)
            ? bytes
            : null;
}
