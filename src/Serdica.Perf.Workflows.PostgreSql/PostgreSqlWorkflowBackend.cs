namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// The engine's store on PostgreSQL 14 to 18: a schema of its own, multi-row statements, claims with
/// <c>FOR UPDATE SKIP LOCKED</c>, one transaction for each batch.
/// </summary>
public sealed class PostgreSqlWorkflowBackend : IWorkflowBackend, IMessageQueue
{
    /// <summary>So many signals since the last time make a vacuum worth its while.</summary>
    private const int VacuumThreshold = 2_000;

    private static readonly DriverErrors Errors = new(PostgreSqlErrors.IsDriverError, PostgreSqlErrors.Wrap);

    private readonly PostgreSqlConnections _connections;
    private readonly PostgreSqlSchema _schema;
    private readonly PostgreSqlSubmissions _submissions;
    private readonly PostgreSqlClaims _claims;
    private readonly PostgreSqlQueries _queries;
    private readonly PostgreSqlMessages _messages;
    private readonly PostgreSqlHints _hints;
    private long _taken;

    /// <exception cref="ArgumentException">An option cannot be used; the message never holds the password.</exception>
    public PostgreSqlWorkflowBackend(PostgreSqlBackendOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        var scripts = new PostgreSqlScripts(options.Schema);
        _connections = new PostgreSqlConnections(options, scripts);
        _schema = new PostgreSqlSchema(_connections, scripts, options.Schema);
        _submissions = new PostgreSqlSubmissions(_connections);
        _claims = new PostgreSqlClaims(_connections);
        _queries = new PostgreSqlQueries(_connections, scripts);
        _messages = new PostgreSqlMessages(_connections);
        _hints = new PostgreSqlHints(_connections.OpenPlainAsync, $"{options.Schema}_work");
        Capabilities = new BackendCapabilities(Durable: true, CrossProcessHints: !options.TransactionPooling) { FiltersDefinitions = true };
    }

    /// <inheritdoc cref="PostgreSqlWorkflowBackend(PostgreSqlBackendOptions)"/>
    public PostgreSqlWorkflowBackend(string connectionString)
        : this(new PostgreSqlBackendOptions { ConnectionString = connectionString })
    {
    }

    /// <inheritdoc/>
    public string Name => "postgresql";

    /// <inheritdoc/>
    public BackendCapabilities Capabilities { get; }

    /// <inheritdoc/>
    public Task InitializeAsync(CancellationToken cancellationToken) =>
        Errors.WrapAsync("initialise its schema", () => _schema.InitializeAsync(cancellationToken));

    /// <summary>Drops the schema with all that is in it.</summary>
    public Task DropSchemaAsync(CancellationToken cancellationToken) =>
        Errors.WrapAsync("drop its schema", () => _schema.DropAsync(cancellationToken));

    /// <inheritdoc/>
    public Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken) =>
        Errors.WrapAsync($"write a batch of {batch.Count} starts and signals", () => _submissions.SubmitAsync(batch, cancellationToken));

    /// <inheritdoc/>
    public async Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken)
    {
        var outcome = await Errors.WrapAsync("process a batch of signals", () => _claims.ProcessAsync(request, decide, cancellationToken))
            .ConfigureAwait(false);
        Interlocked.Add(ref _taken, outcome.Signals);
        return outcome;
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
        IReadOnlyList<ActivityLease> leases, TimeSpan duration, CancellationToken cancellationToken) =>
        Errors.WrapAsync($"extend {leases.Count} leases", () => _queries.ExtendLeasesAsync(leases, duration, cancellationToken));

    /// <inheritdoc/>
    public Task WaitForWorkAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        Capabilities.CrossProcessHints
            ? Errors.WrapAsync("listen for work", () => _hints.WaitAsync(maximum, cancellationToken))
            : Task.Delay(maximum, cancellationToken);

    /// <inheritdoc/>
    public Task NotifyWorkAsync(CancellationToken cancellationToken) =>
        Capabilities.CrossProcessHints
            ? Errors.WrapAsync("notify other processes", () => _hints.NotifyAsync(cancellationToken))
            : Task.CompletedTask;

    /// <inheritdoc/>
    public Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken) =>
        Errors.WrapAsync("read an instance", () => _queries.FindAsync(instanceId, cancellationToken));

    /// <inheritdoc/>
    public Task<InstanceRecord?> FindByKeyAsync(string businessKey, CancellationToken cancellationToken) =>
        Errors.WrapAsync("read an instance", () => _queries.FindByKeyAsync(businessKey, cancellationToken));

    /// <inheritdoc/>
    public Task<BackendCensus> TakeCensusAsync(CancellationToken cancellationToken) =>
        Errors.WrapAsync("count instances", () => _queries.TakeCensusAsync(cancellationToken));

    /// <inheritdoc/>
    public Task<IReadOnlyList<DeadLetter>> ListDeadLettersAsync(int limit, CancellationToken cancellationToken) =>
        Errors.WrapAsync("list dead letters", () => _queries.ListDeadLettersAsync(limit, cancellationToken));

    /// <inheritdoc/>
    public Task<int> RequeueDeadLettersAsync(IReadOnlyList<Guid> signalIds, CancellationToken cancellationToken) =>
        Errors.WrapAsync("requeue dead letters", () => _queries.RequeueAsync(signalIds, cancellationToken));

    /// <inheritdoc/>
    public Task<int> PurgeAsync(TimeSpan age, CancellationToken cancellationToken) =>
        Errors.WrapAsync("purge closed instances", () => _queries.PurgeAsync(age, cancellationToken));

    /// <inheritdoc/>
    public async Task MaintainAsync(CancellationToken cancellationToken)
    {
        if (Interlocked.Read(ref _taken) < VacuumThreshold)
            return;
        Interlocked.Exchange(ref _taken, 0);
        await Errors.WrapAsync("vacuum the signals", () => _queries.VacuumAsync(cancellationToken)).ConfigureAwait(false);
    }

    /// <summary>Has all sessions hand their counts over to the server's statistics.</summary>
    internal Task<PostgreSqlReports> ReportStatisticsAsync(CancellationToken cancellationToken) =>
        Errors.WrapAsync("report to its statistics", () => _connections.ReportAsync(cancellationToken));

    /// <inheritdoc/>
    public Task SendAsync(IReadOnlyList<Message> messages, CancellationToken cancellationToken) =>
        Errors.WrapAsync($"send {messages.Count} messages", () => _messages.SendAsync(messages, cancellationToken));

    /// <inheritdoc/>
    public async Task<ProcessOutcome> ReceiveAsync(
        int maxMessages, Action<ReceivedMessages> handle, CancellationToken cancellationToken)
    {
        var outcome = await Errors.WrapAsync("receive messages", () => _messages.ReceiveAsync(maxMessages, handle, cancellationToken))
            .ConfigureAwait(false);
        Interlocked.Add(ref _taken, outcome.Signals);
        return outcome;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _hints.DisposeAsync().ConfigureAwait(false);
        await _connections.DisposeAsync().ConfigureAwait(false);
    }
}
