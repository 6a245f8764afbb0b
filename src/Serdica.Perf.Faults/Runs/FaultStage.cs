using Serdica.Perf.Faults.Proxy;

namespace Serdica.Perf.Faults.Runs;

/// <summary>
/// What faults are done to: the server, a proxy before it for each host and one for the clients, and the hosts. All of it ends with
/// this object.
/// </summary>
/// <param name="plan">Has the backend, the settings of the engine, and the seed of the proxies.</param>
/// <param name="server">Belongs to the caller. Its port may change when it is started again.</param>
internal sealed class FaultStage(FaultPlan plan, DatabaseServer server, IServerActuator actuator, string folder, FaultedStore opener)
    : IAsyncDisposable
{
    private const string Store = "faults";

    private readonly Dictionary<string, FaultProxy> _hostProxies = [];
    private readonly Dictionary<string, FaultHost> _hosts = [];
    private readonly Dictionary<string, int> _incarnations = [];
    private readonly Dictionary<string, IReadOnlyList<int>> _versions = [];

    /// <summary>The proxy of the clients.</summary>
    public FaultProxy ClientProxy { get; } = new(() => opener.ConnectionString(server), plan.Seed);

    public IServerActuator Server => actuator;

    /// <summary>The same, for faults that only a local server can be put under.</summary>
    public ServerActuator LocalServer => (ServerActuator)actuator;

    public ServerSessions Sessions => new(server.ConnectionString);

    /// <summary>Does the same to the sessions of each node of the server.</summary>
    /// <returns>The sum of the answers.</returns>
    public async Task<long> OnNodesAsync(Func<ServerSessions, Task<long>> act)
    {
        var sum = 0L;
        foreach (var node in server.Nodes)
            sum += await act(new(node.ConnectionString));
        return sum;
    }

    public string History { get; } = Path.Combine(folder, "history");

    /// <summary>The clients' and those of all hosts.</summary>
    public IReadOnlyList<FaultProxy> Proxies => [ClientProxy, .. _hostProxies.Values];

    /// <summary>The process that has this place now.</summary>
    public FaultHost Host(string place) => _hosts[place];

    /// <summary>Between a host and its server.</summary>
    public FaultProxy HostProxy(string place) => _hostProxies[place];

    /// <summary>Opens the store beside all proxies. The run waits longer than the engine for a connection.</summary>
    public IWorkflowBackend OpenDirect() =>
        Open(new Npgsql.NpgsqlConnectionStringBuilder(opener.ConnectionString(server)) { Timeout = 60 }.ConnectionString);

    /// <summary>Opens the store as the clients do.</summary>
    public IWorkflowBackend OpenForClients() => Open(ClientProxy.Through(opener.ConnectionString(server)));

    /// <summary>Puts all tables that are created from now on onto a volume of their own. The server is started again for it.</summary>
    /// <exception cref="FaultImpossibleException">This process may not mount a volume.</exception>
    public async Task AddVolumeAsync(CancellationToken cancellationToken)
    {
        var (volume, problem) = await LocalServer.Cluster.AddVolumeAsync(cancellationToken);
        await Sessions.UseVolumeAsync(volume ?? throw new FaultImpossibleException(problem!), cancellationToken);
    }

    /// <summary>Takes a lock that all who write instances need.</summary>
    public async Task<HeldTransaction> LockAsync(CancellationToken cancellationToken) =>
        await Sessions.LockAsync(await InstancesAsync(cancellationToken), cancellationToken);

    /// <summary>Whether the columns of the tables are the engine's; those of DocumentDB belong to it.</summary>
    public bool OwnsColumns => plan.Backend == BackendNames.PostgreSql;

    /// <summary>The table of instances, with its schema.</summary>
    public async Task<string> InstancesAsync(CancellationToken cancellationToken) =>
        OwnsColumns ? $"{Store}.instance" : await Sessions.TableAsync(Store, "instances", cancellationToken);

    public Task StartHostsAsync(int count, CancellationToken cancellationToken) =>
        Task.WhenAll(Enumerable.Range(1, count).Select(number => StartHostAsync(PlannedFault.Host(number), cancellationToken)));

    /// <summary>Starts a process in this place, the first or the next one.</summary>
    /// <param name="versions">The versions of the definition that this and later processes in the place have; as before by default.</param>
    public async Task StartHostAsync(string place, CancellationToken cancellationToken, IReadOnlyList<int>? versions = null)
    {
        HostSettings settings;
        string connection;
        lock (_hosts)
        {
            if (!_hostProxies.TryGetValue(place, out var proxy))
                _hostProxies[place] = proxy = new(() => opener.ConnectionString(server), plan.Seed + _hostProxies.Count + 1);
            var incarnation = _incarnations[place] = _incarnations.GetValueOrDefault(place) + 1;
            if (versions is not null)
                _versions[place] = versions;
            connection = proxy.Through(opener.ConnectionString(server));
            settings = new()
            {
                Name = incarnation == 1 ? place : Invariant($"{place}.{incarnation}"),
                History = History,
                Backend = plan.Backend,
                Store = Store,
                Opener = opener.GetType().AssemblyQualifiedName!,
                Engine = plan.Engine,
                ThinkTime = plan.ThinkTime,
                Versions = _versions.GetValueOrDefault(place) ?? ShapedWorkflow.Old,
            };
        }

        var host = await FaultHost.StartAsync(settings, connection, Path.Combine(folder, "hosts"), cancellationToken);
        FaultHost? before;
        lock (_hosts)
        {
            _hosts.Remove(place, out before);
            _hosts[place] = host;
        }

        if (before is not null)
            await before.DisposeAsync();
    }

    /// <summary>Lets the callers of all hosts end their instances.</summary>
    /// <returns>How many signals these hosts have decided directly; those of hosts that have ended are not known.</returns>
    public async Task<long> EndLoadAsync(CancellationToken cancellationToken)
    {
        var decided = await Task.WhenAll(_hosts.Values.Select(host => host.EndLoadAsync(cancellationToken)));
        return decided.Sum();
    }

    /// <summary>Stops all hosts in order.</summary>
    public Task StopHostsAsync(CancellationToken cancellationToken) =>
        Task.WhenAll(_hosts.Values.Select(host => host.TerminateAsync(cancellationToken)));

    public async ValueTask DisposeAsync()
    {
        foreach (var host in _hosts.Values)
            await host.DisposeAsync();
        foreach (var proxy in Proxies)
            await proxy.DisposeAsync();
    }

    private IWorkflowBackend Open(string connectionString)
    {
        var variable = DatabaseEnvironment.ApplicationVariable(BackendNames.InVariables(plan.Backend));
        var (opened, reason) = opener.Open(
            plan.Backend,
            Store,
            new DatabaseEnvironment(name => name == variable ? connectionString : null)
        );
        return opened ?? throw new InvalidOperationException(reason);
    }
}
