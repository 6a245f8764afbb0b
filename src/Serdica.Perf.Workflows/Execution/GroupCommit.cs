using System.Numerics;

namespace Serdica.Perf.Workflows;

/// <summary>
/// Coalesces concurrent writes into one commit: what arrives while a commit is under way goes into the next.
/// Idle cost is one commit an item, busy cost is shared.
/// </summary>
/// <remarks>
/// <para>
/// When <see cref="Share"/> items wait, another commit begins beside those under way, so that the database works while this process
/// prepares, up to <see cref="WorkflowOptions.SubmitConcurrency"/>; smaller commits would cost both more. Items are divided by their
/// slots into lanes. A commit holds the lanes of its items, so that the items of a lane are committed in their order.
/// </para>
/// <para>
/// A caller whose item begins a commit starts it on its own stack, up to the first wait for the
/// database: a hand-over to another thread would cost more than the commit's own work. It is not held up by what
/// comes after its item.
/// </para>
/// <para>
/// A commit that hangs longer than <see cref="WorkflowOptions.SubmitPatience"/> no longer counts as under way: what waits
/// goes another way to the database, and what is in the hanging batch stays there. One that has no answer after
/// <see cref="WorkflowOptions.SubmitTimeout"/> is given up, with an unknown outcome for its callers.
/// </para>
/// </remarks>
internal sealed class GroupCommit<TItem> : IAsyncDisposable
{
    /// <summary>Commits that may hang side by side: a database that answers nobody gets no crowd of connections.</summary>
    private const int MaxHanging = 4;

    /// <summary>
    /// Items that are worth a commit beside another. Less would give 64 callers on PostgreSQL 1.07 times the round trips (0.99 to
    /// 1.16 with 24 items) for 1.5 times the commits.
    /// </summary>
    private const int Share = 64;

    /// <summary>As many as a mask has bits.</summary>
    private const int Lanes = 64;

    private readonly Func<IReadOnlyList<TItem>, CancellationToken, Task> _commit;
    private readonly Action<IReadOnlyList<TItem>, TimeSpan> _committed;
    private readonly Func<TItem, long> _size;
    private readonly Func<TItem, int> _slot;
    private readonly TimeProvider _time;
    private readonly WorkflowOptions _options;
    private readonly Lock _gate = new();
    private readonly Queue<IPending>[] _lanes = [.. Enumerable.Range(0, Lanes).Select(static _ => new Queue<IPending>())];
    private readonly Queue<Waiting> _outside = [];
    private readonly Stack<Batch> _spare = [];
    private readonly List<Batch> _underWay = [];
    private readonly ITimer _watch;
    private readonly TimeSpan _watchInterval;

    /// <summary>Parts of batches in which one item is at fault. They are written first, the last one divided before the others.</summary>
    private Stack<(List<IPending> Items, long Since)>? _parts;

    private TaskCompletionSource? _idle;

    /// <summary>The lanes that commits under way hold, a bit each.</summary>
    private ulong _held;

    /// <summary>The lanes in which items wait, held or not.</summary>
    private ulong _filled;

    /// <summary>The items that wait in lanes that are not held.</summary>
    private int _ready;

    /// <summary>The lane behind the last one that a batch took from, so that none is always last.</summary>
    private int _nextLane;

    private int _accepted;
    private int _hanging;
    private bool _watching;
    private bool _closed;

    /// <param name="commit">Writes a batch, all or nothing.</param>
    /// <param name="committed">
    /// Follows each commit, with the time that it took, before its callers go on; they see its errors, and nothing is
    /// written twice.
    /// </param>
    /// <param name="size">Bytes of an item.</param>
    /// <param name="slot">Not below zero. Items of one slot are committed in the order of their calls.</param>
    /// <param name="options">Bounds of a batch, of what waits, and of the time that a commit may take.</param>
    public GroupCommit(
        Func<IReadOnlyList<TItem>, CancellationToken, Task> commit,
        Action<IReadOnlyList<TItem>, TimeSpan> committed,
        Func<TItem, long> size,
        Func<TItem, int> slot,
        TimeProvider time,
        WorkflowOptions options
    )
    {
        _commit = commit;
        _committed = committed;
        _size = size;
        _slot = slot;
        _time = time;
        _options = options;
        _watchInterval = FromTicks(Math.Min(options.SubmitPatience.Ticks, options.SubmitTimeout.Ticks) / 2);
        _watch = time.CreateTimer(_ => Watch(), null, Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
    }

    /// <summary>Completes when the item is durable.</summary>
    /// <inheritdoc cref="CommitAsync{TAnswer}(TItem, Func{TItem, ValueTask{TAnswer}}, CancellationToken)"/>
    public Task CommitAsync(TItem item, CancellationToken cancellationToken) =>
        CommitAsync(item, static _ => new ValueTask<bool>(true), cancellationToken);

    /// <summary>Completes with the item's answer when it is durable.</summary>
    /// <param name="answer">
    /// Reads the answer off the item that was written. What it throws, its caller gets. Nearly all answers are known at once,
    /// and cost no second task; nothing waits for the others but their callers.
    /// </param>
    /// <param name="cancellationToken">Honoured while there is no room; an accepted item is always handed to the database.</param>
    /// <exception cref="ObjectDisposedException">The client or host is closing.</exception>
    /// <exception cref="WorkflowBackendException">The database failed, or did not answer in time.</exception>
    public Task<TAnswer> CommitAsync<TAnswer>(TItem item, Func<TItem, ValueTask<TAnswer>> answer, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return Task.FromCanceled<TAnswer>(cancellationToken);
        var pending = new Pending<TAnswer>(item, answer);
        Batch? batch = null;
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_closed, typeof(WorkflowClient));
            if (_accepted >= _options.MaxPendingSubmissions)
            {
                _outside.Enqueue(new Waiting(this, pending, cancellationToken));
                return pending.Task;
            }

            Accept(pending);
            if (HasWay)
                batch = TakeWay();
        }

        if (batch is not null)
            Detached.Begin((Group: this, Batch: batch), static begun => begun.Group.CommitUntilEmptyAsync(begun.Batch));
        return pending.Task;
    }

    /// <summary>Refuses new items and waits until all accepted ones are written or given up.</summary>
    public async ValueTask DisposeAsync()
    {
        Task idle;
        lock (_gate)
        {
            _closed = true;
            while (_outside.TryDequeue(out var waiting))
            {
                if (waiting.TryEnter())
                    waiting.Pending.Fail(new ObjectDisposedException(nameof(WorkflowClient)));
            }

            _idle ??= new TaskCompletionSource(RunContinuationsAsynchronously);
            if (_underWay.Count == 0)
                _idle.TrySetResult();
            idle = _idle.Task;
        }

        await idle.ConfigureAwait(false);
        await _watch.DisposeAsync().ConfigureAwait(false);
    }

    private int Ways => _underWay.Count - _hanging;

    /// <summary>Whether a batch can be begun. Parts have items of any lane: nothing but what hangs may be under way.</summary>
    private bool HasWay =>
        _parts is { Count: > 0 }
            ? Ways == 0
            : _ready > 0 && (Ways == 0 || (Ways < _options.SubmitConcurrency && _ready >= LeastBeside));

    private int LeastBeside => Math.Min(Share, _options.SubmitBatch);

    private void Accept(IPending pending)
    {
        _accepted++;
        var lane = _slot(pending.Item) % Lanes;
        _lanes[lane].Enqueue(pending);
        _filled |= 1UL << lane;
        if ((_held & (1UL << lane)) == 0)
            _ready++;
    }

    private async Task CommitUntilEmptyAsync(Batch batch)
    {
        do
        {
            await CommitBatchAsync(batch).ConfigureAwait(false);

            // Behind the callers who have just got their answers: what they submit next shares the next commit.
            await Task.Yield();
        } while (TryTakeNext(batch));
    }

    private async Task CommitBatchAsync(Batch batch)
    {
        var isDurable = false;
        try
        {
            await _commit(batch, batch.Cancellation.Token).ConfigureAwait(false);
            isDurable = true;
            if (batch.GivenUp)
                return;
            _committed(batch, _time.GetElapsedTime(batch.Started));
            foreach (var pending in batch.Pending)
                pending.Complete();
        }
        catch (Exception) when (batch.GivenUp)
        {
            // Its callers have their answer already.
        }
        catch (WorkflowBackendException e)
            when (!isDurable
                && batch.Count > 1
                && e.NothingWritten
                && (!e.IsTransient || (e.MayBeOneItem && _time.GetElapsedTime(batch.Since) < _options.SubmitTimeout))
            )
        {
            Halve(batch);
        }
        catch (Exception e)
        {
            var error =
                isDurable || e is WorkflowBackendException { NothingWritten: true }
                    ? e
                    : WorkflowBackendException.UnknownOutcome(e.Message, e);
            foreach (var pending in batch.Pending)
                pending.Fail(error);
        }
    }

    /// <summary>One item is at fault, or waits for a lock; the others of its batch must not fail with it.</summary>
    private void Halve(Batch batch)
    {
        var half = batch.Count / 2;
        lock (_gate)
        {
            // Its callers have just been answered.
            if (batch.GivenUp)
                return;
            _parts ??= [];
            _parts.Push((batch.Pending.GetRange(half, batch.Count - half), batch.Since));
            _parts.Push((batch.Pending.GetRange(0, half), batch.Since));
            _accepted += batch.Count;
        }
    }

    /// <summary>What has come meanwhile, in place of what is written.</summary>
    private bool TryTakeNext(Batch batch)
    {
        List<Batch>? others;
        lock (_gate)
        {
            if (batch.GivenUp)
                return false;
            Leave(batch);
            batch.Pending.Clear();
            if (!HasWay)
            {
                _spare.Push(batch);
                return false;
            }

            Fill(batch);
            others = TakeWays();
        }

        Begin(others);
        return true;
    }

    private List<Batch>? TakeWays()
    {
        List<Batch>? batches = null;
        while (HasWay)
            (batches ??= []).Add(TakeWay());
        return batches;
    }

    private void Begin(List<Batch>? batches) => batches?.ForEach(batch => Task.Run(() => CommitUntilEmptyAsync(batch)));

    private Batch TakeWay()
    {
        if (!_spare.TryPop(out var batch))
            batch = new Batch([]);
        Fill(batch);
        return batch;
    }

    /// <summary>Puts what waits into an empty batch, which is under way from now on.</summary>
    private void Fill(Batch batch)
    {
        batch.Started = batch.Since = _time.GetTimestamp();
        batch.Hangs = false;
        if (_parts?.TryPop(out var part) == true)
        {
            batch.Pending.AddRange(part.Items);
            batch.Since = part.Since;
            batch.Lanes = _held = ulong.MaxValue;
            _ready = 0;
        }
        else
        {
            FillFromLanes(batch);
        }

        _underWay.Add(batch);
        if (_watching)
            return;
        _watching = true;
        _watch.Change(_watchInterval, Timeout.InfiniteTimeSpan);
    }

    /// <summary>All that is ready, or an equal share of it if the rest is worth a commit of its own.</summary>
    private void FillFromLanes(Batch batch)
    {
        var share = Math.Max(1, _ready / (_options.SubmitConcurrency - Ways));
        var bytes = 0L;
        while (_ready > 0 && (batch.Count < share || _ready < LeastBeside))
        {
            var place = (_nextLane + BitOperations.TrailingZeroCount(BitOperations.RotateRight(_filled & ~_held, _nextLane))) % Lanes;
            var lane = _lanes[place];
            var bit = 1UL << place;
            while (lane.TryPeek(out var next))
            {
                // One that is larger than the bound goes alone.
                bytes += _size(next.Item);
                if (batch.Count == _options.SubmitBatch || (bytes > _options.SubmitBatchBytes && batch.Count > 0))
                    return;
                if ((_held & bit) == 0)
                {
                    _held |= bit;
                    batch.Lanes |= bit;
                    _ready -= lane.Count;
                    _nextLane = (place + 1) % Lanes;
                }

                batch.Pending.Add(lane.Dequeue());
            }

            _filled &= ~bit;
        }
    }

    /// <summary>What waits in the lanes of a batch that has ended, or hangs, can go on.</summary>
    private void Release(Batch batch)
    {
        _held &= ~batch.Lanes;
        for (var rest = batch.Lanes & _filled; rest != 0; rest &= rest - 1)
            _ready += _lanes[BitOperations.TrailingZeroCount(rest)].Count;
        batch.Lanes = 0;
    }

    /// <summary>The batch is no longer under way; its items make room for others.</summary>
    private void Leave(Batch batch)
    {
        _underWay.Remove(batch);
        Release(batch);
        if (batch.Hangs)
            _hanging--;
        _accepted -= batch.Count;

        // At once, or callers who come meanwhile would overtake those who wait.
        while (_accepted < _options.MaxPendingSubmissions && _outside.TryDequeue(out var waiting))
        {
            if (waiting.TryEnter())
                Accept(waiting.Pending);
        }

        if (_underWay.Count == 0 && !HasWay)
            _idle?.TrySetResult();
    }

    /// <summary>
    /// Sees commits that hang, now and then while any is under way: a timer for each of them would cost more than the
    /// exact moment is worth.
    /// </summary>
    private void Watch()
    {
        List<Batch>? givenUp = null;
        List<Batch>? ways;
        lock (_gate)
        {
            for (var i = _underWay.Count - 1; i >= 0; i--)
            {
                var batch = _underWay[i];
                var age = _time.GetElapsedTime(batch.Started);
                if (age >= _options.SubmitTimeout)
                {
                    batch.GivenUp = true;
                    (givenUp ??= []).Add(batch);
                    Leave(batch);
                }
                else if (age >= _options.SubmitPatience && !batch.Hangs && _hanging < MaxHanging)
                {
                    batch.Hangs = true;
                    _hanging++;
                    Release(batch);
                }
            }

            ways = TakeWays();
            _watching = _underWay.Count > 0;
            if (_watching)
                _watch.Change(_watchInterval, Timeout.InfiniteTimeSpan);
        }

        Begin(ways);
        givenUp?.ForEach(GiveUp);
    }

    private void GiveUp(Batch batch)
    {
        var error = WorkflowBackendException.UnknownOutcome(
            $"The database has not answered a commit of {batch.Count} {(batch.Count == 1 ? "write" : "writes")} within "
                + $"{_options.SubmitTimeout.TotalSeconds:0.###} s (SubmitTimeout).",
            null
        );
        foreach (var pending in batch.Pending)
            pending.Fail(error);
        _ = batch.Cancellation.CancelAsync();
    }

    private interface IPending
    {
        TItem Item { get; }

        void Complete();

        void Fail(Exception error);

        void Cancel(CancellationToken cancellationToken);
    }

    /// <summary>A caller for whom there is no room yet. Changed under the gate only.</summary>
    private sealed class Waiting
    {
        private readonly CancellationTokenRegistration _givesUp;
        private bool _isOver;

        public Waiting(GroupCommit<TItem> group, IPending pending, CancellationToken cancellationToken)
        {
            Pending = pending;
            _givesUp = cancellationToken.UnsafeRegister(
                (_, token) =>
                {
                    lock (group._gate)
                    {
                        if (!TryEnter())
                            return;
                    }

                    pending.Cancel(token);
                },
                null
            );
        }

        public IPending Pending { get; }

        /// <returns>False when it has given up, which takes no room from the next, or has entered.</returns>
        public bool TryEnter()
        {
            if (_isOver)
                return false;
            _isOver = true;
            _givesUp.Unregister();
            return true;
        }
    }

    /// <summary>
    /// The caller waits for this very task: one that completes another would cost a hand-over more. The item is in the
    /// place that a task has for it. Answered once: by the commit, or by the watch that has given it up.
    /// </summary>
    private sealed class Pending<TAnswer>(TItem item, Func<TItem, ValueTask<TAnswer>> answer)
        : TaskCompletionSource<TAnswer>(item, RunContinuationsAsynchronously),
            IPending
    {
        public TItem Item => (TItem)Task.AsyncState!;

        public void Complete()
        {
            try
            {
                var known = answer(Item);
                if (known.IsCompletedSuccessfully)
                    TrySetResult(known.Result);
                else
                    _ = CompleteAsync(known);
            }
            catch (Exception e)
            {
                TrySetException(e);
            }
        }

        public void Fail(Exception error) => TrySetException(error);

        public void Cancel(CancellationToken cancellationToken) => TrySetCanceled(cancellationToken);

        private async Task CompleteAsync(ValueTask<TAnswer> later)
        {
            try
            {
                TrySetResult(await later.ConfigureAwait(false));
            }
            catch (Exception e)
            {
                TrySetException(e);
            }
        }
    }

    /// <summary>A batch as the seam wants to see it, without a copy.</summary>
    private sealed class Batch(List<IPending> pending) : IReadOnlyList<TItem>
    {
        private volatile bool _givenUp;

        public List<IPending> Pending => pending;

        public CancellationTokenSource Cancellation { get; } = new();

        public long Started { get; set; }

        /// <summary>When the commit began of which this is a part: callers do not wait for locks without end.</summary>
        public long Since { get; set; }

        /// <summary>The lanes that it holds, a bit each.</summary>
        public ulong Lanes { get; set; }

        /// <summary>Another way was opened beside it.</summary>
        public bool Hangs { get; set; }

        /// <summary>Its callers have got their answer, and the commit still runs: the batch is never used again.</summary>
        public bool GivenUp
        {
            get => _givenUp;
            set => _givenUp = value;
        }

        public int Count => pending.Count;

        public TItem this[int index] => pending[index].Item;

        public IEnumerator<TItem> GetEnumerator() => pending.Select(pending => pending.Item).GetEnumerator();

        System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => GetEnumerator();
    }
}
