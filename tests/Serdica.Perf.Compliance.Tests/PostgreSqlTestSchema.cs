namespace Serdica.Perf.Compliance;

/// <summary>A schema of one test on PostgreSQL, dropped at its end.</summary>
internal sealed class PostgreSqlTestSchema(PostgreSqlBackendOptions options, Func<Task> dropAsync) : IBackendSchema
{
    private static int _names;

    /// <summary>A name that no other test uses.</summary>
    public static string NewName() => $"compliance_{Guid.NewGuid():n}"[..40] + $"_{Interlocked.Increment(ref _names)}";

    public PostgreSqlBackendOptions Options => options;

    public IWorkflowBackend Connect() => new PostgreSqlWorkflowBackend(options);

    public async ValueTask DisposeAsync() => await dropAsync();
}
