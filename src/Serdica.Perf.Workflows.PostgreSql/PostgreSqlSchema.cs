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
            if (IsCurrent(await ReadAppliedAsync(connection, cancellationToken).ConfigureAwait(false)))
                return;

            var transaction = await connection.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
            await using (transaction.ConfigureAwait(false))
            {
                // One process migrates; the others wait here and then find nothing to do.
                await LockAsync(connection, cancellationToken).ConfigureAwait(false);
                await ExecuteAsync(connection, $"create schema if not exists {schema}", cancellationToken).ConfigureAwait(false);
                await ExecuteAsync(
                        connection,
                        $"create table if not exists {schema}.schema_version (version integer not null primary key, applied_at "
                            + $"timestamptz not null)",
                        cancellationToken
                    )
                    .ConfigureAwait(false);
                await ExecuteAsync(
                        connection,
                        $"alter table {schema}.schema_version add column if not exists checksum text",
                        cancellationToken
                    )
                    .ConfigureAwait(false);
                await MigrateAsync(connection, cancellationToken).ConfigureAwait(false);
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

    private async Task MigrateAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        var applied = await ReadAppliedAsync(connection, cancellationToken).ConfigureAwait(false);
        _ = IsCurrent(applied);
        for (var version = 1; version <= scripts.Migrations.Count; version++)
        {
            var migration = scripts.Migrations[version - 1];
            if (version > applied.Count)
                await ExecuteAsync(connection, migration.Sql, cancellationToken).ConfigureAwait(false);

            // One that was applied before there were checksums gets its own now.
            await ExecuteAsync(
                    connection,
                    $"""
                    insert into {schema}.schema_version as v (version, applied_at, checksum)
                    values ({version}, clock_timestamp(), '{migration.Checksum}')
                    on conflict (version) do update set checksum = excluded.checksum where v.checksum is null
                    """,
                    cancellationToken
                )
                .ConfigureAwait(false);
        }
    }

    /// <exception cref="InvalidOperationException">This build is older than the schema, or has another text of an applied
    /// migration.</exception>
    private bool IsCurrent(List<string?> applied)
    {
        if (applied.Count > scripts.Migrations.Count)
        {
            throw new InvalidOperationException(
                $"Schema '{schema}' has version {applied.Count}, and this build knows {scripts.Migrations.Count}: it was made by a newer "
                    + $"build. Use that one, or another schema."
            );
        }

        for (var i = 0; i < applied.Count; i++)
        {
            if (applied[i] is { } checksum && checksum != scripts.Migrations[i].Checksum)
            {
                throw new InvalidOperationException(
                    $"Schema '{schema}' has had another text of {scripts.Migrations[i].Name} applied than this build has (checksum "
                        + $"{checksum}, here {scripts.Migrations[i].Checksum}). "
                        + "A migration never changes once it was applied: use the build that made the schema, or put the change into a "
                        + "new migration."
                );
            }
        }

        return applied.Count == scripts.Migrations.Count && !applied.Contains(null);
    }

    /// <returns>The checksums of the applied migrations in their order; <see langword="null"/> for one that has none yet.</returns>
    private async Task<List<string?>> ReadAppliedAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        var exists = new NpgsqlCommand("select to_regclass($1) is not null", connection);
        await using (exists.ConfigureAwait(false))
        {
            exists.Parameters.AddValue(NpgsqlDbType.Text, $"{schema}.schema_version");
            if (!(bool)(await exists.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false))!)
                return [];
        }

        // By way of JSON: the column is missing in schemas of older builds.
        var applied = new List<string?>();
        var versions = new NpgsqlCommand(
            $"select to_jsonb(v) ->> 'checksum' from {schema}.schema_version v order by v.version",
            connection
        );
        await using (versions.ConfigureAwait(false))
        {
            var reader = await versions.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
            await using (reader.ConfigureAwait(false))
            {
                while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
                    applied.Add(reader.IsDBNull(0) ? null : reader.GetString(0));
            }
        }

        return applied;
    }

    private static async Task ExecuteAsync(NpgsqlConnection connection, string sql, CancellationToken cancellationToken)
    {
        var command = new NpgsqlCommand(sql, connection);
        await using (command.ConfigureAwait(false))
            await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }
}
