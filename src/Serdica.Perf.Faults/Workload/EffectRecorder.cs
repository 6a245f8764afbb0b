namespace Serdica.Perf.Faults.Workload;

/// <summary>Runs what an activity does, and records that it began and how it ended. Both lines are on their way to the disk before the
/// engine learns of the result.</summary>
/// <param name="effect">The effect itself: a row in a table, a call, or a failure on purpose. It must obey its cancellation.</param>
internal sealed class EffectRecorder(HistoryWriter history, Func<ActivityContext, Task>? effect = null)
{
    /// <summary>Runs one attempt.</summary>
    public async Task<TakenResult> RunAsync(string step, ActivityContext context)
    {
        Write(step, context, HistoryPhase.Began);
        try
        {
            if (effect is not null)
                await effect(context);
            context.CancellationToken.ThrowIfCancellationRequested();
        }
        catch (Exception)
        {
            Write(step, context, HistoryPhase.Failed);
            throw;
        }

        Write(step, context, HistoryPhase.Done);
        return new TakenResult(step, context.ActivityId, context.Attempt);
    }

    private void Write(string step, ActivityContext context, HistoryPhase phase) =>
        history.Write(
            new()
            {
                Kind = HistoryKind.Effect,
                Name = step,
                Instance = context.InstanceId,
                Id = context.ActivityId,
                Token = context.Attempt,
                Phase = phase,
            }
        );
}
