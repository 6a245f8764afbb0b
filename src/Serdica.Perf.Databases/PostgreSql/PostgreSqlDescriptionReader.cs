namespace Serdica.Perf.Databases.PostgreSql;

/// <summary>Asks a PostgreSQL server what it is and how durable it runs.</summary>
internal static class PostgreSqlDescriptionReader
{
    private const string DurabilityQuery = """
        select setting.name, current_setting(setting.name)
        from pg_catalog.pg_settings as setting
        where setting.name in ('fsync', 'full_page_writes', 'synchronous_commit', 'wal_sync_method', 'data_checksums')
        order by setting.name
        """;

    // Free text is left out because it may hold secrets (primary_conninfo, custom settings of extensions); ports and
    // logging, because they differ from run to run and change no speed.
    private const string DifferingQuery = """
        select setting.name, current_setting(setting.name)
        from pg_catalog.pg_settings as setting
        where setting.source not in ('default', 'override', 'client', 'session')
            and setting.setting is distinct from setting.boot_val
            and (setting.vartype <> 'string' or setting.name = 'shared_preload_libraries')
            and setting.name <> 'port'
            and setting.category not like 'Reporting and Logging%'
            and setting.name not in ('fsync', 'full_page_writes', 'synchronous_commit', 'wal_sync_method', 'data_checksums')
        order by setting.name
        """;

    public static async Task<ServerDescription> ReadAsync(
        NpgsqlConnection connection,
        DatabaseSourceKind source,
        string? fileSystem,
        CancellationToken cancellationToken
    )
    {
        var durability = await ReadSettingsAsync(connection, DurabilityQuery, cancellationToken);

        return new ServerDescription
        {
            Product = "PostgreSQL",
            Version = await ReadVersionAsync(connection, cancellationToken),
            Source = source,
            Durability = Classify(durability, fileSystem),
            DurabilitySettings = durability,
            Settings = await ReadSettingsAsync(connection, DifferingQuery, cancellationToken),
            FileSystem = fileSystem,
        };
    }

    /// <summary>
    /// Judges the settings. Without full_page_writes a torn page stays torn, so it counts like fsync; all values of
    /// synchronous_commit but <c>off</c> flush the server's own log before a commit returns.
    /// </summary>
    public static DurabilityClass Classify(IReadOnlyDictionary<string, string> settings, string? fileSystem)
    {
        if (settings["fsync"] == "off" || settings["full_page_writes"] == "off" || FileSystems.IsInMemory(fileSystem))
            return DurabilityClass.NotDurable;

        return settings["synchronous_commit"] == "off" ? DurabilityClass.LossOnCrash : DurabilityClass.Durable;
    }

    public static async Task<string> ReadVersionAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        await using var command = new NpgsqlCommand("select current_setting('server_version')", connection);
        var text = (string)(await command.ExecuteScalarAsync(cancellationToken))!;

        // "15.18 (Debian 15.18-0+deb12u1)": the packager's part is of no use in a comparison.
        return text.Split(' ')[0];
    }

    /// <returns>Null when the database does not have the extension.</returns>
    public static async Task<string?> ReadExtensionVersionAsync(
        NpgsqlConnection connection,
        string extension,
        CancellationToken cancellationToken
    )
    {
        await using var command = new NpgsqlCommand("select extversion from pg_catalog.pg_extension where extname = $1", connection);
        command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = extension });
        return (string?)await command.ExecuteScalarAsync(cancellationToken);
    }

    private static async Task<IReadOnlyDictionary<string, string>> ReadSettingsAsync(
        NpgsqlConnection connection,
        string query,
        CancellationToken cancellationToken
    )
    {
        var settings = new SortedDictionary<string, string>(StringComparer.Ordinal);
        await using var command = new NpgsqlCommand(query, connection);
        await using var reader = await command.ExecuteReaderAsync(cancellationToken);

        while (await reader.ReadAsync(cancellationToken))
            settings[reader.GetString(0)] = reader.GetString(1);

        return settings;
    }
}
