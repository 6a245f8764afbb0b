namespace Serdica.Perf.Compliance;

/// <summary>A schema of one test on PostgreSQL, dropped at its end.</summary>
internal sealed class PostgreSqlTestSchema(PostgreSqlBackendOptions options) : IBackendSchema
{
    public PostgreSqlBackendOptions Options => options;

    public IWorkflowBackend Connect() => new PostgreSqlWorkflowBackend(options);

    public async ValueTask DisposeAsync()
    {
        await using var backend = new PostgreSqlWorkflowBackend(options);
        await backend.DropSchemaAsync(CancellationToken.None);
    }
}
