namespace Serdica.Perf.Measurement.Soak;

/// <summary>The gauges of a soak, of this process and of the server.</summary>
internal static class SoakGauges
{
    private const string Bytes = "bytes";

    /// <summary>Name, unit and the trend that is a finding. Growing tables are none, because they keep their instances.</summary>
    public static IReadOnlyList<(string Name, string? Unit, TrendVerdict? Unwelcome)> OfServer { get; } =
    [("deadRows", null, TrendVerdict.Rising), (MetricNames.Connections, null, TrendVerdict.Rising), ("tableBytes", Bytes, null)];

    /// <summary>The heap after the last collection, so that current garbage is not included.</summary>
    public static IReadOnlyList<(string Name, Func<double> Read)> OfProcess { get; } =
    [("workingSet", () => Environment.WorkingSet), ("managedHeap", () => GC.GetGCMemoryInfo(GCKind.Any).HeapSizeBytes)];

    public static IReadOnlyList<(string Name, string? Unit, TrendVerdict? Unwelcome)> All { get; } =
    [.. OfServer, .. OfProcess.Select(gauge => (gauge.Name, (string?)Bytes, (TrendVerdict?)TrendVerdict.Rising))];

    /// <summary>The gauge's value, or why there is none.</summary>
    public static (double? Value, string? Reason) Of(StatisticsSnapshot snapshot, string name) =>
        snapshot.Values.GetValueOrDefault(name) switch
        {
            null => (null, $"The server's statistics have no '{name}'."),
            { Value: { } value } => (value, null),
            var without => (null, without.Missing ?? "The server does not report it."),
        };
}
