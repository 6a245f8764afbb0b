namespace Serdica.Perf.Workflows;

/// <summary>
/// Has batches decided within <see cref="WorkflowOptions.DecideTimeout"/>, one after the other. A decider whose handler does
/// not end is left to its thread, and a new one takes its place.
/// </summary>
internal sealed class TimedDecider : IDisposable
{
    private readonly Func<BatchDecider> _create;
    private readonly TimeSpan _timeout;
    private readonly CounterSet _counters;
    private readonly TimeProvider _time;
    private readonly ITimer _limit;
    private readonly bool _decidesInPlace;
    private CancellationTokenSource _abandoned = new();
    private TimedDecision? _deciding;

    /// <summary>The thread that is inside of a call of the backend, which must come back; 0 when none is.</summary>
    private int _callingThread;

    public TimedDecider(
        Func<BatchDecider> create,
        BackendCapabilities capabilities,
        WorkflowOptions options,
        CounterSet counters,
        TimeProvider time
    )
    {
        _create = create;
        _timeout = options.DecideTimeout;
        _counters = counters;
        _time = time;
        _decidesInPlace = capabilities.UndoesAbandonedClaims;
        Decider = create();

        // It ticks for itself, so that a batch pays nothing for its limit.
        var tick = _timeout / 8;
        _limit = time.CreateTimer(_ => CheckLimit(), null, tick, tick);
    }

    public BatchDecider Decider { get; private set; }

    /// <inheritdoc cref="ClaimRequest.Abandoned"/>
    public CancellationToken Abandoned => _abandoned.Token;

    /// <summary>A batch was to be decided, and its decisions failed or came too late: nothing of it can have been written.</summary>
    public bool HasNoDecisions => _deciding is { Decisions.IsFaulted: true };

    /// <summary>
    /// Calls the backend, and goes on without it when a handler holds its thread; the backend has the transaction rolled back
    /// meanwhile.
    /// </summary>
    public async Task<T> RunAsync<T>(Func<Task<T>> call)
    {
        var processing = Begin(call);
        await (_decidesInPlace ? UnlessAbandonedAsync(processing) : processing).ConfigureAwait(false);
        return await processing.ConfigureAwait(false);
    }

    /// <inheritdoc cref="RunAsync{T}"/>
    public Task RunAsync(Func<Task> call)
    {
        var processing = Begin(call);
        return _decidesInPlace ? UnlessAbandonedAsync(processing) : processing;
    }

    /// <summary>
    /// Decides on the thread of the call where the backend can undo the call without it. Where the call has not left the
    /// thread of its caller, which must not be held, another one takes over.
    /// </summary>
    public Task<IReadOnlyList<Decision>> DecideAsync(ClaimedBatch batch) => ExecuteAsync(new TimedDecision(Decider, batch, _time));

    /// <summary>Decides parents of instances that the batch closes. They are left alone when half of the time has passed.</summary>
    public Task<IReadOnlyList<Decision>> DecideParentsAsync(ClaimedBatch batch) =>
        _deciding is { } first && first.Elapsed < _timeout / 2
            ? ExecuteAsync(new TimedDecision(Decider, batch, _time, first))
            : Task.FromResult<IReadOnlyList<Decision>>([.. batch.Instances.Select(static _ => new Decision())]);

    /// <summary>The transaction of a batch was undone.</summary>
    /// <returns>Whether the next claim is another one than this.</returns>
    public bool Failed(Exception error)
    {
        var isAbandoned = _deciding?.IsAbandoned == true;
        var knowsMore = MayBlame(error) && Decider.Failed(error, isAbandoned, _counters);
        if (isAbandoned)
        {
            Decider.Abandon();
            Decider = _create();
            _abandoned = new CancellationTokenSource();
        }

        _deciding = null;
        return knowsMore;
    }

    /// <summary>Whether the error may pass by itself, so that a later attempt may succeed.</summary>
    public static bool MayPass(Exception error) =>
        error is WorkflowBackendException { IsTransient: true } or OperationCanceledException;

    public void Dispose() => _limit.Dispose();

    /// <summary>
    /// Whether an instance of the batch may have caused the error. Before there are decisions to write, only the database can cause a
    /// transient error. After that an instance may have caused it, by a write that takes too long or a row that ends the connection.
    /// A transient conflict blames no instance.
    /// </summary>
    private bool MayBlame(Exception error) =>
        !MayPass(error)
        || (
            _deciding is { Decisions.IsCompletedSuccessfully: true }
            && error is not WorkflowBackendException { Failure: BackendFailure.Conflict }
        );

    private TTask Begin<TTask>(Func<TTask> call)
    {
        _deciding = null;
        _callingThread = Environment.CurrentManagedThreadId;
        var processing = call();
        _callingThread = 0;
        return processing;
    }

    private Task<IReadOnlyList<Decision>> ExecuteAsync(TimedDecision deciding)
    {
        _deciding = deciding;
        if (_decidesInPlace && _callingThread != Environment.CurrentManagedThreadId)
            deciding.Execute();
        else
            ThreadPool.UnsafeQueueUserWorkItem(deciding, preferLocal: true);
        return deciding.Decisions;
    }

    private async Task UnlessAbandonedAsync(Task processing)
    {
        try
        {
            await processing.WaitAsync(Abandoned).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (_deciding is { IsAbandoned: true } deciding)
        {
            processing.Forget();
            await deciding.Decisions.ConfigureAwait(false);
            throw;
        }
    }

    private void CheckLimit()
    {
        // The worker may go on within the call that abandons, and its next claim has a source of its own.
        var abandoned = _abandoned;
        if (_deciding is { } deciding && deciding.Elapsed >= _timeout && deciding.Abandon(_timeout))
            _ = abandoned.CancelAsync();
    }
}

/// <summary>A batch was not decided within <see cref="WorkflowOptions.DecideTimeout"/>.</summary>
internal sealed class DecideTimeoutException(string message) : Exception(message);
