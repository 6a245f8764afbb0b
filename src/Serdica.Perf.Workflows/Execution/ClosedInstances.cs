using System.Runtime.InteropServices;

namespace Serdica.Perf.Workflows;

/// <summary>Tells waiting callers of this process that their instance has closed.</summary>
internal sealed class ClosedInstances
{
    private readonly Lock _gate = new();

    private readonly Dictionary<Guid, Watch> _watches = [];

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

    private record struct Watch(TaskCompletionSource<ClosedInstance> Source, int Callers);
}
