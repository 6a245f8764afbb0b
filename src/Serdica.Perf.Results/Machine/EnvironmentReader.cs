using System.Runtime;

namespace Serdica.Perf.Results.Machine;

/// <summary>
/// Reads the <see cref="EnvironmentFingerprint"/> of this process. A value that cannot be read is null; it never throws for that.
/// </summary>
internal static class EnvironmentReader
{
    public static async Task<EnvironmentFingerprint> ReadAsync(EnvironmentOptions options, CancellationToken cancellationToken)
    {
        return new()
        {
            Machine = MachineReader.Read(options),
            Runtime = ReadRuntime(),
            Source = await SourceReader.ReadAsync(
                options.SourceDirectory,
                SourceReader.BuiltOf(Assembly.GetEntryAssembly()),
                cancellationToken
            ),
            Labels = options.Labels,
            ReadAt = options.TimeProvider.GetUtcNow(),
            LoadAverageAtStart = ReadLoadAverage(options),
        };
    }

    /// <summary>The load average over one minute; null where the system does not report it.</summary>
    public static double? ReadLoadAverage(EnvironmentOptions options)
    {
        var text = SystemFile.Read(options.SystemRoot, "proc/loadavg")?.Split(' ')[0];
        return double.TryParse(text, CultureInfo.InvariantCulture, out var load) ? load : null;
    }

    private static RuntimeDescription ReadRuntime() =>
        new()
        {
            DotNetVersion = Environment.Version.ToString(),
            ServerGc = GCSettings.IsServerGC,
            ConcurrentGc = GCSettings.LatencyMode != GCLatencyMode.Batch,
            AvailableProcessors = Environment.ProcessorCount,
            EntryConfiguration = Configuration(Assembly.GetEntryAssembly()),
            SuiteConfiguration = Configuration(typeof(EnvironmentReader).Assembly),
            DebuggerAttached = Debugger.IsAttached,
        };

    private static string? Configuration(Assembly? assembly) =>
        assembly?.GetCustomAttribute<AssemblyConfigurationAttribute>()?.Configuration;
}
