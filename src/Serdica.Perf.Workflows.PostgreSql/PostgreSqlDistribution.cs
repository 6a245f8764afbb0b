namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>How the tables of a schema lie on servers.</summary>
public enum PostgreSqlDistribution
{
    /// <summary>On one server.</summary>
    None = 0,

    /// <summary>
    /// On the worker nodes of a Citus cluster, in as many shards as <see cref="PostgreSqlBackendOptions.Buckets"/> says. The connection
    /// string names the coordinator; all hosts and clients of a schema use the same one.
    /// </summary>
    Citus = 1,
}
