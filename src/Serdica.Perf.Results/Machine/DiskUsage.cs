using System.Globalization;

namespace Serdica.Perf.Results.Machine;

/// <summary>
/// What a process has fetched from the storage layer, and has caused to be sent to it, since it started. Writes count when a page
/// becomes dirty, so that they come before the disk sees them; what is read from the kernel's cache does not count. Where
/// <see cref="FsyncProbeResult.WritesMissing"/> has a reason, the writes are far too many.
/// </summary>
/// <param name="ReadBytes">Fetched.</param>
/// <param name="WriteBytes">Caused to be sent.</param>
public sealed record DiskUsage(long ReadBytes, long WriteBytes)
{
    /// <summary>Of a process and of those of its children that have ended and were waited for.</summary>
    /// <param name="root">The root of the file system that holds <c>proc</c>.</param>
    /// <param name="process">Its number, or <c>self</c>.</param>
    /// <returns>Null when the system does not tell, or not this user. See proc_pid_io(5).</returns>
    public static DiskUsage? Read(string root, string process) =>
        SystemFile.Read(root, $"proc/{process}/io") is { } text && Bytes(text, "read_bytes:") is { } read && Bytes(text, "write_bytes:") is { } written
            ? new(read, written)
            : null;

    public DiskUsage Plus(DiskUsage other) => new(ReadBytes + other.ReadBytes, WriteBytes + other.WriteBytes);

    private static long? Bytes(string text, string name) =>
        text.Split('\n').FirstOrDefault(line => line.StartsWith(name, StringComparison.Ordinal)) is { } line
        && long.TryParse(line[name.Length..], CultureInfo.InvariantCulture, out var bytes) ? bytes : null;
}
