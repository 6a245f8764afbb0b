namespace Serdica.Perf.Faults.Tests.Simulation;

/// <summary>Activities that run on one host, each until the scheduler lets it end.</summary>
/// <param name="newest">The newest attempt of each activity that any host has begun.</param>
/// <param name="patience">
/// How long an attempt may take to see its cancellation. If the engine lets it run beside the next one, the wait ends at this limit, and
/// the checker finds the overlap.
/// </param>
internal sealed class SimulatedActivities(SimulatedSeam seam, ConcurrentDictionary<Guid, int> newest, TimeSpan patience)
{
    private readonly Lock _gate = new();
    private readonly List<(ActivityContext Context, TaskCompletionSource End)> _waiting = [];

    public int Waiting
    {
        get
        {
            lock (_gate)
                return _waiting.Count;
        }
    }

    /// <summary>What the activity's code does: it waits, and obeys its cancellation as long as its process lives.</summary>
    public async Task RunAsync(ActivityContext context)
    {
        var end = new TaskCompletionSource(RunContinuationsAsynchronously);
        newest.AddOrUpdate(context.ActivityId, context.Attempt, (_, attempt) => Math.Max(attempt, context.Attempt));
        lock (_gate)
            _waiting.Add((context, end));
        await using var cancelled = context.CancellationToken.Register(() =>
        {
            if (seam.IsDead)
                return;
            lock (_gate)
                _waiting.RemoveAll(waiting => waiting.End == end);
            end.TrySetCanceled();
        });
        await end.Task;
    }

    /// <summary>Lets one end.</summary>
    /// <param name="isResuming">
    /// The process was stopped and goes on with its instruction. Otherwise an attempt that another one has replaced gets to see its
    /// cancellation first, which is on its way on another thread.
    /// </param>
    public async Task EndAsync(Func<int, int> choose, Func<ActivityContext, bool> fails, bool isResuming)
    {
        (ActivityContext Context, TaskCompletionSource End) chosen;
        lock (_gate)
        {
            if (_waiting.Count == 0)
                return;
            chosen = _waiting[choose(_waiting.Count)];
        }

        var context = chosen.Context;
        if (!isResuming && newest[context.ActivityId] > context.Attempt)
            await Task.WhenAny(chosen.End.Task, seam.Death, Task.Delay(patience));
        lock (_gate)
            _waiting.Remove(chosen);
        if (fails(context))
            chosen.End.TrySetException(new InvalidOperationException("The called service failed."));
        else
            chosen.End.TrySetResult();
    }
}
