using MongoDB.Driver;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Connection strings of MongoDB.</summary>
internal static class MongoDriverSettings
{
    /// <summary>
    /// How long one answer of the server may take, unless the connection string says otherwise (<c>socketTimeoutMS</c>): the
    /// driver waits without end by default, and what waits for it would never hear that a connection is lost.
    /// </summary>
    private static readonly TimeSpan AnswerLimit = FromSeconds(30);

    /// <param name="connectionString">May hold a password and is not repeated.</param>
    /// <param name="application">What the connections call themselves; it is by this name that statistics know the engine's.</param>
    /// <exception cref="ArgumentException">The driver does not understand the connection string.</exception>
    public static MongoClientSettings Read(string connectionString, string application)
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
