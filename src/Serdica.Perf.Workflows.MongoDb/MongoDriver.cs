namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Connections by <c>MongoDB.Driver</c>, and what is said of them.</summary>
internal static class MongoDriver
{
    public const string NoServer =
        "No MongoDB server is named: set SERDICA_PERF_MONGODB to the connection string of a replica set, "
        + "such as 'mongodb://localhost:27017/?replicaSet=rs0'.";

    public const string NoRouter =
        "The MongoDB server answers as a router of a sharded cluster (mongos), and sharded clusters are not supported: "
        + "set SERDICA_PERF_MONGODB to the connection string of a replica set, such as 'mongodb://localhost:27017/?replicaSet=rs0'.";

    internal const string Application = "serdica-perf";

    /// <summary>
    /// What the connections of statistics call themselves; the driver lends connections only to those of the same name.
    /// </summary>
    internal const string StatisticsApplication = "serdica-perf-statistics";

    /// <summary>
    /// How long one answer of the server may take, unless the connection string says otherwise (<c>socketTimeoutMS</c>): the
    /// driver waits without end by default, and what waits for it would never hear that a connection is lost.
    /// </summary>
    private static readonly TimeSpan AnswerLimit = FromSeconds(30);

    /// <param name="connectionString">May hold a password and is not repeated.</param>
    /// <exception cref="ArgumentException">The driver does not understand the connection string.</exception>
    public static MongoClientSettings SettingsOf(string connectionString, string application)
    {
        try
        {
            var settings = MongoClientSettings.FromConnectionString(connectionString);
            if (settings.SocketTimeout <= TimeSpan.Zero)
                settings.SocketTimeout = AnswerLimit;
            settings.ApplicationName = application;
            return settings;
        }
        catch (MongoConfigurationException)
        {
            throw new ArgumentException(
                "MongoDB.Driver does not understand the connection string: it must look like "
                    + "'mongodb://user:password@host:27017/?replicaSet=rs0'."
            );
        }
    }
}
