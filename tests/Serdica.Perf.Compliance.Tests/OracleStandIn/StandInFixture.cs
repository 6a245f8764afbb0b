using Npgsql;

namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>The Oracle backend over the stand-in, on the assembly's PostgreSQL server.</summary>
internal sealed class StandInFixture(PostgreSqlFixture server) : IBackendFixture
{
    private static int _stores;

    public async Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken)
    {
        var options = await server.NewOptionsAsync(cancellationToken);
        var source = NpgsqlDataSource.Create(
            new NpgsqlConnectionStringBuilder(options.ConnectionString) { ApplicationName = "oracle-stand-in" }
        );
        return new StandInStore(source, $"STANDIN_{Guid.NewGuid():N}"[..30].ToUpperInvariant() + $"_{Interlocked.Increment(ref _stores)}");
    }
}
