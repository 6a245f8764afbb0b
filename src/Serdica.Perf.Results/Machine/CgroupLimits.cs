namespace Serdica.Perf.Results.Machine;

/// <summary>
/// The limits of this process's control group. The tightest limit between its group and the root applies. In a container the path of
/// the group is often not visible; then only the root is read.
/// </summary>
internal static class CgroupLimits
{
    /// <summary>Version 1 writes "no limit" as a very large number of bytes; limits from here on count as none.</summary>
    private const long NoLimitFrom = 1L << 60;

    /// <summary>The processor limit in cores; null without a limit.</summary>
    public static double? Cpu(string root) =>
        Tightest(
            from folder in Groups(root, "", "")
            let parts = SystemFile.Read(root, $"{folder}/cpu.max")?.Split(' ')
            where parts is { Length: 2 }
            select Quotient(parts[0], parts[1])
        )
        ?? Tightest(
            from controller in new[] { "cpu", "cpu,cpuacct" }
            from folder in Groups(root, controller, $"/{controller}")
            select Quotient(SystemFile.Read(root, $"{folder}/cpu.cfs_quota_us"), SystemFile.Read(root, $"{folder}/cpu.cfs_period_us"))
        );

    /// <summary>The memory limit in bytes; null without a limit.</summary>
    public static long? Memory(string root) =>
        (long?)(
            Tightest(from folder in Groups(root, "", "") select Number(SystemFile.Read(root, $"{folder}/memory.max")))
            ?? Tightest(
                from folder in Groups(root, "memory", "/memory")
                select Number(SystemFile.Read(root, $"{folder}/memory.limit_in_bytes"))
            )
        );

    /// <summary>
    /// The folders of this process's group and of all its parents. A line of <c>proc/self/cgroup</c> is
    /// <c>number:controllers:path</c>; version 2 leaves the controllers empty.
    /// </summary>
    private static IEnumerable<string> Groups(string root, string controllers, string mount)
    {
        var lines = SystemFile.Read(root, "proc/self/cgroup")?.Split('\n') ?? [];
        var path =
            lines.Select(line => line.Split(':', 3)).FirstOrDefault(parts => parts.Length == 3 && parts[1] == controllers)?[2] ?? "/";
        for (path = path.TrimEnd('/'); path.Length > 0; path = path[..path.LastIndexOf('/')])
            yield return $"sys/fs/cgroup{mount}{path}";
        yield return $"sys/fs/cgroup{mount}";
    }

    private static double? Tightest(IEnumerable<double?> limits) => limits.Min();

    private static double? Quotient(string? quota, string? period) =>
        Number(quota) is { } allowed && Number(period) is { } every ? allowed / every : null;

    private static double? Number(string? text) =>
        double.TryParse(text, CultureInfo.InvariantCulture, out var number) && number is > 0 and < NoLimitFrom ? number : null;
}
