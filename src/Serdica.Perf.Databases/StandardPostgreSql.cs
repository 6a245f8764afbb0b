using Npgsql;
using Serdica.Perf.Databases.Local;

namespace Serdica.Perf.Databases;

/// <summary>PostgreSQL itself.</summary>
internal sealed class StandardPostgreSql : PostgreSqlFlavour
{
    public override string Backend => DatabaseEnvironment.PostgreSql;

    public override string Product => "PostgreSQL";

    public override (PostgreSqlBinaries? Binaries, string? Problem) FindBinaries(DatabaseRequest request)
        => PostgreSqlBinarySearch.OnThisMachine().Find();

    public override async Task<(ServerDescription? Description, string? Problem)> ExamineAsync(
        NpgsqlConnection connection,
        DatabaseSourceKind source,
        string? fileSystem,
        CancellationToken cancellationToken)
    {
        var description = await PostgreSqlDescriptionReader.ReadAsync(connection, source, fileSystem, cancellationToken).ConfigureAwait(false);

        return connection.PostgreSqlVersion.Major < PostgreSqlServers.OldestVersion
            ? (null, $"has version {description.Version}: point {Variable} at version {PostgreSqlServers.OldestVersion} or newer")
            : (description, null);
    }
}
