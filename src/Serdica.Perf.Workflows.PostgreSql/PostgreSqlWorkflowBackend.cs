using Microsoft.Extensions.Logging.Abstractions;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>
/// The engine's store on PostgreSQL 14 to 18: a schema of its own, multi-row statements, claims with
/// <c>FOR UPDATE SKIP LOCKED</c>, one transaction for each batch.
/// </summary>
public sealed class PostgreSqlWorkflowBackend : IWorkflowBackend, IMessageQueue
{
    private static readonly DriverErrors Errors = new(PostgreSqlErrors.IsDriverError, PostgreSqlErrors.Wrap);

    private readonly PostgreSqlConnections _connections;
    private readonly PostgreSqlSchema _schema;
    private readonly PostgreSqlSubmissions _submissions;
    private readonly PostgreSqlClaims _claims;
    private readonly PostgreSqlQueries _queries;
    private readonly PostgreSqlLeases _leases;
    private readonly PostgreSqlMessages _messages;
    private readonly PostgreSqlHints _hints;
    private readonly PostgreSqlCloseHints _closeHints;
    private readonly PostgreSqlVacuum _vacuum;
    private readonly PostgreSqlPurge _purge;
    private readonly BucketTurns? _turns;
    private readonly BucketHints? _bucketHints;

    /// <exception cref="ArgumentException">An option cannot be used; the message never holds the password.</exception>
    public PostgreSqlWorkflowBackend(PostgreSqlBackendOptions options, ILogger<PostgreSqlWorkflowBackend>? logger = null)
        : this(options, logger, TimeProvider.System) { }

    /// <inheritdoc cref="PostgreSqlWorkflowBackend(PostgreSqlBackendOptions, ILogger{PostgreSqlWorkflowBackend})"/>
    public PostgreSqlWorkflowBackend(string connectionString)
        : this(new PostgreSqlBackendOptions { ConnectionString = connectionString }) { }

    /// <param name="options">Where it stores, and how long it waits.</param>
    /// <param name="logger">What the database does that its user should know.</param>
    /// <param name="time">The clock of housekeeping: of pauses and of the age of sessions.</param>
    internal PostgreSqlWorkflowBackend(PostgreSqlBackendOptions options, ILogger? logger, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        var buckets = options.IsDistributed ? new Buckets(options.Buckets) : null;
        var scripts = new PostgreSqlScripts(options.Schema, buckets);
        Name = options.IsDistributed ? "citus" : "postgresql";
        _connections = new PostgreSqlConnections(options, scripts, time, logger ?? NullLogger.Instance);
        _schema = new PostgreSqlSchema(_connections, scripts, options.Schema, options.MustExist);
        _turns = buckets is null ? null : new BucketTurns(buckets, time);
        var known = _connections.Server is { } server ? new KnownInstances(options.KnownInstanceBytes, server) : null;
        _submissions = new PostgreSqlSubmissions(_connections, known, _turns);
        _claims = new PostgreSqlClaims(_connections, known, _turns);
        _queries = new PostgreSqlQueries(_connections, scripts);
        _vacuum = new PostgreSqlVacuum(_connections, scripts, _queries, time, logger ?? NullLogger.Instance);
        _purge = new PostgreSqlPurge(_queries, patience: options.ClaimTimeout / 2, buckets);
        _leases = new PostgreSqlLeases(_connections, buckets);
        var messageTurns = buckets is null ? null : new BucketTurns(buckets, time);
        _messages = new PostgreSqlMessages(_connections, messageTurns);
        _bucketHints = _turns is null || messageTurns is null ? null : new BucketHints(buckets!, _turns, messageTurns);
        _hints = new PostgreSqlHints(
            _connections.OpenPlainAsync,
            _connections.ListenerString,
            $"{options.Schema}_work",
            elects: _bucketHints is null,
            scripts["late"],
            _bucketHints is null ? null : _bucketHints.BeginListeningAsync
        );
        _closeHints = new PostgreSqlCloseHints(_connections.OpenPlainAsync, _connections.ListenerString, $"{options.Schema}_closed");
        Capabilities = new BackendCapabilities(Durable: true, CrossProcessHints: !options.TransactionPooling)
        {
            HintsCloses = !options.TransactionPooling,
            FiltersDefinitions = true,
            UndoesAbandonedClaims = true,
            DecidesDirectly = true,
            Parts = buckets?.Count ?? 1,
        };
    }

    /// <inheritdoc/>
    public string Name { get; }

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
        SubmitAsync(batch, direct: null, cancellationToken);

    /// <inheritdoc/>
    public Task SubmitAsync(IReadOnlyList<Submission> batch, DirectTurns? direct, CancellationToken cancellationToken) =>
        Errors.WrapAsync($"write a batch of {batch.Count} starts and signals", () =>
            _submissions.SubmitAsync(batch, direct, cancellationToken)
        );

    /// <inheritdoc/>
    public async Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken)
    {
        var outcome = await Errors
            .WrapAsync("process a batch of signals", () => _claims.ProcessAsync(request, decide, cancellationToken))
            .ConfigureAwait(false);
        _vacuum.Taken(outcome.Signals);
        return outcome;
    }

    /// <inheritdoc/>
    public Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
        IReadOnlyList<ActivityLease> leases,
        TimeSpan duration,
        CancellationToken cancellationToken
    ) => Errors.WrapAsync($"extend {leases.Count} leases", () => _leases.ExtendAsync(leases, duration, cancellationToken));

    /// <inheritdoc/>
    public Task WaitForWorkAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        Capabilities.CrossProcessHints
            ? Errors.WrapAsync("listen for work", () => _hints.WaitAsync(maximum, cancellationToken))
            : Task.Delay(maximum, cancellationToken);

    /// <inheritdoc/>
    public bool? IsFirst => Capabilities.CrossProcessHints ? _hints.IsFirst : null;

    /// <inheritdoc/>
    public Task NotifyAllAsync(CancellationToken cancellationToken) =>
        IsFirst is null
            ? NotifyWorkAsync(cancellationToken)
            : Errors.WrapAsync("notify other processes", () => _hints.NotifyAllAsync(cancellationToken));

    /// <inheritdoc/>
    public Task NotifyWorkAsync(CancellationToken cancellationToken) =>
        Capabilities.CrossProcessHints
            ? Errors.WrapAsync("notify other processes", () => _hints.NotifyAsync(_bucketHints?.Take() ?? "", cancellationToken))
            : Task.CompletedTask;

    /// <inheritdoc/>
    public Task<IReadOnlyList<ClosedInstance>> WaitForClosesAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        Errors.WrapAsync("listen for closes", () => _closeHints.WaitAsync(maximum, cancellationToken));

    /// <inheritdoc/>
    public Task<bool> NotifyClosesAsync(IReadOnlyList<ClosedInstance> closed, CancellationToken cancellationToken) =>
        Errors.WrapAsync("notify other processes", () => _closeHints.NotifyAsync(closed, cancellationToken));

    /// <inheritdoc/>
    public Task<IReadOnlyList<InstanceRecord>> FindClosedAsync(IReadOnlyList<Guid> instanceIds, CancellationToken cancellationToken) =>
        Errors.WrapAsync("read closed instances", () => _queries.FindClosedAsync(instanceIds, cancellationToken));

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
    public Task<IReadOnlyList<DeadLetter>> ListDeadLettersAsync(DeadLetterQuery query, CancellationToken cancellationToken) =>
        Errors.WrapAsync("list dead letters", () => _queries.ListDeadLettersAsync(query, cancellationToken));

    /// <inheritdoc/>
    public async Task<int> RequeueDeadLettersAsync(IReadOnlyList<Guid> signalIds, CancellationToken cancellationToken)
    {
        var requeued = await Errors
            .WrapAsync("requeue dead letters", () => _queries.RequeueAsync(signalIds, cancellationToken))
            .ConfigureAwait(false);
        _turns?.LeftAnywhere();
        return requeued;
    }

    /// <inheritdoc/>
    public Task<int> PurgeAsync(TimeSpan age, CancellationToken cancellationToken) =>
        Errors.WrapAsync("purge closed instances", () => _purge.RunAsync(age, cancellationToken));

    /// <inheritdoc/>
    public async Task MaintainAsync(CancellationToken cancellationToken)
    {
        await _connections.TrimAsync().ConfigureAwait(false);
        await Errors.WrapAsync("vacuum the signals", () => _vacuum.RunAsync(cancellationToken)).ConfigureAwait(false);
    }

    internal EngineCounts Counts => new(_vacuum.WithoutEffect, _submissions.Pause.Unread, _submissions.Pause.Refused);

    /// <summary>Has all sessions hand their counts over to the server's statistics.</summary>
    internal Task<PostgreSqlReports> ReportStatisticsAsync(CancellationToken cancellationToken) =>
        Errors.WrapAsync("report to its statistics", () => _connections.ReportAsync(cancellationToken));

    /// <inheritdoc/>
    public Task SendAsync(IReadOnlyList<Message> messages, CancellationToken cancellationToken) =>
        Errors.WrapAsync($"send {messages.Count} messages", () => _messages.SendAsync(messages, cancellationToken));

    /// <inheritdoc/>
    public async Task<ProcessOutcome> ReceiveAsync(int maxMessages, Action<ReceivedMessages> handle, CancellationToken cancellationToken)
    {
        var outcome = await Errors
            .WrapAsync("receive messages", () => _messages.ReceiveAsync(maxMessages, handle, cancellationToken))
            .ConfigureAwait(false);
        _vacuum.Taken(outcome.Signals);
        return outcome;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _hints.DisposeAsync().ConfigureAwait(false);
        await _closeHints.DisposeAsync().ConfigureAwait(false);
        await _connections.DisposeAsync().ConfigureAwait(false);
    }
}
