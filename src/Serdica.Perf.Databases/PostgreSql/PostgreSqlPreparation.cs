namespace Serdica.Perf.Databases.PostgreSql;

/// <summary>What is done to a PostgreSQL that the suite has started, once it answers.</summary>
internal static class PostgreSqlPreparation
{
    /// <summary>Reads the server's own description, holds it to what was set, and makes its costliest statements readable.</summary>
    /// <exception cref="DatabaseStartException">It can't serve this back-end, or is not durable.</exception>
    /// <exception cref="NpgsqlException">It does not answer.</exception>
    public static async Task<ServerDescription> PrepareAsync(
        PostgreSqlFlavour flavour,
        string connectionString,
        string server,
        DatabaseSourceKind source,
        string? fileSystem,
        CancellationToken cancellationToken,
        string? firstStatement = null
    )
    {
        await using var connection = new NpgsqlConnection(
            new NpgsqlConnectionStringBuilder(connectionString) { Pooling = false }.ConnectionString
        );
        await connection.OpenAsync(cancellationToken);
        if (firstStatement is not null)
            await ExecuteAsync(firstStatement);
        var (description, problem) = await flavour.ExamineAsync(connection, source, fileSystem, cancellationToken);

        if (description is null)
            throw new DatabaseStartException($"{server} {problem}.");

        if (
            description.Settings.GetValueOrDefault("shared_preload_libraries")?.Contains(PostgreSqlSettings.StatementsLibrary, Ordinal)
            == true
        )
            await ExecuteAsync($"create extension if not exists {PostgreSqlSettings.StatementsLibrary}");

        foreach (var (name, wanted) in DurableSettings.Required)
        {
            if (description.DurabilitySettings[name] != wanted)
            {
                throw new DatabaseStartException(
                    $"{server} runs with {name} = {description.DurabilitySettings[name]}, and the suite measures only with {wanted}: "
                        + $"remove whatever sets {name}."
                );
            }
        }

        return description;

        async Task ExecuteAsync(string statement)
        {
            await using var command = new NpgsqlCommand(statement, connection);
            await command.ExecuteNonQueryAsync(cancellationToken);
        }
    }
}
