using System.Runtime.InteropServices;

namespace Serdica.Perf.Workflows;

/// <summary>Tells waiting callers of this process that their instance has closed.</summary>
internal sealed class ClosedInstances(IWorkflowBackend backend, TimeProvider time) : IAsyncDisposable
{
    private static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(50);

    private static readonly TimeSpan LongestPause = TimeSpan.FromSeconds(5);

    private readonly Lock _gate = new();

    private readonly Dictionary<Guid, Watch> _watches = [];

    private readonly HashSet<Guid> _suspects = [];

    private readonly CancellationTokenSource _stop = new();

    private Task _search = Task.CompletedTask;

    public Task<ClosedInstance> Begin(Guid instanceId)
    {
        lock (_gate)
        {
            ref var watch = ref CollectionsMarshal.GetValueRefOrAddDefault(_watches, instanceId, out _);
            watch.Source ??= new(TaskCreationOptions.RunContinuationsAsynchronously);
            watch.Callers++;
            return watch.Source.Task;
        }
    }

    /// <summary>One caller watches no more; the others of the same instance do.</summary>
    public void Forget(Guid instanceId)
    {
        lock (_gate)
        {
            if (!_watches.TryGetValue(instanceId, out var watch))
                return;
            if (watch.Callers == 1)
                _watches.Remove(instanceId);
            else
                _watches[instanceId] = watch with { Callers = watch.Callers - 1 };
        }
    }

    public void Tell(ClosedInstance closed)
    {
        Watch watch;
        lock (_gate)
        {
            if (!_watches.Remove(closed.Id, out watch))
                return;
        }

        watch.Source.SetResult(closed);
    }

    /// <summary>
    /// Instances that a commit with an unknown outcome has closed, or has not: those that are watched are read from the
    /// database until they are closed or watched no more.
    /// </summary>
    public void Suspect(IEnumerable<Guid> instanceIds)
    {
        lock (_gate)
        {
            var searching = _suspects.Count > 0;
            _suspects.UnionWith(instanceIds.Where(_watches.ContainsKey));
            if (!searching && _suspects.Count > 0 && !_stop.IsCancellationRequested)
                _search = Task.Run(SearchAsync);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        Task search;
        lock (_gate)
            search = _search;
        await search.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    private async Task SearchAsync()
    {
        for (var pause = FirstPause; NextSuspects() is { Count: > 0 } suspects; pause = pause < LongestPause / 2 ? pause * 2 : LongestPause)
        {
            // Even one that is read as open may be closed: the commit without an answer may still be under way.
            await Task.Delay(pause, time, _stop.Token).ConfigureAwait(false);
            foreach (var id in suspects)
                await TellIfClosedAsync(id).ConfigureAwait(false);
        }
    }

    /// <summary>Those that are still watched; when there are none, the search is over.</summary>
    private List<Guid> NextSuspects()
    {
        lock (_gate)
        {
            _suspects.IntersectWith(_watches.Keys);
            return [.. _suspects];
        }
    }

    private async Task TellIfClosedAsync(Guid instanceId)
    {
        try
        {
            if (await backend.FindAsync(instanceId, _stop.Token).ConfigureAwait(false) is { } record && record.Status.IsClosed())
                Tell(new ClosedInstance(record.Id, record.Status, Progress.Read(record.Progress).ContinuedAs));
        }
        catch (Exception) when (!_stop.IsCancellationRequested)
        {
            // The database that has not answered the commit may not answer this either: it is asked again.
        }
    }

    private record struct Watch(TaskCompletionSource<ClosedInstance> Source, int Callers);
}
