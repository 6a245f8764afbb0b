namespace Serdica.Perf.Results.Machine;

/// <summary>Processor time of the whole machine since it started.</summary>
/// <remarks>
/// Most kernels count busy time by sampling: at each tick, every 4 ms on many, the running task is charged the whole tick. Short
/// bursts that a timer starts fall between the ticks: a machine with 1.30 of 2 cores busy once counted 0.97. Idle time is measured
/// by the clock, so busy time is calculated as available time minus idle time.
/// </remarks>
internal static class MachineProcessorTime
{
    /// <summary>Ticks a second in <c>proc/stat</c>: Linux reports hundredths of a second there on every architecture.</summary>
    private const double TicksPerSecond = 100;

    /// <summary>
    /// User, system, interrupt and stolen time over all processors: the time that was not available to other work. Null where the
    /// system does not report it.
    /// </summary>
    public static TimeSpan? Read(EnvironmentOptions options) =>
        ReadTicks(options.SystemRoot) is { } ticks ? FromSeconds(ticks.Busy / TicksPerSecond) : null;

    /// <summary>Busy ticks and all ticks over all processors since the machine started.</summary>
    internal static (double Busy, double Total)? ReadTicks(string root)
    {
        // "cpu  user nice system idle iowait irq softirq steal guest guest_nice": guests are in user and nice already.
        var lines = SystemFile.Read(root, "proc/stat")?.Split('\n') ?? [];
        var line = lines is [var first, ..] ? first.Split(' ', RemoveEmptyEntries) : [];
        if (line is not ["cpu", _, _, _, _, _, _, _, _, ..])
            return null;

        var ticks = new double[8];
        for (var column = 0; column < ticks.Length; column++)
        {
            if (!double.TryParse(line[column + 1], CultureInfo.InvariantCulture, out ticks[column]))
                return null;
        }

        var idle = ticks[3] + ticks[4];
        var processors = lines.Count(text => text.StartsWith("cpu", Ordinal)) - 1;
        var total = Uptime(root) is { } seconds && processors > 0 ? processors * seconds * TicksPerSecond : ticks.Sum();
        return (total - idle, total);
    }

    private static double? Uptime(string root) =>
        SystemFile.Read(root, "proc/uptime")?.Split(' ') is [var text, ..]
        && double.TryParse(text, CultureInfo.InvariantCulture, out var seconds)
            ? seconds
            : null;
}

/// <summary>How busy the machine's processors have been since it started, in the kernel's ticks.</summary>
internal readonly record struct ProcessorLoad(double Busy, double Total)
{
    /// <returns><see langword="null"/> where the system does not report it.</returns>
    public static ProcessorLoad? Read(string root) =>
        MachineProcessorTime.ReadTicks(root) is { } ticks ? new(ticks.Busy, ticks.Total) : null;

    /// <summary>The busy part since <paramref name="before"/>, 0 to 1; null when no tick has passed.</summary>
    public double? Since(ProcessorLoad before) =>
        Total > before.Total ? Math.Clamp((Busy - before.Busy) / (Total - before.Total), 0, 1) : null;
}
