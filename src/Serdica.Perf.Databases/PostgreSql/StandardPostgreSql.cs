using Npgsql;

namespace Serdica.Perf.Databases.PostgreSql;

/// <summary>PostgreSQL itself.</summary>
internal sealed class StandardPostgreSql : PostgreSqlFlavour
{
    /// <summary>The oldest major version that the suite supports.</summary>
    public const int OldestVersion = 14;

    /// <summary>The newest major version that the suite supports.</summary>
    public const int NewestVersion = 18;

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

        return connection.PostgreSqlVersion.Major < OldestVersion
            ? (null, $"has version {description.Version}: point {Variable} at version {OldestVersion} or newer")
            : (description, null);
    }
}
