using System.Security.Cryptography;
using System.Text.Json;
using System.Text.Json.Serialization;
using Serdica.Perf.Measurement.Baselines;

namespace Serdica.Perf.Measurement.Environments;

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
