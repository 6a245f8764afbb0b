using System.Collections.Immutable;
using System.Runtime.CompilerServices;

namespace Serdica.Perf.Workflows;

/// <summary>An instance that has closed; reported to waiting callers after the commit.</summary>
/// <param name="Id">The instance.</param>
/// <param name="Status">Completed, Faulted or Cancelled.</param>
/// <param name="ContinuedAs">The instance that it was continued with.</param>
public readonly record struct ClosedInstance(Guid Id, InstanceStatus Status, Guid? ContinuedAs)
{
    internal static ClosedInstance Of(InstanceRecord instance) =>
        new(instance.Id, instance.Status, Progress.Read(instance.Progress).ContinuedAs);
}

/// <summary>
/// Tells waiting callers of this process that their instance has closed: at once when a host of this process closed it,
/// by a hint or a look at the database when another process did, or when the answer to a commit was lost.
/// </summary>
internal sealed class ClosedInstances : IAsyncDisposable
{
    /// <summary>Instances in one look: enough for few round trips, few enough for a reply of any size of state.</summary>
    public const int LookBatch = 256;

    /// <summary>Looks take a fifth of the time at most, however many instances are watched.</summary>
    private const int LookShare = 5;

    private static readonly ConditionalWeakTable<IWorkflowBackend, Clients> ClientsOf = [];

    private readonly IWorkflowBackend _backend;
    private readonly Clients _clients;
    private readonly TimeProvider _time;
    private readonly TimeSpan _pause;
    private readonly CloseHints _hints;
    private readonly Lock _gate = new();
    private readonly Dictionary<Guid, Watch> _watches = [];
    private readonly CancellationTokenSource _stop = new();
    private Task? _following;
    private int _round;
    private bool _isDisposed;

    /// <param name="backend">Where instances are looked for.</param>
    /// <param name="pollInterval">The interval of looks without a hint; a tenth of it where closes are not hinted.</param>
    /// <param name="time">The clock of pauses.</param>
    public ClosedInstances(IWorkflowBackend backend, TimeSpan pollInterval, TimeProvider time)
    {
        _backend = backend;
        _clients = ClientsOf.GetValue(backend, static _ => new Clients());
        _time = time;
        _pause = backend.Capabilities.HintsCloses ? pollInterval : pollInterval / 10;
        _hints = new CloseHints(backend, time);
    }

    public Task<ClosedInstance> Begin(Guid instanceId)
    {
        lock (_gate)
        {
            if (_isDisposed)
                return Task.FromException<ClosedInstance>(new ObjectDisposedException(nameof(WorkflowClient)));
            if (_following is null)
            {
                _clients.Add(this);
                _following = Detached.Begin(this, static all => Task.Run(all.FollowAsync, CancellationToken.None));
            }

            ref var watch = ref CollectionsMarshal.GetValueRefOrAddDefault(_watches, instanceId, out var isWatched);

            // The round of the first caller: with that of each later one, the look would be put off again and again.
            if (!isWatched)
                watch = new Watch(new(RunContinuationsAsynchronously), 0, _round);
            watch.Callers++;
            return watch.Source.Task;
        }
    }

    /// <summary>One caller watches no more; the others of the same instance do.</summary>
    /// <param name="instanceId">The instance.</param>
    /// <param name="task">What <see cref="Begin"/> returned: after the close was reported, there may be another watch.</param>
    public void Forget(Guid instanceId, Task<ClosedInstance> task)
    {
        lock (_gate)
        {
            if (!_watches.TryGetValue(instanceId, out var watch) || watch.Source.Task != task)
                return;
            if (watch.Callers == 1)
                _watches.Remove(instanceId);
            else
                _watches[instanceId] = watch with { Callers = watch.Callers - 1 };
        }
    }

    /// <summary>
    /// A host of this process has closed the instance. When nobody of this process waits for it, others get a hint; not of
    /// children, whose parents get a signal.
    /// </summary>
    public void Report(InstanceRecord instance)
    {
        var closed = ClosedInstance.Of(instance);
        if (!_clients.Tell(closed) && instance.ParentId is null)
            _hints.Add(closed);
    }

    public async ValueTask DisposeAsync()
    {
        Task? following;
        lock (_gate)
        {
            _isDisposed = true;
            following = _following;
        }

        await _stop.CancelAsync().ConfigureAwait(false);
        _clients.Remove(this);
        if (following is not null)
            await following.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        List<Watch> open;
        lock (_gate)
        {
            open = [.. _watches.Values];
            _watches.Clear();
        }

        foreach (var watch in open)
            watch.Source.TrySetException(new ObjectDisposedException(nameof(WorkflowClient)));
        await _hints.DisposeAsync().ConfigureAwait(false);
    }

    private bool Tell(ClosedInstance closed)
    {
        Watch watch;
        lock (_gate)
        {
            if (!_watches.Remove(closed.Id, out watch))
                return false;
        }

        watch.Source.TrySetResult(closed);
        return true;
    }

    private Task FollowAsync() => Task.WhenAll(_backend.Capabilities.HintsCloses ? ListenAsync() : Task.CompletedTask, PollAsync());

    /// <summary>Hears of closes by other processes.</summary>
    private async Task ListenAsync()
    {
        while (true)
        {
            try
            {
                foreach (var closed in await _backend.WaitForClosesAsync(_pause, _stop.Token).ConfigureAwait(false))
                    _clients.Tell(closed);
            }
            catch (Exception) when (!_stop.IsCancellationRequested)
            {
                // Whatever it is, the looks go on without hints.
                await Task.Delay(_pause, _time, _stop.Token).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Looks for closes that were not hinted: there are no hints, one was lost, or came before the watch.</summary>
    private async Task PollAsync()
    {
        for (var pause = _pause; ;)
        {
            await Task.Delay(pause, _time, _stop.Token).ConfigureAwait(false);
            var began = _time.GetTimestamp();
            try
            {
                foreach (var batch in NextRound().Chunk(LookBatch))
                {
                    foreach (var closed in await _backend.FindClosedAsync(batch, _stop.Token).ConfigureAwait(false))
                        Tell(ClosedInstance.Of(closed));
                }
            }
            catch (Exception) when (!_stop.IsCancellationRequested)
            {
                // The database that does not answer now may answer the next round.
            }

            var busy = _time.GetElapsedTime(began) * (LookShare - 1);
            pause = busy > _pause ? busy : _pause;
        }
    }

    /// <summary>Those that have been watched since before the last round: the others may be reported without a look.</summary>
    private List<Guid> NextRound()
    {
        lock (_gate)
        {
            var due = new List<Guid>();
            foreach (var (id, watch) in _watches)
            {
                if (watch.Round < _round)
                    due.Add(id);
            }

            _round++;
            return due;
        }
    }

    /// <summary>Those of one backend object that watch: a hint reaches one of them, and none when it comes from this object.</summary>
    private sealed class Clients
    {
        private ImmutableArray<ClosedInstances> _all = [];

        public void Add(ClosedInstances one) => ImmutableInterlocked.Update(ref _all, static (all, one) => all.Add(one), one);

        public void Remove(ClosedInstances one) => ImmutableInterlocked.Update(ref _all, static (all, one) => all.Remove(one), one);

        /// <returns>Whether any of them has waited for it.</returns>
        public bool Tell(ClosedInstance closed)
        {
            var isTold = false;
            foreach (var one in _all)
                isTold |= one.Tell(closed);
            return isTold;
        }
    }

    private record struct Watch(TaskCompletionSource<ClosedInstance> Source, int Callers, int Round);
}
