namespace Serdica.Perf.Compliance;

/// <summary>
/// What every topic of the suite needs: a fresh schema, backend objects that stand for processes, clients and hosts.
/// The tests run on real time with short delays, for they hold for servers with clocks of their own.
/// </summary>
public abstract class WorkflowBackendCompliance(IBackendFixture fixture) : IAsyncLifetime
{
    private static readonly TimeSpan ShortestWait = FromMilliseconds(5);
    private static readonly TimeSpan LongestWait = FromMilliseconds(50);

    /// <summary>Tests connect from several threads at once.</summary>
    private readonly ConcurrentStack<IAsyncDisposable> _owned = new();

    /// <summary>Options whose pauses fit a test.</summary>
    protected static WorkflowOptions Quick { get; } =
        new()
        {
            ActivityLease = FromMinutes(1),
            DecideTimeout = FromMinutes(1),
            SubmitTimeout = FromMinutes(1),
            SubmitPatience = FromMinutes(1),
            UnknownDefinitionDelay = FromMilliseconds(30),
            InstanceRetry = new RetryPolicy
            {
                MaxAttempts = 3,
                FirstDelay = FromMilliseconds(20),

                // A host without the definition may be the first to claim many times, and each time puts the instance off for longer.
                MaxDelay = FromMilliseconds(200),
            },
            SignalRetry = new RetryPolicy { MaxAttempts = 3, FirstDelay = FromMilliseconds(10) },
            MaxPollInterval = FromMilliseconds(300),
            DrainTimeout = FromSeconds(2),
        };

    /// <summary>Whether the tests leave the schema as backends make it, so that others may use it after them.</summary>
    protected virtual bool BorrowsSchema => true;

    protected IBackendSchema TestSchema { get; private set; } = null!;

    /// <summary>The first process's backend; the schema is there.</summary>
    protected IWorkflowBackend Backend { get; private set; } = null!;

    public async ValueTask InitializeAsync()
    {
        TestSchema = await (BorrowsSchema ? fixture.BorrowSchemaAsync(Token) : fixture.CreateSchemaAsync(Token));
        _owned.Push(TestSchema);
        Backend = Connect();
        await Backend.InitializeAsync(Token);
    }

    public async ValueTask DisposeAsync()
    {
        while (_owned.TryPop(out var owned))
            await owned.DisposeAsync();
        GC.SuppressFinalize(this);
    }

    /// <summary>Another process's backend on the same schema.</summary>
    protected IWorkflowBackend Connect() => Own(TestSchema.Connect());

    protected WorkflowClient Client(params WorkflowDefinition[] definitions) => Client(Quick, definitions);

    protected WorkflowClient Client(WorkflowOptions options, params WorkflowDefinition[] definitions) =>
        Own(new WorkflowClient(Connect(), new WorkflowRegistry(definitions), options));

    protected Task<WorkflowHost> HostAsync(params WorkflowDefinition[] definitions) => HostAsync(Quick, definitions);

    protected Task<WorkflowHost> HostAsync(WorkflowOptions options, params WorkflowDefinition[] definitions) =>
        HostAsync(Connect(), options, definitions);

    /// <summary>Starts a host; the test's end stops it.</summary>
    protected async Task<WorkflowHost> HostAsync(IWorkflowBackend backend, WorkflowOptions options, params WorkflowDefinition[] definitions)
    {
        var host = Own(new WorkflowHost(backend, new WorkflowRegistry(definitions), options));
        await host.StartAsync(Token);
        return host;
    }

    private protected Task<(WorkflowHost Host, StartedInstance Started)> StartedAsync(
        WorkflowDefinition<Ledger> first,
        params WorkflowDefinition[] others
    ) => StartedAsync(Quick, first, others);

    private protected Task<(WorkflowHost Host, StartedInstance Started)> StartedAsync(
        WorkflowOptions options,
        WorkflowDefinition<Ledger> first,
        params WorkflowDefinition[] others
    ) => StartedAsync(Connect(), options, first, others);

    /// <summary>Starts a host, and with it an instance of the first definition.</summary>
    private protected async Task<(WorkflowHost Host, StartedInstance Started)> StartedAsync(
        IWorkflowBackend backend,
        WorkflowOptions options,
        WorkflowDefinition<Ledger> first,
        params WorkflowDefinition[] others
    )
    {
        var host = await HostAsync(backend, options, [first, .. others]);
        return (host, await host.Client.StartAsync(first));
    }

    /// <summary>Starts several instances at once.</summary>
    private protected static Task<StartedInstance[]> StartAsync(WorkflowClient client, WorkflowDefinition<Ledger> definition, int count) =>
        Task.WhenAll(Range(0, count).Select(_ => client.StartAsync(definition)));

    protected static Task<InstanceRecord> CloseOf(WorkflowClient client, Guid instanceId) =>
        client.WaitForCloseAsync(instanceId, Token).InTime();

    protected static async Task Completes(WorkflowClient client, Guid instanceId) =>
        Assert.Equal(InstanceStatus.Completed, (await CloseOf(client, instanceId)).Status);

    protected static async Task<Ledger> StateOf(WorkflowClient client, Guid instanceId) =>
        (await client.GetAsync<Ledger>(instanceId, Token))!.State;

    protected static async Task<List<int>> EntriesOf(WorkflowClient client, Guid instanceId) => (await StateOf(client, instanceId)).Entries;

    protected Task<BackendCensus> Census() => Backend.TakeCensusAsync(Token);

    /// <summary>
    /// Waits for the dead letter of a culprit. Whether it or the database fails is seen by others that come after its first failure.
    /// </summary>
    protected Task IsGivenUpAsync(WorkflowHost host) =>
        Eventually(
            async () =>
            {
                var later = await host.Client.StartAsync(Definitions.Appending);
                await host.Client.SendAsync(later.Id, "append", Definitions.Last);
                return (await DeadLetters()).Count == 1;
            },
            "the culprit's signal is given up"
        );

    protected Task<IReadOnlyList<DeadLetter>> DeadLetters() => Backend.ListDeadLettersAsync(10, Token);

    protected async Task<InstanceRecord> RecordOf(Guid instanceId) =>
        await Backend.FindAsync(instanceId, Token) ?? throw new KeyNotFoundException($"There is no instance {instanceId}.");

    protected async Task<InstanceStatus> StatusOf(Guid instanceId) => (await RecordOf(instanceId)).Status;

    protected async Task<long> VersionOf(Guid instanceId) => (await RecordOf(instanceId)).Version;

    /// <inheritdoc cref="Eventually(Func{Task{bool}}, string)"/>
    protected Task Eventually(Func<bool> condition, string what) => Eventually(() => Task.FromResult(condition()), what);

    /// <summary>Waits until the condition holds; fails with what was waited for and the census of the moment.</summary>
    protected async Task Eventually(Func<Task<bool>> condition, string what)
    {
        var clock = Stopwatch.StartNew();
        for (var asked = clock.Elapsed; !await condition(); asked = clock.Elapsed)
        {
            if (clock.Elapsed > HangGuard.Limit)
                Assert.Fail($"After {clock.Elapsed.TotalSeconds:0} s not so: {what}. {Describe(await Census())}");

            // Where a census takes long, the server is not to be busy with it most of the time.
            var pause = 2 * (clock.Elapsed - asked);
            await Task.Delay(pause < ShortestWait ? ShortestWait : pause > LongestWait ? LongestWait : pause, Token);
        }
    }

    /// <summary>
    /// Makes the counters final. A worker counts after its commit, and an instance may be read, or continued by another worker,
    /// before that.
    /// </summary>
    protected static async Task CountedAsync(params WorkflowHost[] hosts)
    {
        foreach (var host in hosts)
            await host.StopAsync(Token);
    }

    /// <summary>Waits until no signal is left, due or later, and no instance is stuck.</summary>
    protected async Task Quiescence()
    {
        await Eventually(async () => await Census() is { SignalsDue: 0, SignalsLater: 0 }, "no signal is left");
        Assert.Equal(0, (await Census()).Stuck);
    }

    /// <summary>Disposed at the end of the test.</summary>
    protected T Own<T>(T owned)
        where T : IAsyncDisposable
    {
        _owned.Push(owned);
        return owned;
    }

    private static string Describe(BackendCensus census) =>
        $"Census: {string.Join(", ", census.Instances.Select(entry => $"{entry.Key} {entry.Value}"))}, due {census.SignalsDue}, "
        + $"later {census.SignalsLater}, dead {census.DeadLetters}, stuck {census.Stuck}.";
}
