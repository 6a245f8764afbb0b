namespace Serdica.Perf.Measurement.Environments;

/// <summary>The machine as the process sees it. A null figure is one that the system does not tell.</summary>
public sealed record MachineDescription
{
    /// <summary>From <c>SERDICA_PERF_MACHINE</c>, else a description such as <c>2-core AMD EPYC 7B13, 24 GiB, Debian 12</c>; never the host name.</summary>
    public required string MachineName { get; init; }

    public string? CpuModel { get; init; }

    /// <summary>Logical cores of the machine.</summary>
    public required int LogicalCores { get; init; }

    public long? MemoryBytes { get; init; }

    /// <summary>Cores that the control group allows; null without a limit.</summary>
    public double? CgroupCpuLimit { get; init; }

    /// <summary>Memory that the control group allows; null without a limit.</summary>
    public long? CgroupMemoryLimitBytes { get; init; }

    public required string OperatingSystem { get; init; }

    public required string Kernel { get; init; }

    public required string Architecture { get; init; }

    /// <summary>Whether the process runs in a container.</summary>
    public bool InContainer { get; init; }
}
