using System.Security.Cryptography;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Serdica.Perf.Results.Machine;

/// <summary>
/// What the figures of a run depend on besides the code and the database. Holds no host name, user name or path.
/// <see cref="EnvironmentReader"/> makes it.
/// </summary>
public sealed record EnvironmentFingerprint
{
    public required MachineDescription Machine { get; init; }

    public required RuntimeDescription Runtime { get; init; }

    public required SourceDescription Source { get; init; }

    /// <summary>When it was read, UTC.</summary>
    public required DateTimeOffset ReadAt { get; init; }

    /// <summary>What the user says of the place of the run, see <see cref="RunLabels"/>.</summary>
    public IReadOnlyDictionary<string, string> Labels { get; init; } = new Dictionary<string, string>();

    /// <summary>Runnable tasks over the last minute when the run began; null where the system does not tell.</summary>
    public double? LoadAverageAtStart { get; init; }

    /// <summary>The same when it ended; the run itself is in it.</summary>
    public double? LoadAverageAtEnd { get; init; }

    /// <summary>Cost of a flushed write; null when it was not measured.</summary>
    public FsyncProbeResult? Fsync { get; init; }

    /// <summary>Cores that the process may use: those of the machine, or fewer where a limit or the runtime says so.</summary>
    [JsonIgnore]
    public double AvailableCores => Math.Min(Math.Min(Machine.LogicalCores, Runtime.AvailableProcessors), Machine.CgroupCpuLimit ?? double.MaxValue);

    /// <summary>
    /// The same for two runs on the same machine, runtime and build configuration. The source, the load, the time and the
    /// measured fsync cost are not in it: they are what is compared, or vary from run to run. Nor are the labels: a new one
    /// makes no other machine.
    /// </summary>
    public string FingerprintHash =>
        Convert.ToHexStringLower(SHA256.HashData(JsonSerializer.SerializeToUtf8Bytes(new { Machine, Runtime }, MeasurementJson.Compact)).AsSpan(0, 8));
}

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

/// <summary>How the suite itself ran.</summary>
public sealed record RuntimeDescription
{
    /// <summary>For instance <c>10.0.1</c>.</summary>
    public required string DotNetVersion { get; init; }

    public required bool ServerGc { get; init; }

    public required bool ConcurrentGc { get; init; }

    /// <summary>Processors that this process may use.</summary>
    public required int AvailableProcessors { get; init; }

    /// <summary><c>Release</c> or <c>Debug</c>: of the program that was started; null when it can't be told.</summary>
    public string? EntryConfiguration { get; init; }

    /// <summary>The same for the measuring library.</summary>
    public string? SuiteConfiguration { get; init; }

    public required bool DebuggerAttached { get; init; }
}

/// <summary>Which code was measured.</summary>
public sealed record SourceDescription
{
    /// <summary>The full commit id; null when it can't be told.</summary>
    public string? Commit { get; init; }

    /// <summary>Whether there were changes beside the commit; null when it can't be told.</summary>
    public bool? Dirty { get; init; }

    /// <summary>Why there is no commit; null when there is one.</summary>
    public string? Reason { get; init; }

    /// <summary>The informational version that the build wrote into the measuring library.</summary>
    public string? InformationalVersion { get; init; }
}
