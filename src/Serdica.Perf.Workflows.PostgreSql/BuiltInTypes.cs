namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Connections that use PostgreSQL's own types only, and are nobody else's.</summary>
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

        // What the engine writes is committed when it says so, also within a TransactionScope of its caller, which the driver would join;
        // and its sessions have open transactions and settings, which statements of others must not come between.
        builder.ConnectionStringBuilder.Enlist = false;
        builder.ConnectionStringBuilder.Multiplexing = false;
        builder.ConfigureTypeLoading(static types => types.EnableTypeLoading(false));
        return builder.Build();
    }
}
