namespace Serdica.Perf.Workflows;

/// <summary>
/// Coalesces concurrent writes into one commit: what arrives while a commit is under way goes into the next.
/// Idle cost is one commit an item, busy cost is shared.
/// </summary>
/// <remarks>
/// A caller that finds nothing under way begins the commit on its own stack, up to the first wait for the
/// database: a hand-over to another thread would cost more than the commit's own work. It is not held up by what
/// comes after its item.
/// </remarks>
internal sealed class GroupCommit<TItem> : IAsyncDisposable
{
    private readonly Func<IReadOnlyList<TItem>, Task> _commit;
    private readonly Action<IReadOnlyList<TItem>, TimeSpan> _committed;
    private readonly TimeProvider _time;
    private readonly int _maxBatch;
    private readonly int _maxInFlight;
    private readonly int _maxPending;
    private readonly Lock _gate = new();
    private readonly Queue<IPending> _pending = [];
    private readonly Queue<TaskCompletionSource> _outside = [];
    private readonly Stack<Batch> _spare = [];
    private TaskCompletionSource? _idle;
    private int _accepted;
    private int _inFlight;
    private bool _closed;

    /// <param name="commit">Writes a batch, all or nothing.</param>
    /// <param name="committed">
    /// Follows each commit, with the time that it took, before its callers go on; they see its errors, and nothing is
    /// written twice.
    /// </param>
    /// <param name="time">Times the commits.</param>
    /// <param name="maxBatch">Items in one batch.</param>
    /// <param name="maxInFlight">Batches under way at once.</param>
    /// <param name="maxPending">Items accepted and not yet durable; further callers wait.</param>
    public GroupCommit(
        Func<IReadOnlyList<TItem>, Task> commit,
        Action<IReadOnlyList<TItem>, TimeSpan> committed,
        TimeProvider time,
        int maxBatch,
        int maxInFlight,
        int maxPending)
    {
        _commit = commit;
        _committed = committed;
        _time = time;
        _maxBatch = maxBatch;
        _maxInFlight = maxInFlight;
        _maxPending = maxPending;
    }

    /// <summary>Completes when the item is durable.</summary>
    /// <inheritdoc cref="CommitAsync{TAnswer}(TItem, Func{TItem, TAnswer}, CancellationToken)"/>
    public Task CommitAsync(TItem item, CancellationToken cancellationToken) => CommitAsync(item, static _ => true, cancellationToken);

    /// <summary>Completes with the item's answer when it is durable.</summary>
    /// <param name="item">What to write.</param>
    /// <param name="answer">Reads the answer off the item that was written. What it throws, its caller gets.</param>
    /// <param name="cancellationToken">Honoured while there is no room; an accepted item is always written.</param>
    /// <exception cref="ObjectDisposedException">The client or host is closing.</exception>
    public Task<TAnswer> CommitAsync<TAnswer>(TItem item, Func<TItem, TAnswer> answer, CancellationToken cancellationToken)
    {
        var pending = new Pending<TAnswer>(item, answer);
        Batch? batch = null;
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_closed, typeof(WorkflowClient));
            if (_accepted == _maxPending)
                return WaitForRoomAsync(item, answer, cancellationToken);
            _accepted++;
            _pending.Enqueue(pending);
            if (_inFlight < _maxInFlight)
            {
                _inFlight++;
                if (!_spare.TryPop(out batch))
                    batch = new Batch([]);
                Fill(batch);
            }
        }

        if (batch is not null)
            _ = CommitUntilEmptyAsync(batch);
        return pending.Task;
    }

    /// <summary>Refuses new items and waits until all accepted ones are written.</summary>
    public async ValueTask DisposeAsync()
    {
        Task idle;
        lock (_gate)
        {
            _closed = true;
            while (_outside.TryDequeue(out var waiting))
                waiting.TrySetResult();
            if (_inFlight == 0)
                return;
            _idle ??= new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            idle = _idle.Task;
        }

        await idle.ConfigureAwait(false);
    }

    private async Task<TAnswer> WaitForRoomAsync<TAnswer>(TItem item, Func<TItem, TAnswer> answer, CancellationToken cancellationToken)
    {
        var room = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
            _outside.Enqueue(room);

        // A caller that gives up leaves a cancelled entry, which takes no room from the next.
        var giveUp = cancellationToken.Register(() => room.TrySetCanceled(cancellationToken));
        await using (giveUp.ConfigureAwait(false))
            await room.Task.ConfigureAwait(false);
        return await CommitAsync(item, answer, cancellationToken).ConfigureAwait(false);
    }

    private async Task CommitUntilEmptyAsync(Batch batch)
    {
        do
        {
            await CommitBatchAsync(batch).ConfigureAwait(false);

            // Behind the callers who have just been told: what they submit next shares the next commit.
            await Task.Yield();
        }
        while (TryTakeNext(batch));
    }

    /// <summary>What has come meanwhile, in place of what is written.</summary>
    private bool TryTakeNext(Batch batch)
    {
        lock (_gate)
        {
            _accepted -= batch.Count;
            for (var free = batch.Count; free > 0 && _outside.TryDequeue(out var waiting);)
            {
                // One that was cancelled meanwhile takes no room.
                if (waiting.TrySetResult())
                    free--;
            }

            batch.Pending.Clear();
            if (_pending.Count > 0)
            {
                Fill(batch);
                return true;
            }

            _spare.Push(batch);
            if (--_inFlight == 0)
                _idle?.TrySetResult();
            return false;
        }
    }

    private void Fill(Batch batch)
    {
        while (batch.Count < _maxBatch && _pending.TryDequeue(out var pending))
            batch.Pending.Add(pending);
    }

    private async Task CommitBatchAsync(Batch batch)
    {
        var isDurable = false;
        var began = _time.GetTimestamp();
        try
        {
            await _commit(batch).ConfigureAwait(false);
            isDurable = true;
            _committed(batch, _time.GetElapsedTime(began));
            foreach (var pending in batch.Pending)
                pending.Complete();
        }
        catch (Exception e) when (!isDurable && batch.Count > 1 && e is not WorkflowBackendException { IsTransient: true })
        {
            // One item is at fault, and it must not take its batch mates with it.
            var half = batch.Count / 2;
            await CommitBatchAsync(new Batch(batch.Pending.GetRange(0, half))).ConfigureAwait(false);
            await CommitBatchAsync(new Batch(batch.Pending.GetRange(half, batch.Count - half))).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            foreach (var pending in batch.Pending)
                pending.Fail(e);
        }
    }

    private interface IPending
    {
        TItem Item { get; }

        void Complete();

        void Fail(Exception error);
    }

    /// <summary>
    /// The caller waits for this very task: one that completes another would cost a hand-over more. The item is in the
    /// place that a task has for it.
    /// </summary>
    private sealed class Pending<TAnswer>(TItem item, Func<TItem, TAnswer> answer)
        : TaskCompletionSource<TAnswer>(item, TaskCreationOptions.RunContinuationsAsynchronously), IPending
    {
        public TItem Item => (TItem)Task.AsyncState!;

        public void Complete()
        {
            try
            {
                SetResult(answer(Item));
            }
            catch (Exception e)
            {
                SetException(e);
            }
        }

        public void Fail(Exception error) => SetException(error);
    }

    /// <summary>A batch as the seam wants to see it, without a copy.</summary>
    private sealed class Batch(List<IPending> pending) : IReadOnlyList<TItem>
    {
        public List<IPending> Pending => pending;

        public int Count => pending.Count;

        public TItem this[int index] => pending[index].Item;

        public IEnumerator<TItem> GetEnumerator() => pending.Select(pending => pending.Item).GetEnumerator();

        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
