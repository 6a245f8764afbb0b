namespace Serdica.Perf.Cli.Commands;

/// <summary>The findings of the doctor as text.</summary>
internal static class DoctorText
{
    private const string Unknown = "unknown";

    public static string Number(double? value) => value?.ToString("0.00", CultureInfo.InvariantCulture) ?? Unknown;

    public static string Bytes(long? bytes) => bytes is { } value ? Invariant($"{value / (double)(1 << 30):0.0} GiB") : Unknown;

    public static string Limits(MachineDescription machine) =>
        $"{(machine.CgroupCpuLimit is { } cpu ? Number(cpu) + " cores" : "no processor limit")}, "
        + (machine.CgroupMemoryLimitBytes is { } memory ? Bytes(memory) : "no memory limit");

    public static string Durability(DurabilityClass durability) =>
        durability switch
        {
            DurabilityClass.Durable => "durable",
            DurabilityClass.LossOnCrash => "the last acknowledged commits may be lost in a crash",
            DurabilityClass.NotDurable => "not durable",
            _ => Unknown,
        };

    public static string Fsync(FsyncProbeResult probe) =>
        Invariant($"{probe.WritesPerSecond:N0} a second of {probe.BlockBytes} bytes: avg {probe.Latency.AverageMs:0.00} ms, ")
        + (probe.Latency.Shown().P99Ms is { } p99 ? Invariant($"p99 {p99:0.00} ms, ") : "")
        + Invariant($"max {probe.Latency.MaxMs:0.00} ms");
}
