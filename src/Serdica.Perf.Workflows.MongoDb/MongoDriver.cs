namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>What is said of connections by <c>MongoDB.Driver</c>.</summary>
internal static class MongoDriver
{
    /// <summary>The one sentence for a machine without a server.</summary>
    public const string NoServer =
        "No MongoDB server is named: set SERDICA_PERF_MONGODB to the connection string of a replica set, "
        + "such as 'mongodb://localhost:27017/?replicaSet=rs0'.";

    /// <summary>The one sentence for a router of a sharded cluster.</summary>
    public const string NoRouter =
        "The MongoDB server answers as a router of a sharded cluster (mongos), and sharded clusters are not supported: "
        + "set SERDICA_PERF_MONGODB to the connection string of a replica set, such as 'mongodb://localhost:27017/?replicaSet=rs0'.";

    /// <summary>What the engine's connections call themselves.</summary>
    internal const string Application = "serdica-perf";

    /// <summary>
    /// What the connections of statistics call themselves; the driver lends connections only to those of the same name.
    /// </summary>
    internal const string StatisticsApplication = "serdica-perf-statistics";
}
