using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>
/// The engine's store on Oracle Database 19c to 26ai: signals and timers are classic Advanced Queuing messages, written
/// and taken in the transaction that changes the state, by a PL/SQL package whose every call is a batch.
/// </summary>
/// <remarks>It has never met a real server: see docs/oracle-first-run.md for what to look at when it does.</remarks>
public sealed class OracleWorkflowBackend : IWorkflowBackend, IMessageQueue
{
    private static readonly DriverErrors Errors = new(OracleErrors.IsDriverError, OracleErrors.Wrap);

    private readonly OracleSchema _schema;
    private readonly OracleSubmissions _submissions;
    private readonly OracleClaims _claims;
    private readonly OracleQueries _queries;
    private readonly OracleMessages _messages;
    private readonly OracleHints _hints;
    private readonly OracleUpkeep _upkeep;

    /// <exception cref="ArgumentException">An option cannot be used; the message never holds the password.</exception>
    /// <exception cref="WorkflowBackendException">The driver is not in this build.</exception>
    public OracleWorkflowBackend(OracleBackendOptions options, ILogger<OracleWorkflowBackend>? logger = null)
        : this(options, logger, TimeProvider.System) { }

    internal OracleWorkflowBackend(OracleBackendOptions options, ILogger? logger, TimeProvider time)
    {
        ArgumentNullException.ThrowIfNull(options);
        options.Validate();
        var scripts = new OracleScripts(options.Prefix);
        var connections = new OracleConnections(options, scripts);
        _schema = new OracleSchema(connections, scripts, options.Prefix);
        _submissions = new OracleSubmissions(connections);
        _claims = new OracleClaims(connections, options.Prefix, logger ?? NullLogger.Instance, time);
        _queries = new OracleQueries(connections, _submissions);
        _messages = new OracleMessages(connections, _submissions, options.OneByOne ? OracleHints.LongestWaitSeconds : 0);
        _hints = new OracleHints(connections);
        _upkeep = new OracleUpkeep(connections, OracleUpkeep.Pause);
        Name = options.OneByOne ? "oracle-aq-reference" : "oracle-aq";
        Capabilities = new(Durable: true, CrossProcessHints: true) { OneByOne = options.OneByOne };
    }

    /// <inheritdoc/>
    public string Name { get; }

    /// <summary>Hints that this process has left for others, and those of others that it has taken.</summary>
    internal (long Left, long Heard) Hints => (_hints.Left, _hints.Heard);

    /// <inheritdoc/>
    public BackendCapabilities Capabilities { get; }

    /// <inheritdoc/>
    public Task InitializeAsync(CancellationToken cancellationToken) =>
        Errors.WrapAsync("initialise its schema", () => _schema.InitializeAsync(cancellationToken));

    /// <summary>Drops all tables, queues and the package of the prefix.</summary>
    public Task DropSchemaAsync(CancellationToken cancellationToken) =>
        Errors.WrapAsync("drop its schema", () => _schema.DropAsync(cancellationToken));

    /// <inheritdoc/>
    public Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken) =>
        Errors.WrapAsync($"write a batch of {batch.Count} starts and signals", () => _submissions.SubmitAsync(batch, cancellationToken));

    /// <inheritdoc/>
    public Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken) =>
        Errors.WrapAsync("process a batch of signals", () => _claims.ProcessAsync(request, decide, cancellationToken));

    /// <inheritdoc/>
    public Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
        IReadOnlyList<ActivityLease> leases,
        TimeSpan duration,
        CancellationToken cancellationToken
    ) => Errors.WrapAsync($"extend {leases.Count} leases", () => _queries.ExtendLeasesAsync(leases, duration, cancellationToken));

    /// <inheritdoc/>
    public Task WaitForWorkAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        Errors.WrapAsync("wait for a hint", () => _hints.WaitAsync(maximum, cancellationToken));

    /// <inheritdoc/>
    public Task NotifyWorkAsync(CancellationToken cancellationToken) =>
        Errors.WrapAsync("leave a hint", () => _hints.NotifyAsync(cancellationToken));

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
    public Task<int> RequeueDeadLettersAsync(IReadOnlyList<Guid> signalIds, CancellationToken cancellationToken) =>
        Errors.WrapAsync("requeue dead letters", () => _queries.RequeueAsync(signalIds, cancellationToken));

    /// <inheritdoc/>
    public Task<int> PurgeAsync(TimeSpan age, CancellationToken cancellationToken) =>
        Errors.WrapAsync("purge closed instances", () => _queries.PurgeAsync(age, cancellationToken));

    /// <summary>Now and then one process deletes messages that nothing leads to, and gives back empty leaves of the indexes.</summary>
    public Task MaintainAsync(CancellationToken cancellationToken) =>
        Errors.WrapAsync("keep its queues and indexes in order", () => _upkeep.RunAsync(cancellationToken));

    /// <inheritdoc/>
    public Task SendAsync(IReadOnlyList<Message> messages, CancellationToken cancellationToken) =>
        Errors.WrapAsync($"send {messages.Count} messages", () => _messages.SendAsync(messages, cancellationToken));

    /// <inheritdoc/>
    public Task<ProcessOutcome> ReceiveAsync(int maxMessages, Action<ReceivedMessages> handle, CancellationToken cancellationToken) =>
        Errors.WrapAsync("receive messages", () => _messages.ReceiveAsync(maxMessages, handle, cancellationToken));

    /// <summary>Ends the wait for a hint, if one is under way. Connections lie in the driver's pool.</summary>
    public ValueTask DisposeAsync() => _hints.DisposeAsync();
}
