namespace Serdica.Perf.Workflows;

/// <summary>
/// The one seam between the engine and a database. Every member works on batches, and every write of one call is
/// one transaction: it happens whole or not at all. Implementations are safe for concurrent use by many callers
/// and many processes.
/// </summary>
/// <remarks>
/// <para>Due times and leases are judged by the clock of the database, never by a caller's.</para>
/// <para>
/// The contract is held by <c>WorkflowBackendCompliance</c>, which every backend passes; the in-memory backend is
/// its model.
/// </para>
/// </remarks>
public interface IWorkflowBackend : IAsyncDisposable
{
    /// <summary>Name in results and reports: <c>postgresql</c>, <c>in-memory</c>, ...</summary>
    string Name { get; }

    /// <summary>What this backend can do that others cannot; asked once, printed in reports.</summary>
    BackendCapabilities Capabilities { get; }

    /// <summary>
    /// Creates or upgrades the schema. Idempotent; safe when several processes call it at the same moment.
    /// </summary>
    Task InitializeAsync(CancellationToken cancellationToken);

    /// <summary>
    /// Makes starts and signals durable in one commit and sets the outcome of each item. An item that is refused
    /// (duplicate key, unknown instance) is an outcome and does not disturb its neighbours. The list is the caller's again
    /// when the call returns.
    /// </summary>
    /// <param name="batch">What to write.</param>
    /// <param name="cancellationToken">
    /// The engine waits no longer: the call may end with anything, also with a commit, and its resources are freed.
    /// </param>
    /// <exception cref="WorkflowBackendException">
    /// The database failed. Only with <see cref="WorkflowBackendException.NothingWritten"/> may the engine write parts of
    /// the batch again; after a commit no call fails.
    /// </exception>
    Task SubmitAsync(IReadOnlyList<Submission> batch, CancellationToken cancellationToken);

    /// <summary>
    /// The same, but signals that are due at once are decided in the same transaction, where their instance is open, nobody
    /// holds it, and no stored signal of it is due. The others are stored. Signals of one instance are decided, or stored,
    /// together and in their order; no one waits for a decision of somebody else. A backend that does not hold instances stores the
    /// signals of one that somebody else has changed before they could be written; it may decide the others again.
    /// </summary>
    /// <param name="batch">What to write.</param>
    /// <param name="direct">How to decide.</param>
    /// <param name="cancellationToken">As above.</param>
    /// <exception cref="NotSupportedException">The backend lacks <see cref="BackendCapabilities.DecidesDirectly"/>.</exception>
    /// <exception cref="WorkflowBackendException">As above. When the decisions fail, nothing is written.</exception>
    Task SubmitAsync(IReadOnlyList<Submission> batch, DirectTurns direct, CancellationToken cancellationToken) =>
        throw new NotSupportedException($"The backend '{Name}' does not decide signals directly.");

    /// <summary>
    /// Claims instances with due signals, lets <paramref name="decide"/> decide them, and writes all decisions, in
    /// one transaction. A claimed instance is held by one caller only; all its due signals come in order of due
    /// time, then id. When the caller dies, or <paramref name="decide"/> throws, nothing has happened.
    /// </summary>
    /// <param name="request">Bounds of the batch, and what it leaves alone.</param>
    /// <param name="decide">
    /// Pure and quick: it runs inside the transaction and may be repeated. When it fails, it does so within
    /// <see cref="WorkflowOptions.DecideTimeout"/>, which includes <see cref="ClaimRequest.DecideParents"/>. Its decisions hold
    /// until the next call of it, or until this one returns; the engine uses them again.
    /// </param>
    /// <param name="cancellationToken">Honoured before the decisions are written, not during the commit.</param>
    Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken);

    /// <summary>
    /// Prolongs the leases that are still held with the same fencing token; returns those that were not.
    /// </summary>
    /// <param name="leases">What to prolong.</param>
    /// <param name="duration">Counted from now. Zero gives the leases back: they have run out, and others may take them.</param>
    /// <param name="cancellationToken">Ends the call; whether the leases are prolonged is unknown then.</param>
    Task<IReadOnlyList<ActivityLease>> ExtendLeasesAsync(
        IReadOnlyList<ActivityLease> leases,
        TimeSpan duration,
        CancellationToken cancellationToken
    );

    /// <summary>
    /// Completes when another process hinted that there is work, or when <paramref name="maximum"/> has passed.
    /// Hints may be lost: callers poll as well. A backend that asks the database by itself whether work is late, at least as often, may
    /// wait for sixty times the maximum, up to a minute.
    /// </summary>
    Task WaitForWorkAsync(TimeSpan maximum, CancellationToken cancellationToken);

    /// <summary>Hints to other processes that there is work. Never part of a write's transaction.</summary>
    Task NotifyWorkAsync(CancellationToken cancellationToken);

    /// <summary>
    /// Whether the hints of <see cref="NotifyWorkAsync"/> come to this process. A backend that elects one process of those that wait
    /// for work spares the others the hints: they poll, or the backend asks for late work, and they hear <see cref="NotifyAllAsync"/> at
    /// least while there is some. Null where all processes hear all hints.
    /// </summary>
    bool? IsFirst => null;

    /// <summary>Hints to the other processes, and not only to the first one, that there is late work.</summary>
    Task NotifyAllAsync(CancellationToken cancellationToken) => NotifyWorkAsync(cancellationToken);

    /// <summary>
    /// Completes with closes that other processes have hinted, or with none when <paramref name="maximum"/> has passed, and at
    /// any time: hints may be lost, and <see cref="FindClosedAsync"/> finds what they would have told. Each client that watches waits,
    /// and one of them is to hear each hint: it tells the others of the same backend object.
    /// Never called where <see cref="BackendCapabilities.HintsCloses"/> is false.
    /// </summary>
    Task<IReadOnlyList<ClosedInstance>> WaitForClosesAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        throw new NotSupportedException($"{Name} has no hints of closes.");

    /// <summary>
    /// Hints closes to other processes that are in <see cref="WaitForClosesAsync"/>. Never part of a write's transaction, nor
    /// called where <see cref="BackendCapabilities.HintsCloses"/> is false.
    /// </summary>
    /// <returns>False when no other process listens, as far as is known: the engine then hints less often.</returns>
    Task<bool> NotifyClosesAsync(IReadOnlyList<ClosedInstance> closed, CancellationToken cancellationToken) =>
        throw new NotSupportedException($"{Name} has no hints of closes.");

    /// <summary>
    /// Reads those of the instances that are closed. When they are too large for one reply, it may leave some out, but not all. By
    /// default it reads each by itself, some at a time; override it where one statement reads them all.
    /// </summary>
    async Task<IReadOnlyList<InstanceRecord>> FindClosedAsync(IReadOnlyList<Guid> instanceIds, CancellationToken cancellationToken)
    {
        const int AtATime = 16;
        var closed = new List<InstanceRecord>();
        foreach (var some in instanceIds.Chunk(AtATime))
        {
            var found = await Task.WhenAll(some.Select(id => FindAsync(id, cancellationToken))).ConfigureAwait(false);
            closed.AddRange(found.OfType<InstanceRecord>().Where(static instance => instance.Status.IsClosed()));
        }

        return closed;
    }

    /// <summary>Reads one instance; <see langword="null"/> when there is none.</summary>
    Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken);

    /// <summary>Reads the instance with this business key; <see langword="null"/> when there is none.</summary>
    Task<InstanceRecord?> FindByKeyAsync(string businessKey, CancellationToken cancellationToken);

    /// <summary>Counts instances, signals and dead letters as they stand in the database now.</summary>
    Task<BackendCensus> TakeCensusAsync(CancellationToken cancellationToken);

    /// <summary>Lists dead letters, oldest first, then by signal id.</summary>
    Task<IReadOnlyList<DeadLetter>> ListDeadLettersAsync(DeadLetterQuery query, CancellationToken cancellationToken);

    /// <summary>
    /// Makes dead letters of open instances due again, with no attempt counted; returns how many. Those of closed
    /// or unknown instances stay where they are.
    /// </summary>
    Task<int> RequeueDeadLettersAsync(IReadOnlyList<Guid> signalIds, CancellationToken cancellationToken);

    /// <summary>
    /// Deletes closed instances that were last written more than <paramref name="age"/> ago, with what belongs to
    /// them; returns how many instances. Children of open parents stay: their results may still be read. An instance that was continued
    /// stays while signals to it are stored: they are forwarded to its continuation when they are due. A continuation stays as long as
    /// its predecessor (<see cref="ContinuedChain"/>).
    /// </summary>
    Task<int> PurgeAsync(TimeSpan age, CancellationToken cancellationToken);

    /// <summary>
    /// Housekeeping that keeps claims fast under load (vacuum, statistics). Called about once a second by a busy
    /// host; cheap when there is nothing to do or another host does it.
    /// </summary>
    Task MaintainAsync(CancellationToken cancellationToken);
}
