using System.Diagnostics.Metrics;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Counts the requests that engines of this process waited for the answer of. By the driver's own metric, which has one
/// measurement for each command or batch, so that no code of the engine counts.
/// </summary>
internal sealed class PostgreSqlRoundTrips : IDisposable
{
    private const string Meter = "Npgsql";
    private const string Instrument = "db.client.operation.duration";
    private const string PoolTag = "db.client.connection.pool.name";

    private readonly MeterListener _listener = new();
    private long _count;

    public PostgreSqlRoundTrips()
    {
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument is { Meter.Name: Meter, Name: Instrument })
                listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<double>(OnMeasured);
        _listener.Start();
    }

    public long Count => Interlocked.Read(ref _count);

    public void Dispose() => _listener.Dispose();

    private void OnMeasured(Instrument instrument, double seconds, ReadOnlySpan<KeyValuePair<string, object?>> tags, object? state)
    {
        foreach (var (key, value) in tags)
        {
            // The driver names a pool by its connection string, without the password.
            if (key == PoolTag && value is string pool && IsEngine(pool))
            {
                Interlocked.Increment(ref _count);
                return;
            }
        }
    }

    private static bool IsEngine(string pool) =>
        pool.Contains($"Application Name={PostgreSqlConnections.HotName}", StringComparison.Ordinal)
        && !pool.Contains(PostgreSqlStatisticsSession.ApplicationName, StringComparison.Ordinal);
}
