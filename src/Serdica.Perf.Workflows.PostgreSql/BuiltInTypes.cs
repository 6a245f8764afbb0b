namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Connections that use PostgreSQL's own types only.</summary>
/// <remarks>
/// By default the driver reads all types of the database when a source connects for the first time, in four queries. On a busy machine
/// with two cores they took 43 ms of the server for each source. Compiled into the MongoDB backend too.
/// </remarks>
internal static class BuiltInTypes
{
    /// <exception cref="ArgumentException">The connection string cannot be read; the message may quote a value of it.</exception>
    public static NpgsqlDataSource CreateSource(string connectionString)
    {
        var builder = new NpgsqlDataSourceBuilder(connectionString);
        builder.ConfigureTypeLoading(static types => types.EnableTypeLoading(false));
        return builder.Build();
    }
}
