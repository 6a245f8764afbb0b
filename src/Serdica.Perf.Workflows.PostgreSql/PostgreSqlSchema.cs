namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Brings the schema to the version that this code needs.</summary>
internal sealed class PostgreSqlSchema(PostgreSqlConnections connections, PostgreSqlScripts scripts, string schema, bool mustExist)
{
    /// <summary>Citus drops all shards of all tables, which takes seconds.</summary>
    private const int DistributedSeconds = 300;

    private const string TableExists = "select to_regclass($1) is not null";

    public async Task InitializeAsync(CancellationToken cancellationToken)
    {
        var connection = await connections.OpenPlainAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            if (IsCurrent(await ReadAppliedAsync(connection, cancellationToken).ConfigureAwait(false)))
            {
                await CheckBucketsAsync(connection, cancellationToken).ConfigureAwait(false);
                return;
            }

            if (mustExist)
                throw NotThere(schema);
            if (scripts.Buckets is not null)
                await PrepareDatabaseAsync(connection, cancellationToken).ConfigureAwait(false);
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
                await CheckBucketsAsync(connection, cancellationToken).ConfigureAwait(false);
                await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <summary>What those get who wait for another process to make the schema.</summary>
    public static WorkflowBackendException NotThere(string schema) =>
        new($"The tables of the schema '{schema}' are not there, or not complete.", isTransient: true) { NothingWritten = true };

    /// <summary>How many buckets a schema was made with; null when there is none, or it has no buckets.</summary>
    /// <exception cref="NpgsqlException">The server could not be asked.</exception>
    public static int? CountBuckets(PostgreSqlBackendOptions options)
    {
        using var source = BuiltInTypes.CreateSource(options.ConnectionString);
        using var connection = source.OpenConnection();
        using var exists = new NpgsqlCommand(TableExists, connection);
        exists.Parameters.AddValue(NpgsqlDbType.Text, BucketTable(options.Schema));
        if (!(bool)exists.ExecuteScalar()!)
            return null;
        using var count = new NpgsqlCommand($"select count(*)::integer from {BucketTable(options.Schema)}", connection);
        return (int)count.ExecuteScalar()!;
    }

    public async Task DropAsync(CancellationToken cancellationToken)
    {
        var connection = await connections.OpenPlainAsync(cancellationToken).ConfigureAwait(false);
        await using (connection.ConfigureAwait(false))
        {
            var drop = new NpgsqlCommand($"drop schema if exists {schema} cascade", connection);
            if (scripts.Buckets is not null)
                drop.CommandTimeout = DistributedSeconds;
            await using (drop.ConfigureAwait(false))
                await drop.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task LockAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        var command = NewCommand("select pg_advisory_xact_lock(hashtextextended($1, 0))", connection);
        await using (command.ConfigureAwait(false))
        {
            command.Parameters.AddValue(NpgsqlDbType.Text, $"serdica-perf schema {schema}");
            await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Looks for the extension, and pins plans for the sessions that the coordinator opens on the workers.</summary>
    private async Task PrepareDatabaseAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        var find = new NpgsqlCommand("select exists (select from pg_extension where extname = 'citus')", connection);
        await using (find.ConfigureAwait(false))
        {
            if (!(bool)(await find.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false))!)
            {
                throw new InvalidOperationException(
                    $"Database '{connection.Database}' has no extension citus, which PostgreSqlBackendOptions.Distribution = Citus needs: "
                        + $"create it on the coordinator and on every worker, or leave Distribution out."
                );
            }
        }

        await ExecuteAsync(connection, scripts["citus-plans"], cancellationToken).ConfigureAwait(false);
    }

    /// <exception cref="InvalidOperationException">The schema was made with another number of buckets.</exception>
    private async Task CheckBucketsAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        if (scripts.Buckets is not { } buckets)
            return;
        var command = NewCommand($"select count(*)::integer from {BucketTable(schema)}", connection);
        await using (command.ConfigureAwait(false))
        {
            var count = (int)(await command.ExecuteScalarAsync(cancellationToken).ConfigureAwait(false))!;
            if (count != buckets.Count)
            {
                throw new InvalidOperationException(
                    $"Schema '{schema}' was made with PostgreSqlBackendOptions.Buckets = {count}, and here it is {buckets.Count}: "
                        + $"instances would be looked for in the wrong shard. Set Buckets to {count}, or use another schema."
                );
            }
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
                if (checksum == scripts.Migrations[i].OtherChecksum)
                {
                    throw new InvalidOperationException(
                        $"Schema '{schema}' was made {(scripts.Buckets is null ? "with" : "without")} PostgreSqlBackendOptions."
                            + "Distribution = Citus, and its tables stay as they are: use the same option, or another schema."
                    );
                }

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
        var exists = new NpgsqlCommand(TableExists, connection);
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

    private static string BucketTable(string schema) => $"{schema}.bucket";

    private static async Task ExecuteAsync(NpgsqlConnection connection, string sql, CancellationToken cancellationToken)
    {
        var command = NewCommand(sql, connection);
        await using (command.ConfigureAwait(false))
            await command.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Without a time limit: an index of a large table, or the wait for its readers, takes as long as it takes. A host that gave up would
    /// begin anew for ever, and a process that waits for another one's migration waits as long.
    /// </summary>
    private static NpgsqlCommand NewCommand(string sql, NpgsqlConnection connection) => new(sql, connection) { CommandTimeout = 0 };
}
