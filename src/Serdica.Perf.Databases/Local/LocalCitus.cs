using Npgsql;

namespace Serdica.Perf.Databases.Local;

/// <summary>A Citus cluster of a coordinator and two workers from installed programs, in temporary folders.</summary>
internal sealed class LocalCitus(Citus flavour) : IDatabaseSource
{
    private const int Workers = 2;

    private readonly LocalPostgreSql _node = new(flavour);

    public DatabaseSourceKind Kind => _node.Kind;

    public ValueTask<bool> IsCandidateAsync(DatabaseRequest request, CancellationToken cancellationToken) =>
        _node.IsCandidateAsync(request, cancellationToken);

    public Task<SourceFinding> InspectAsync(DatabaseRequest request, CancellationToken cancellationToken) =>
        _node.InspectAsync(request, cancellationToken);

    public async Task<ProvisionOutcome> ProvisionAsync(DatabaseRequest request, ILogger logger, CancellationToken cancellationToken)
    {
        var nodes = new List<LocalPostgreSqlServer>();
        try
        {
            while (nodes.Count < 1 + Workers)
            {
                var outcome = await _node.ProvisionAsync(request, logger, cancellationToken);
                if (outcome is not ProvisionOutcome.Provisioned { Server: LocalPostgreSqlServer node })
                {
                    await DisposeAsync(nodes);
                    return outcome;
                }

                nodes.Add(node);
            }

            return new ProvisionOutcome.Provisioned(new LocalCitusCluster(nodes, await JoinAsync(nodes, cancellationToken)));
        }
        catch
        {
            await DisposeAsync(nodes);
            throw;
        }
    }

    internal static async Task DisposeAsync(IEnumerable<LocalPostgreSqlServer> nodes)
    {
        foreach (var node in nodes)
            await node.DisposeAsync();
    }

    /// <summary>Makes the first node the coordinator, and the others its workers.</summary>
    /// <returns>The description of the whole.</returns>
    /// <exception cref="DatabaseStartException">They do not become a cluster.</exception>
    private async Task<ServerDescription> JoinAsync(List<LocalPostgreSqlServer> nodes, CancellationToken cancellationToken)
    {
        try
        {
            await using var connection = new NpgsqlConnection(
                new NpgsqlConnectionStringBuilder(nodes[0].ConnectionString) { Pooling = false }.ConnectionString
            );
            await connection.OpenAsync(cancellationToken);
            for (var i = 0; i < nodes.Count; i++)
            {
                var node = new NpgsqlConnectionStringBuilder(nodes[i].ConnectionString);
                var join = i == 0 ? "citus_set_coordinator_host" : "citus_add_node";
                await using var command = new NpgsqlCommand($"select {join}($1, $2)", connection);
                command.Parameters.Add(new NpgsqlParameter<string> { TypedValue = node.Host! });
                command.Parameters.Add(new NpgsqlParameter<int> { TypedValue = node.Port });
                await command.ExecuteNonQueryAsync(cancellationToken);
            }

            var (description, problem) = await flavour.ExamineClusterAsync(connection, nodes[0].Description, cancellationToken);
            return description ?? throw new DatabaseStartException($"The local coordinator {problem}.");
        }
        catch (NpgsqlException e)
        {
            throw new DatabaseStartException($"The local servers with the extension citus did not become a cluster ({e.Message}).");
        }
    }
}

/// <summary>A throw-away cluster.</summary>
internal sealed class LocalCitusCluster(IReadOnlyList<LocalPostgreSqlServer> nodes, ServerDescription description) : DatabaseServer
{
    public override string ConnectionString => nodes[0].ConnectionString;

    public override ServerDescription Description => description;

    /// <summary>The process of the coordinator.</summary>
    public override int? ProcessId => nodes[0].ProcessId;

    /// <summary>The folder of a worker: instances are written there.</summary>
    public override string DataFolder => nodes[^1].DataFolder;

    public override IReadOnlyList<DatabaseServer> Nodes => nodes;

    public LocalPostgreSqlServer Coordinator => nodes[0];

    public IReadOnlyList<LocalPostgreSqlServer> Workers => [.. nodes.Skip(1)];

    public override async ValueTask DisposeAsync() => await LocalCitus.DisposeAsync(nodes);
}
