using Npgsql;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// Counters of a PostgreSQL server. Exact at once: <c>writingCommits</c>, from the transaction ids given out (those that
/// were rolled back are in it), and <c>walBytes</c>, from the position of the log. Up to a second late: <c>commits</c> and
/// <c>walSyncs</c>, which sessions report when they come to it. All are of the whole server, so others on it count as well.
/// </summary>
public sealed class PostgreSqlStatistics : IBackendStatistics
{
    /// <summary>The first version that counts log flushes in <c>pg_stat_io</c>.</summary>
    private const int WalInStatIo = 18;

    private static readonly TimeSpan ReportInterval = TimeSpan.FromSeconds(1);

    private readonly NpgsqlDataSource _source;
    private readonly PostgreSqlScripts _scripts = new("unused");

    /// <param name="connectionString">Any Npgsql connection string; one connection is opened.</param>
    public PostgreSqlStatistics(string connectionString) => _source = NpgsqlDataSource.Create(
        new NpgsqlConnectionStringBuilder(connectionString) { MaxPoolSize = 1, MinPoolSize = 0, ApplicationName = "serdica-perf-statistics" });

    /// <inheritdoc/>
    public async Task<StatisticsSnapshot> TakeSnapshotAsync(SnapshotDepth depth, CancellationToken cancellationToken)
    {
        try
        {
            var connection = await _source.OpenConnectionAsync(cancellationToken).ConfigureAwait(false);
            await using (connection.ConfigureAwait(false))
                return await ReadAsync(connection, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (PostgreSqlErrors.IsDriverError(e))
        {
            throw PostgreSqlErrors.Wrap("read the server's statistics", e);
        }
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _source.DisposeAsync();

    private async Task<StatisticsSnapshot> ReadAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        var syncs = connection.PostgreSqlVersion.Major >= WalInStatIo ? "statistics-wal-syncs-18" : "statistics-wal-syncs";
        var batch = new NpgsqlBatch(connection)
        {
            BatchCommands = { new NpgsqlBatchCommand(_scripts["statistics"]), new NpgsqlBatchCommand(_scripts[syncs]) },
        };
        await using (batch.ConfigureAwait(false))
        {
            var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
                var values = new Dictionary<string, Statistic>
                {
                    ["writingCommits"] = new(reader.GetDouble(0)),
                    ["walBytes"] = new(reader.GetDouble(1), "bytes"),
                    ["commits"] = new(reader.GetDouble(2), Lag: ReportInterval),
                };
                await reader.NextResultAsync(cancellationToken).ConfigureAwait(false);
                await reader.ReadAsync(cancellationToken).ConfigureAwait(false);
                values["walSyncs"] = new(reader.GetDouble(0), Lag: ReportInterval);
                return new(values);
            }
        }
    }
}
