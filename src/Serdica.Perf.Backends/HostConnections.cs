using Serdica.Perf.Databases.PostgreSql;

namespace Serdica.Perf.Backends;

/// <summary>Room for the connections of many host processes on a server of the PostgreSQL family that the suite starts.</summary>
internal static class HostConnections
{
    /// <summary>A host with two workers has four or five.</summary>
    private const int OfHost = 8;

    /// <summary>Connections of the generator and the statistics.</summary>
    private const int OfOthers = 30;

    /// <summary>
    /// The request with room for the hosts; unchanged for a server of the user's own, and where the user has set the number.
    /// </summary>
    /// <param name="connections">Further ones in all processes, such as those of a queue test.</param>
    public static DatabaseRequest Allow(DatabaseRequest request, int hosts, int connections = 0)
    {
        var needed = OfHost * hosts + connections + OfOthers;
        if (
            needed <= PostgreSqlSettings.Connections
            || request is { ConnectionString: not null } or { Source: DatabaseSourceKind.External }
            || request.ServerSettings.ContainsKey(PostgreSqlSettings.MaxConnections)
        )
            return request;
        return request with
        {
            ServerSettings = new Dictionary<string, string>(request.ServerSettings)
            {
                [PostgreSqlSettings.MaxConnections] = needed.ToString(CultureInfo.InvariantCulture),
            },
        };
    }
}
