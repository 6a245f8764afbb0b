namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// The engine's store as documents: on a replica set of MongoDB 7.0 or 8.x, or on DocumentDB, which is PostgreSQL.
/// Documents by key, claims by unique keys, one transaction for each batch.
/// </summary>
public sealed class MongoDbWorkflowBackend : IWorkflowBackend, IMessageQueue
{
    /// <summary>Housekeeping starts after this number of signals since the last one.</summary>
    private const int MaintenanceThreshold = 2_000;

    private readonly IDocumentDatabase _database;
    private readonly DriverErrors _errors;
    private readonly MongoDbSchema _schema;
    private readonly MongoDbSubmissions _submissions;
    private readonly ClaimSweep _sweep;
    private readonly MongoDbClaimer _claimer;
    private readonly MongoDbClaims _claims;
    private readonly MongoDbQueries _queries;
    private readonly MongoDbPurge _purge;
    private readonly MongoDbLeases _leases;
    private readonly MongoDbCensus _census;
    private readonly MongoDbMessages _messages;
    private long _taken;

    /// <param name="database">Belongs to the backend from now on.</param>
    internal MongoDbWorkflowBackend(IDocumentDatabase database, int slotsPerLook = Slots.Count)
    {
        var clock = new ServerClock(database);
        _database = database;
        _errors = MongoDbErrors.Of(database.Engine);
        _schema = new MongoDbSchema(database);
        _submissions = new MongoDbSubmissions(database, clock);
        _sweep = new ClaimSweep(database);
        _claimer = new MongoDbClaimer(database, clock, _sweep, slotsPerLook);
        _claims = new MongoDbClaims(database, clock, _claimer);
        _queries = new MongoDbQueries(database, clock);
        _purge = new MongoDbPurge(database, clock);
        _leases = new MongoDbLeases(database.ForLeases, new ServerClock(database.ForLeases));
        _census = new MongoDbCensus(database, clock);
        _messages = new MongoDbMessages(database, clock, _sweep);
    }

    /// <summary>A store on MongoDB.</summary>
    /// <param name="connectionString">Names a replica set: a single server has no transactions.</param>
    /// <param name="database">The name of the database, which is created when it is missing.</param>
    /// <exception cref="ArgumentException">The driver does not understand the connection string, which is not repeated.</exception>
    public static MongoDbWorkflowBackend OnMongoDb(string connectionString, string database) =>
        new(new MongoDriverDatabase(connectionString, database));

    /// <summary>A store on DocumentDB, the document engine in PostgreSQL.</summary>
    /// <param name="connectionString">Any Npgsql connection string to the PostgreSQL database with the extension.</param>
    /// <param name="database">The name of the document database, which is created when it is missing.</param>
    /// <exception cref="ArgumentException">The name cannot be used, or the connection string cannot be read.</exception>
    public static MongoDbWorkflowBackend OnDocumentDb(string connectionString, string database) =>
        new(new DocumentDbDatabase(connectionString, database));

    /// <inheritdoc/>
    public string Name => _database.Engine;

    /// <inheritdoc/>
    public BackendCapabilities Capabilities =>
        new(Durable: true, CrossProcessHints: _database.HearsChanges) { HintsCloses = _database.HearsCloses, DecidesDirectly = true };

    /// <inheritdoc cref="IDocumentDatabase.Retries"/>
    internal long Retries => _database.Retries;

    /// <inheritdoc/>
    public Task InitializeAsync(CancellationToken cancellationToken) =>
        _errors.WrapAsync("initialise its collections", () => _schema.InitializeAsync(cancellationToken));

    /// <summary>Drops the database with all that is in it.</summary>
    public Task DropDatabaseAsync(CancellationToken cancellationToken) =>
        _errors.WrapAsync("drop its database", () => _database.DropAsync(cancellationToken));

    /// <inheritdoc/>
    public Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken) =>
        SubmitAsync(batch, direct: null, cancellationToken);

    /// <inheritdoc/>
    public Task SubmitAsync(IReadOnlyList<Submission> batch, DirectTurns? direct, CancellationToken cancellationToken) =>
        _errors.WrapAsync($"write a batch of {batch.Count} starts and signals", () =>
            _submissions.SubmitAsync(batch, direct, cancellationToken)
        );

    /// <inheritdoc/>
    public Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken) =>
        TakeAsync("process a batch of signals", () => _claims.ProcessAsync(request, decide, cancellationToken));

    /// <inheritdoc/>
    public Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
        IReadOnlyList<ActivityLease> leases,
        TimeSpan duration,
        CancellationToken cancellationToken
    ) => _errors.WrapAsync($"extend {leases.Count} leases", () => _leases.ExtendAsync(leases, duration, cancellationToken));

    /// <inheritdoc/>
    public Task WaitForWorkAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        Capabilities.CrossProcessHints
            ? _errors.WrapAsync("listen for work", () => _database.WaitForChangeAsync(maximum, cancellationToken))
            : Task.Delay(maximum, cancellationToken);

    /// <inheritdoc/>
    public bool? IsFirst => _database.IsFirst;

    /// <inheritdoc/>
    public Task NotifyWorkAsync(CancellationToken cancellationToken) => NotifyAsync(_database.NotifyAsync, cancellationToken);

    /// <inheritdoc/>
    public Task NotifyAllAsync(CancellationToken cancellationToken) => NotifyAsync(_database.NotifyAllAsync, cancellationToken);

    private Task NotifyAsync(Func<CancellationToken, Task> notifyAsync, CancellationToken cancellationToken) =>
        Capabilities.CrossProcessHints
            ? _errors.WrapAsync("notify other processes", () => notifyAsync(cancellationToken))
            : Task.CompletedTask;

    /// <inheritdoc/>
    public Task<IReadOnlyList<ClosedInstance>> WaitForClosesAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        _errors.WrapAsync("listen for closes", () => _database.WaitForClosesAsync(maximum, cancellationToken));

    /// <inheritdoc/>
    public Task<bool> NotifyClosesAsync(IReadOnlyList<ClosedInstance> closed, CancellationToken cancellationToken) =>
        _errors.WrapAsync("notify other processes", () => _database.NotifyClosesAsync(closed, cancellationToken));

    /// <inheritdoc/>
    public Task<IReadOnlyList<InstanceRecord>> FindClosedAsync(IReadOnlyList<Guid> instanceIds, CancellationToken cancellationToken) =>
        _errors.WrapAsync("read closed instances", () => _queries.FindClosedAsync(instanceIds, cancellationToken));

    /// <inheritdoc/>
    public Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken) =>
        _errors.WrapAsync("read an instance", () => _queries.FindAsync(instanceId, cancellationToken));

    /// <inheritdoc/>
    public Task<InstanceRecord?> FindByKeyAsync(string businessKey, CancellationToken cancellationToken) =>
        _errors.WrapAsync("read an instance", () => _queries.FindByKeyAsync(businessKey, cancellationToken));

    /// <inheritdoc/>
    public Task<BackendCensus> TakeCensusAsync(CancellationToken cancellationToken) =>
        _errors.WrapAsync("count instances", () => _census.TakeAsync(cancellationToken));

    /// <inheritdoc/>
    public Task<IReadOnlyList<DeadLetter>> ListDeadLettersAsync(DeadLetterQuery query, CancellationToken cancellationToken) =>
        _errors.WrapAsync("list dead letters", () => _queries.ListDeadLettersAsync(query, cancellationToken));

    /// <inheritdoc/>
    public Task<int> RequeueDeadLettersAsync(IReadOnlyList<Guid> signalIds, CancellationToken cancellationToken) =>
        _errors.WrapAsync("requeue dead letters", () => _queries.RequeueAsync(signalIds, cancellationToken));

    /// <inheritdoc/>
    public Task<int> PurgeAsync(TimeSpan age, CancellationToken cancellationToken) =>
        _errors.WrapAsync("purge closed instances", () => _purge.RunAsync(age, cancellationToken));

    /// <inheritdoc/>
    public async Task MaintainAsync(CancellationToken cancellationToken)
    {
        if (Interlocked.Read(ref _taken) < MaintenanceThreshold)
            return;
        Interlocked.Exchange(ref _taken, 0);
        await _errors
            .WrapAsync("keep its collections in order", () => _database.MaintainAsync(Collections.Transient, cancellationToken))
            .ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public Task SendAsync(IReadOnlyList<Message> messages, CancellationToken cancellationToken) =>
        _errors.WrapAsync($"send {messages.Count} messages", () => _messages.SendAsync(messages, cancellationToken));

    /// <inheritdoc/>
    public Task<ProcessOutcome> ReceiveAsync(int maxMessages, Action<ReceivedMessages> handle, CancellationToken cancellationToken) =>
        TakeAsync("receive messages", () => _messages.ReceiveAsync(maxMessages, handle, cancellationToken));

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        _claimer.Dispose();
        _messages.Dispose();
        await _sweep.DisposeAsync().ConfigureAwait(false);
        await _database.DisposeAsync().ConfigureAwait(false);
    }

    private async Task<ProcessOutcome> TakeAsync(string operation, Func<Task<ProcessOutcome>> take)
    {
        var outcome = await _errors.WrapAsync(operation, take).ConfigureAwait(false);
        Interlocked.Add(ref _taken, outcome.Signals);
        return outcome;
    }
}
