namespace Serdica.Perf.Compliance;

/// <summary>A schema of one test on PostgreSQL, dropped at its end.</summary>
internal sealed class PostgreSqlTestSchema(PostgreSqlBackendOptions options, Func<Task> dropAsync) : IBackendSchema
{
    public PostgreSqlBackendOptions Options => options;

    public IWorkflowBackend Connect() => new PostgreSqlWorkflowBackend(options);

    public async ValueTask DisposeAsync() => await dropAsync();
}
