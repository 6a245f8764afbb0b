namespace Serdica.Perf.Databases.PostgreSql;

/// <summary>Citus: tables distributed over several PostgreSQL servers, by the extension <c>citus</c>.</summary>
internal sealed class Citus : PostgreSqlFlavour
{
    private const string Extension = "citus";
    private const int Workers = 2;
    private const string PreparedTransactions = "max_prepared_transactions";

    private const string InDoubt = "in_doubt";

    /// <summary>
    /// Asked on each worker: what decides durability, whether transactions of several nodes can commit, and how many of them have been
    /// prepared for longer than a commit takes: the node that has to decide them has died. Citus does so later, and until then the rows
    /// stay locked.
    /// </summary>
    private const string WorkersQuery = $"""
        select nodename || ':' || nodeport, success, result
        from run_command_on_workers($$
            select string_agg(s.name || '=' || current_setting(s.name), ',') || ',{InDoubt}=' || (
                select count(*) from pg_catalog.pg_prepared_xacts
                where gid like 'citus%' and prepared < now() - interval '5 seconds')
            from pg_catalog.pg_settings s
            where s.name in ('fsync', 'full_page_writes', 'synchronous_commit', '{PreparedTransactions}') $$)
        order by 1
        """;

    public override string Backend => DatabaseEnvironment.Citus;

    public override string Product => "Citus";

    public override IReadOnlyList<string> PreloadLibraries => [Extension];

    public override IReadOnlyDictionary<string, string> Settings { get; } =
        new Dictionary<string, string>
        {
            // Each session of the coordinator has its own on the workers.
            [PostgreSqlSettings.MaxConnections] = "300",
            [PreparedTransactions] = "300",

            // Shards move online by logical replication.
            ["wal_level"] = "logical",

            // The nodes of a cluster that the suite starts are on one machine and have no certificates.
            ["citus.node_conninfo"] = "sslmode=disable",
        };

    // The nodes log in to each other.
    public override string Password { get; } = RandomNumberGenerator.GetHexString(32);

    public override bool ServerLogsInToItself => true;

    public override string FirstStatement => $"create extension if not exists {Extension}";

    public override (PostgreSqlBinaries? Binaries, string? Problem) FindBinaries(DatabaseRequest request) =>
        PostgreSqlBinarySearch.OnThisMachine().Installed().FirstOrDefault(static installed => installed.HasLibrary(Extension)) is { } found
            ? (found, null)
            : (
                null,
                $"{Product} is not installed with any PostgreSQL of this machine: install it, or set {Variable} to the connection string "
                    + $"of a coordinator."
            );

    public override string NameOf(PostgreSqlBinaries binaries) => $"{Product} on {base.NameOf(binaries)}";

    public override async Task<(ServerDescription? Description, string? Problem)> ExamineAsync(
        NpgsqlConnection connection,
        DatabaseSourceKind source,
        string? fileSystem,
        CancellationToken cancellationToken
    )
    {
        var version = await PostgreSqlDescriptionReader.ReadExtensionVersionAsync(connection, Extension, cancellationToken);
        if (version is null)
            return (null, Lacks(Extension, "the coordinator of a cluster"));

        var node = await PostgreSqlDescriptionReader.ReadAsync(connection, source, fileSystem, cancellationToken);
        var described = node with { Product = Product, Version = $"{version} on {node.Product} {node.Version}" };

        // Nodes that the suite starts are examined before they belong to a cluster.
        return source == DatabaseSourceKind.External
            ? await ExamineClusterAsync(connection, described, cancellationToken)
            : (described, null);
    }

    /// <summary>Provides a coordinator and two workers, each from the source of one node.</summary>
    /// <param name="make">Makes one of the nodes, the coordinator first, and of the description of the whole.</param>
    /// <exception cref="DatabaseStartException">They do not become a cluster.</exception>
    public async Task<ProvisionOutcome> ProvideClusterAsync(
        IDatabaseSource source,
        DatabaseRequest request,
        ILogger logger,
        Func<IReadOnlyList<DatabaseServer>, ServerDescription, CitusCluster> make,
        CancellationToken cancellationToken
    )
    {
        var nodes = new List<DatabaseServer>();
        try
        {
            while (nodes.Count < 1 + Workers)
            {
                var outcome = await source.ProvisionAsync(request, logger, cancellationToken);
                if (outcome is not ProvisionOutcome.Provisioned { Server: var node })
                {
                    await CitusCluster.DisposeAsync(nodes);
                    return outcome;
                }

                nodes.Add(node);
            }

            return new ProvisionOutcome.Provisioned(make(nodes, await JoinAsync(nodes, cancellationToken)));
        }
        catch
        {
            await CitusCluster.DisposeAsync(nodes);
            throw;
        }
    }

    /// <summary>Asks a coordinator about its cluster.</summary>
    /// <returns>
    /// The description of the whole, which is as durable as the worst of its nodes; or the rest of a sentence that begins with the name
    /// of the server.
    /// </returns>
    private async Task<(ServerDescription? Description, string? Problem)> ExamineClusterAsync(
        NpgsqlConnection connection,
        ServerDescription coordinator,
        CancellationToken cancellationToken
    )
    {
        await using var ask = new NpgsqlCommand("select citus_is_coordinator()", connection);
        if (await ask.ExecuteScalarAsync(cancellationToken) is not true)
            return (null, $"is a worker of {Product}: point {Variable} at the coordinator, through which all writes go");

        var workers = await ReadWorkersAsync(connection, cancellationToken);
        if (workers.Count == 0)
            return (null, "has no worker: add each with 'select citus_add_node(host, port)' on this coordinator");
        if (workers.Find(static worker => !worker.Answered) is { } silent)
            return (null, $"does not reach its worker {silent.Name}: start it, or remove it with 'select citus_remove_node(host, port)'");
        if (workers.Find(static worker => worker.Settings[PreparedTransactions] == "0") is { } unprepared)
        {
            return (
                null,
                $"has a worker, {unprepared.Name}, with {PreparedTransactions} = 0, where no transaction of several nodes can commit: set "
                    + "it to at least max_connections there, and restart that worker"
            );
        }

        var worst = workers.MaxBy(static worker => worker.Durability)!;
        var settings = new Dictionary<string, string>(coordinator.Settings)
        {
            ["citus.workers"] = workers.Count.ToString(CultureInfo.InvariantCulture),
        };
        if (workers.Sum(static worker => int.Parse(worker.Settings[InDoubt], CultureInfo.InvariantCulture)) is > 0 and var inDoubt)
            settings["citus.transactions_in_doubt"] = inDoubt.ToString(CultureInfo.InvariantCulture);
        if (worst.Durability > coordinator.Durability)
            settings["citus.least_durable_worker"] = worst.Answer;
        return (
            coordinator with
            {
                Durability = (DurabilityClass)Math.Max((int)coordinator.Durability, (int)worst.Durability),
                Settings = settings,
            },
            null
        );
    }

    /// <summary>Makes the first node the coordinator, and the others its workers.</summary>
    /// <returns>The description of the whole.</returns>
    private async Task<ServerDescription> JoinAsync(List<DatabaseServer> nodes, CancellationToken cancellationToken)
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

            var (description, problem) = await ExamineClusterAsync(connection, nodes[0].Description, cancellationToken);
            return description ?? throw new DatabaseStartException($"The coordinator that was started {problem}.");
        }
        catch (NpgsqlException e)
        {
            throw new DatabaseStartException($"The servers with the extension {Extension} did not become a cluster ({e.Message}).");
        }
    }

    private static async Task<List<Worker>> ReadWorkersAsync(NpgsqlConnection connection, CancellationToken cancellationToken)
    {
        var workers = new List<Worker>();
        await using var command = new NpgsqlCommand(WorkersQuery, connection);
        await using var reader = await command.ExecuteReaderAsync(cancellationToken);
        while (await reader.ReadAsync(cancellationToken))
            workers.Add(new(reader.GetString(0), reader.GetBoolean(1), reader.IsDBNull(2) ? "" : reader.GetString(2)));
        return workers;
    }

    /// <param name="Answer">Its settings, or why it did not, which may quote a user.</param>
    private sealed record Worker(string Name, bool Answered, string Answer)
    {
        public IReadOnlyDictionary<string, string> Settings { get; } =
            Answered
                ? Answer.Split(',').Select(static text => text.Split('=')).ToDictionary(static pair => pair[0], static pair => pair[1])
                : new Dictionary<string, string>();

        /// <summary>The file system of a worker is unknown here.</summary>
        public DurabilityClass Durability => PostgreSqlDescriptionReader.Classify(Settings, fileSystem: null);
    }
}
