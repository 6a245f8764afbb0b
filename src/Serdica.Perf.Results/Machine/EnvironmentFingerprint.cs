using System.Security.Cryptography;

namespace Serdica.Perf.Results.Machine;

/// <summary>
/// What the figures of a run depend on besides the code and the database. It contains no host name, user name or path. <see
/// cref="EnvironmentReader"/> creates it.
/// </summary>
public sealed record EnvironmentFingerprint
{
    public required MachineDescription Machine { get; init; }

    public required RuntimeDescription Runtime { get; init; }

    public required SourceDescription Source { get; init; }

    /// <summary>When it was read, in UTC.</summary>
    public required DateTimeOffset ReadAt { get; init; }

    /// <summary>What the user states about the place of the run, see <see cref="RunLabels"/>.</summary>
    public IReadOnlyDictionary<string, string> Labels { get; init; } = new Dictionary<string, string>();

    /// <summary>The load average over one minute at the start of the run; null where the system does not report it.</summary>
    public double? LoadAverageAtStart { get; init; }

    /// <summary>The load average over one minute at the end of the run, which includes the run itself.</summary>
    public double? LoadAverageAtEnd { get; init; }

    /// <summary>The cost of a flushed write; null when it was not measured.</summary>
    public FsyncProbeResult? Fsync { get; init; }

    /// <summary>Cores that the process may use: those of the machine, or fewer where a limit or the runtime restricts them.</summary>
    [JsonIgnore]
    public double AvailableCores =>
        Math.Min(Math.Min(Machine.LogicalCores, Runtime.AvailableProcessors), Machine.CgroupCpuLimit ?? double.MaxValue);

    /// <summary>
    /// Equal for two runs on the same machine, runtime and build configuration. It leaves out source, load, time and measured fsync
    /// cost, which are compared or vary from run to run, and labels, because a new label does not make another machine.
    /// </summary>
    public string FingerprintHash =>
        Convert.ToHexStringLower(
            SHA256.HashData(JsonSerializer.SerializeToUtf8Bytes(new { Machine, Runtime }, MeasurementJson.Compact)).AsSpan(0, 8)
        );
}

/// <summary>The machine as the process sees it. Null means that the system does not report the figure.</summary>
public sealed record MachineDescription
{
    /// <summary>
    /// The value of <c>SERDICA_PERF_MACHINE</c>, otherwise a description such as <c>2-core AMD EPYC 7B13, 24 GiB, Debian 12</c>;
    /// never the host name.
    /// </summary>
    public required string MachineName { get; init; }

    public string? CpuModel { get; init; }

    /// <summary>Logical cores of the machine.</summary>
    public required int LogicalCores { get; init; }

    public long? MemoryBytes { get; init; }

    /// <summary>Cores that the control group allows; null without a limit.</summary>
    public double? CgroupCpuLimit { get; init; }

    /// <summary>Bytes of memory that the control group allows; null without a limit.</summary>
    public long? CgroupMemoryLimitBytes { get; init; }

    public required string OperatingSystem { get; init; }

    public required string Kernel { get; init; }

    public required string Architecture { get; init; }

    /// <summary>Whether the process runs in a container.</summary>
    public bool InContainer { get; init; }
}

/// <summary>The runtime and build configuration of the suite.</summary>
public sealed record RuntimeDescription
{
    /// <summary>For instance <c>10.0.1</c>.</summary>
    public required string DotNetVersion { get; init; }

    public required bool ServerGc { get; init; }

    public required bool ConcurrentGc { get; init; }

    /// <summary>Processors that this process may use.</summary>
    public required int AvailableProcessors { get; init; }

    /// <summary>The build configuration of the program that was started, <c>Release</c> or <c>Debug</c>; null when it is unknown.</summary>
    public string? EntryConfiguration { get; init; }

    /// <summary>The build configuration of the measuring library; null when it is unknown.</summary>
    public string? SuiteConfiguration { get; init; }

    public required bool DebuggerAttached { get; init; }
}

/// <summary>The code that was measured.</summary>
public sealed record SourceDescription
{
    /// <summary>The full commit id; null when it is unknown.</summary>
    public string? Commit { get; init; }

    /// <summary>Whether the working directory had uncommitted changes; null when it is unknown.</summary>
    public bool? Dirty { get; init; }

    /// <summary>Why there is no commit id; null when there is one.</summary>
    public string? Reason { get; init; }

    /// <summary>The informational version that the build wrote into the measuring library.</summary>
    public string? InformationalVersion { get; init; }
}
