namespace Serdica.Perf.Databases.PostgreSql;

/// <summary>PostgreSQL itself.</summary>
internal sealed class StandardPostgreSql : PostgreSqlFlavour
{
    public override string Backend => DatabaseEnvironment.PostgreSql;

    public override string Product => "PostgreSQL";

    public override (PostgreSqlBinaries? Binaries, string? Problem) FindBinaries(DatabaseRequest request) =>
        FindBinaries(PostgreSqlBinarySearch.OnThisMachine());

    internal (PostgreSqlBinaries? Binaries, string? Problem) FindBinaries(PostgreSqlBinarySearch search)
    {
        var (binaries, problem) = search.Find();
        return (binaries, problem is null ? null : $"{problem}, or set {Variable} to a connection string.");
    }

    public override async Task<(ServerDescription? Description, string? Problem)> ExamineAsync(
        NpgsqlConnection connection,
        DatabaseSourceKind source,
        string? fileSystem,
        CancellationToken cancellationToken
    )
    {
        var description = await PostgreSqlDescriptionReader.ReadAsync(connection, source, fileSystem, cancellationToken);

        return connection.PostgreSqlVersion.Major < PostgreSqlVersion.Oldest
            ? (null, $"has version {description.Version}: point {Variable} at version {PostgreSqlVersion.Oldest} or newer")
            : (description, null);
    }
}
