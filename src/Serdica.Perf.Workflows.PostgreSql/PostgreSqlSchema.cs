using Npgsql;
using NpgsqlTypes;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Brings the schema to the version that this code needs.</summary>
internal sealed class PostgreSqlSchema(PostgreSqlConnections connections, PostgreSqlScripts scripts, string schema)
{
    public async Task InitializeAsync(CancellationToken cancellationToken)
    {
        var connection = await connections.OpenPlainAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            if (await ReadVersionAsync(connection, cancellationToken).ConfigureAwait(false) == scripts.Migrations.Count)
                return;

            var transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
            await using (transaction.ConfigureAwait(false))
            {
                // One process migrates; the others wait here and then find nothing to do.
                await LockAsync(connection, cancellationToken).ConfigureAwait(false);
                await ExecuteAsync(connection, $"create schema if not exists {schema}", cancellationToken).ConfigureAwait(false);
                await ExecuteAsync(
                    connection,
                    $"create table if not exists {schema}.schema_version (version integer not null primary key, applied_at timestamptz not null)",
                    cancellationToken).ConfigureAwait(false);

                var version = await ReadVersionAsync(connection, cancellationToken).ConfigureAwait(false) ?? 0;
                if (version > scripts.Migrations.Count)
                {
                    throw new InvalidOperationException(
                        $"Schema '{schema}' has version {version}, and this build knows {scripts.Migrations.Count}: it was made by a newer build. Use that one, or another schema.");
                }

                for (var i = version; i < scripts.Migrations.Count; i++)
                {
                    await ExecuteAsync(connection, scripts.Migrations[i], cancellationToken).ConfigureAwait(false);
                    await ExecuteAsync(
                        connection,
                        $"insert into {schema}.schema_version (version, applied_at) values ({i + 1}, clock_timestamp())",
                        cancellationToken).ConfigureAwait(false);
                }

                await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
            }
        }
    }

    public async Task DropAsync(CancellationToken cancellationToken)
    {
        var connection = await connections.OpenPlainAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
            await ExecuteAsync(connection, $"drop schema if exists {schema} cascade", cancellationToken).ConfigureAwait(false);
    }

    private async Task LockAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        var command = new NpgsqlCommand("select pg_advisory_xact_lock(hashtextextended($1, 0))", connection);
        await using (command.ConfigureAwait(false))
        {
            command.Parameters.AddValue(NpgsqlDbType.Text, $"serdica-perf schema {schema}");
            await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <returns>The version; <see langword="null"/> when there is no schema yet.</returns>
    private async Task<int?> ReadVersionAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        var exists = new NpgsqlCommand("select to_regclass($1) is not null", connection);
        await using (exists.ConfigureAwait(false))
        {
            exists.Parameters.AddValue(NpgsqlDbType.Text, $"{schema}.schema_version");
            if (!(bool)(await exists.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false))!)
                return null;
        }

        var version = new NpgsqlCommand($"select coalesce(max(version), 0) from {schema}.schema_version", connection);
        await using (version.ConfigureAwait(false))
            return (int)(await version.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false))!;
    }

    private static async Task ExecuteAsync(NpgsqlConnection connection, string sql, CancellationToken cancellationToken)
    {
        var command = new NpgsqlCommand(sql, connection);
        await using (command.ConfigureAwait(false))
            await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }
}
