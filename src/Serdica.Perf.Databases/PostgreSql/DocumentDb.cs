namespace Serdica.Perf.Databases.PostgreSql;

/// <summary>DocumentDB: MongoDB's commands on PostgreSQL, by the extension <c>documentdb</c>.</summary>
internal sealed class DocumentDb : PostgreSqlFlavour
{
    private const string Extension = "documentdb";
    private const string Library = "pg_documentdb";

    // {} as BSON; the command is in the name of the function.
    private const string Command = @"select documentdb_api.list_databases(documentdb_core.bson_from_bytea('\x0500000000'))::text";

    private static readonly Version OldestVersion = new(1, 0);

    public override string Backend => DatabaseEnvironment.DocumentDb;

    public override string Product => "DocumentDB";

    // The extension's own jobs (index builds, expiry) are run by pg_cron.
    public override IReadOnlyList<string> PreloadLibraries => ["pg_cron", "pg_documentdb_core", Library];

    public override IReadOnlyDictionary<string, string> Settings { get; } =
        new Dictionary<string, string>
        {
            // A row, later updated, and two lines in the log for every job: two jobs look for index builds every 2 s.
            ["cron.log_run"] = "off",
            ["cron.log_statement"] = "off",
        };

    // The extension looks into every query, so its schemas are needed for those that have nothing to do with it.
    public override string? Role => "documentdb_admin_role";

    public override bool ServerLogsInToItself => true;

    public override string FirstStatement => $"create extension {Extension} cascade";

    public override (PostgreSqlBinaries? Binaries, string? Problem) FindBinaries(DatabaseRequest request)
    {
        var prepared = PreparedDocumentDb.FoldersFor(request.CacheFolder);
        var search = PostgreSqlBinarySearch.OnThisMachine([.. prepared.Select(PreparedDocumentDb.ProgramsIn)]);

        return search.Installed().FirstOrDefault(installed => installed.HasLibrary(Library)) is { } binaries
            ? (binaries, null)
            : (
                null,
                $"No installed PostgreSQL has the extension '{Extension}', and none is prepared in {string.Join(" or ", prepared)}: "
                    + "prepare one with 'dotnet run eng/setup.cs -- --documentdb' (Debian), "
                    + $"or set {Variable} to an Npgsql connection string."
            );
    }

    public override string NameOf(PostgreSqlBinaries binaries) => $"{Product} on {base.NameOf(binaries)}";

    public override async Task<(ServerDescription? Description, string? Problem)> ExamineAsync(
        NpgsqlConnection connection,
        DatabaseSourceKind source,
        string? fileSystem,
        CancellationToken cancellationToken
    )
    {
        var version = await PostgreSqlDescriptionReader.ReadExtensionVersionAsync(connection, Extension, cancellationToken);
        if (version is null)
            return (null, Lacks(Extension, "a database that has it"));

        if (!Version.TryParse(version.Split('-')[0], out var number) || number < OldestVersion)
            return (null, $"has {Product} {version}: point {Variable} at version {OldestVersion} or newer");

        if (await RefusalAsync(connection, cancellationToken) is { } state)
            return (null, $"has {Product} {version}, but answers no command (SQLSTATE {state}): add {Library} to shared_preload_libraries");

        var postgreSql = await PostgreSqlDescriptionReader.ReadAsync(connection, source, fileSystem, cancellationToken);

        return (postgreSql with { Product = Product, Version = $"{version} on {postgreSql.Product} {postgreSql.Version}" }, null);
    }

    /// <summary>The SQLSTATE that a document command ends with; <see langword="null"/> when it is answered.</summary>
    private static async Task<string?> RefusalAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        try
        {
            await using var command = new NpgsqlCommand(Command, connection);
            await command.ExecuteScalarAsync(cancellationToken);
            return null;
        }
        catch (PostgresException e) when (e.SqlState != PostgresErrorCodes.InsufficientPrivilege)
        {
            return e.SqlState;
        }
    }
}
