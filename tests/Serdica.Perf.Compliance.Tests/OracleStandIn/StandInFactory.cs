using System.Data.Common;
using Npgsql;
using Serdica.Perf.Workflows.Oracle;

namespace Serdica.Perf.Compliance.OracleStandIn;

/// <summary>
/// A driver that answers the calls of the Oracle backend's package on PostgreSQL, with the semantics of classic Advanced
/// Queuing. It stands in for Oracle in tests of the C# side only; nothing that it measures is a figure of Oracle's.
/// </summary>
/// <param name="source">The PostgreSQL server.</param>
/// <param name="prefix">The backend's prefix; the schema is named after it.</param>
internal sealed class StandInFactory(NpgsqlDataSource source, string prefix) : DbProviderFactory
{
    private readonly OracleScripts _scripts = new(prefix);

    public string Schema { get; } = prefix.ToLowerInvariant();

    public int MaxRetries => StandInScripts.MaxRetries(_scripts["create-queues"]);

    /// <summary>Calls that reached the server: what the backend's round trips are counted by.</summary>
    public int RoundTrips { get; private set; }

    public override DbConnection CreateConnection() => new StandInConnection(this, source.CreateConnection());

    public void CountRoundTrip() => RoundTrips++;

    /// <summary>The name of the script with this text; null when it is none of them.</summary>
    public string? ScriptOf(string text) => _scripts.Names.FirstOrDefault(name => _scripts[name] == text);
}
