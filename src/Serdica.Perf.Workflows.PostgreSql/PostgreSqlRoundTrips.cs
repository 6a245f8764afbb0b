using System.Diagnostics.Metrics;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Counts the requests to one database that engines of this process waited for the answer of. By the driver's own metric,
/// which has one measurement for each command or batch, so that no code of the engine counts.
/// </summary>
internal sealed class PostgreSqlRoundTrips : IDisposable
{
    private const string Meter = "Npgsql";
    private const string Instrument = "db.client.operation.duration";
    private const string PoolTag = "db.client.connection.pool.name";

    private readonly MeterListener _listener = new();
    private readonly NpgsqlConnectionStringBuilder _database;
    private readonly ConcurrentDictionary<string, bool> _pools = new(StringComparer.Ordinal);
    private long _count;

    public PostgreSqlRoundTrips(string connectionString)
    {
        _database = new(connectionString);
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
            if (key == PoolTag && value is string pool && _pools.GetOrAdd(pool, IsEngine))
            {
                Interlocked.Increment(ref _count);
                return;
            }
        }
    }

    /// <summary>The driver names a pool by its connection string, without the password.</summary>
    private bool IsEngine(string pool)
    {
        try
        {
            var settings = new NpgsqlConnectionStringBuilder(pool);
            return PostgreSqlStatisticsSession.EngineNames.Contains(settings.ApplicationName)
                && (settings.Host, settings.Port, settings.Database) == (_database.Host, _database.Port, _database.Database);
        }
        catch (ArgumentException)
        {
            // Somebody gave that pool a name of its own.
            return false;
        }
    }
}
