using Serdica.Perf.Databases;

namespace Serdica.Perf.Backends;

/// <summary>The backends that can be asked for.</summary>
public static class BackendNames
{
    public const string PostgreSql = DatabaseEnvironment.PostgreSql;
    public const string MongoDb = DatabaseEnvironment.MongoDb;
    public const string DocumentDb = DatabaseEnvironment.DocumentDb;
    public const string OracleAq = "oracle-aq";
    public const string InMemory = "in-memory";

    public static IReadOnlyList<string> All { get; } = [PostgreSql, MongoDb, DocumentDb, OracleAq, InMemory];
}
