namespace Serdica.Perf.Workflows;

/// <summary>
/// The deciding of one batch, with a time limit. Handlers are synchronous code of users, and a thread that one of them
/// holds cannot be taken back. When the limit has passed, the claim is undone at once without that thread, which frees its
/// instances for other hosts, and the handler's thread goes its own way.
/// </summary>
/// <remarks>
/// It runs on the thread of the claim where the backend can roll a claim back from outside. Elsewhere it is queued to
/// that thread's own queue, while the claim waits without a thread.
/// </remarks>
/// <param name="first">Where the batch has parents of instances that another one closes: that other one. Both share the limit.</param>
internal sealed class TimedDecision(BatchDecider decider, ClaimedBatch batch, TimeProvider time, TimedDecision? first = null)
    : IThreadPoolWorkItem
{
    // The claim goes on within the thread that has decided.
    private readonly TaskCompletionSource<IReadOnlyList<Decision>> _decisions = new();
    private readonly long _startedAt = first?._startedAt ?? time.GetTimestamp();
    private readonly bool _isOfParents = first is not null;
    private int _ended;

    public Task<IReadOnlyList<Decision>> Decisions => _decisions.Task;

    public TimeSpan Elapsed => time.GetElapsedTime(_startedAt);

    /// <summary>The limit had passed; the decider belongs to the thread that still runs.</summary>
    public bool IsAbandoned { get; private set; }

    public void Execute()
    {
        if (Volatile.Read(ref _ended) != 0)
        {
            // The process was so short of threads that the limit passed before it began. A handler that does not end would take one more.
            decider.Forget();
            return;
        }

        IReadOnlyList<Decision> decisions;
        try
        {
            decisions = _isOfParents ? decider.DecideParents(batch) : decider.Decide(batch);
        }
        catch (Exception e)
        {
            if (TryEnd())
                _decisions.SetException(e);
            else
                decider.Forget();
            return;
        }

        if (TryEnd())
            _decisions.SetResult(decisions);
        else
            decider.Forget();
    }

    /// <summary>Undoes the claim, unless it has been decided.</summary>
    /// <returns>Whether it is undone.</returns>
    public bool Abandon(TimeSpan limit)
    {
        if (!TryEnd())
            return false;
        IsAbandoned = true;
        _decisions.SetException(
            new DecideTimeoutException(
                $"A claim of {batch.Instances.Count} {(batch.Instances.Count == 1 ? "instance" : "instances")} was not decided within "
                    + $"{limit.TotalSeconds:0.###} s (WorkflowOptions.DecideTimeout); "
                    + "the claim is undone, and the handler that holds the thread is left to itself."
            )
        );
        return true;
    }

    private bool TryEnd() => Interlocked.Exchange(ref _ended, 1) == 0;
}
