using System.Diagnostics.CodeAnalysis;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Finds the runner by <c>MongoDB.Driver</c>, which a build may leave out.</summary>
public static partial class MongoDriver
{
    /// <summary>The one sentence for a build without the driver.</summary>
    public const string Missing =
        "The MongoDB driver is not in this build: make the package MongoDB.Driver available on your feed "
        + "and build with WithMongoDriver=true ('dotnet run eng/setup.cs' sets it).";

    /// <summary>The one sentence for a machine without a server.</summary>
    public const string NoServer =
        "No MongoDB server is named: set SERDICA_PERF_MONGODB to the connection string of a replica set or sharded cluster, "
        + "such as 'mongodb://localhost:27017/?replicaSet=rs0'.";

    /// <summary>What the engine's connections call themselves.</summary>
    public const string Application = "serdica-perf";

    /// <summary>
    /// What the connections of statistics call themselves; the driver lends connections only to those of the same name.
    /// </summary>
    public const string StatisticsApplication = "serdica-perf-statistics";

    /// <summary>Opens a database by connection string, name and application, where the driver is compiled in.</summary>
    /// <remarks>The opener throws <see cref="ArgumentException"/> for a connection string that is none.</remarks>
    public static bool TryFind([NotNullWhen(true)] out Func<string, string, string, IDocumentDatabase>? open)
    {
        open = null;
        Find(ref open);
        return open is not null;
    }

    /// <summary>Its body lies beside the driver's code.</summary>
    static partial void Find(ref Func<string, string, string, IDocumentDatabase>? open);
}
