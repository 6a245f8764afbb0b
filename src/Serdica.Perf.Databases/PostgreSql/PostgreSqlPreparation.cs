using Npgsql;

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
        CancellationToken cancellationToken
    )
    {
        await using var connection = new NpgsqlConnection(
            new NpgsqlConnectionStringBuilder(connectionString) { Pooling = false }.ConnectionString
        );
        await connection.OpenAsync(cancellationToken);
        var (description, problem) = await flavour.ExamineAsync(connection, source, fileSystem, cancellationToken);

        if (description is null)
            throw new DatabaseStartException($"{server} {problem}.");

        if (
            description.Settings.GetValueOrDefault("shared_preload_libraries")?.Contains(PostgreSqlSettings.StatementsLibrary, Ordinal)
            == true
        )
        {
            await using var create = new NpgsqlCommand(
                $"create extension if not exists {PostgreSqlSettings.StatementsLibrary}",
                connection
            );
            await create.ExecuteNonQueryAsync(cancellationToken);
        }

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
    }
}
