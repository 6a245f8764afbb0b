using System.Collections.Concurrent;

namespace Serdica.Perf.Workflows;

/// <summary>Tells waiting callers of this process that their instance has closed.</summary>
internal sealed class ClosedInstances
{
    private readonly ConcurrentDictionary<Guid, Watch> _watches = new();

    public Task<ClosedInstance> Begin(Guid instanceId) =>
        _watches.AddOrUpdate(
            instanceId,
            static _ => new Watch(new TaskCompletionSource<ClosedInstance>(TaskCreationOptions.RunContinuationsAsynchronously), 1),
            static (_, watch) => watch with { Callers = watch.Callers + 1 }).Source.Task;

    /// <summary>One caller watches no more; the others of the same instance do.</summary>
    public void Forget(Guid instanceId)
    {
        while (_watches.TryGetValue(instanceId, out var watch))
        {
            var done = watch.Callers > 1
                ? _watches.TryUpdate(instanceId, watch with { Callers = watch.Callers - 1 }, watch)
                : _watches.TryRemove(KeyValuePair.Create(instanceId, watch));
            if (done)
                return;
        }
    }

    public void Tell(ClosedInstance closed)
    {
        if (_watches.TryRemove(closed.Id, out var watch))
            watch.Source.TrySetResult(closed);
    }

    private readonly record struct Watch(TaskCompletionSource<ClosedInstance> Source, int Callers);
}
