namespace Serdica.Perf.Measurement.LoadTests.Work;

/// <summary>The workflow of a <see cref="WorkShape"/>: only the steps that the shape requires.</summary>
internal static class ShapedDefinition
{
    public const string Event = "resume";

    private static readonly ActivityOptions Activity = new()
    {
        // An intended failure is final; any other failure is retried as usual.
        Retry = RetryPolicy.Default with { IsFinal = static error => error is IntendedFailureException },
        Timeout = FromMinutes(10),
    };

    public static WorkflowDefinition<ShapedChildState> Child { get; } =
        Workflow.Define<ShapedChildState>("load-child").Delay("handed-over", TimeSpan.Zero).Do("work", state => state.Done++).Build();

    /// <param name="failing">Called by each activity that fails on purpose.</param>
    public static WorkflowDefinition<ShapedState> Of(WorkShape shape, Action failing, string name = "load")
    {
        var builder = Workflow.Define<ShapedState>(name).Do("begin", _ => { });
        if (shape.Trigger == WorkTrigger.Event)
            builder.WaitFor<ShapedEvent>(Event, Take);
        for (var timer = 1; timer <= shape.Timers; timer++)
        {
            builder.Delay(Invariant($"timer-{timer}"), shape.TimerDelay).Do(Invariant($"fired-{timer}"), state => state.Timers++);
        }

        if (shape.HasActivity)
            builder.Activity<bool>(
                "work",
                (state, context) => WorkAsync(shape, failing, state, context),
                (state, _, _) => Done(state),
                Activity,
                Fail
            );
        if (shape.Children > 0)
            builder.Children("children", Child, _ => Enumerable.Range(0, shape.Children).Select(_ => new ShapedChildState()), Join);
        return builder.Do("finish", state => state.Finished++).Build();
    }

    private static void Take(ShapedState state, ShapedEvent payload)
    {
        if (payload.Number == state.Number)
            state.Events++;
    }

    private static async Task<bool> WorkAsync(WorkShape shape, Action failing, ShapedState state, ActivityContext context)
    {
        if (shape.ActivityDelay > TimeSpan.Zero)
            await Task.Delay(shape.ActivityDelay, context.CancellationToken);
        if (!shape.Fails(state.Number))
            return true;

        failing();
        throw new IntendedFailureException();
    }

    private static Next Done(ShapedState state)
    {
        state.Activities++;
        return Next.Step;
    }

    private static Next Fail(ShapedState state, ActivityFailure failure, StepContext context)
    {
        if (!failure.Error.Contains(nameof(IntendedFailureException), Ordinal))
            return Next.Fault(failure.Error);

        state.FailedOnPurpose = true;
        return Next.Step;
    }

    private static Next Join(ShapedState state, IReadOnlyList<ChildResult<ShapedChildState>> results, StepContext context)
    {
        state.Children += results.Count(result => result.Status == InstanceStatus.Completed && result.State.Done == 1);
        return Next.Step;
    }
}

/// <summary>Thrown by an activity that fails on purpose.</summary>
internal sealed class IntendedFailureException() : Exception("This activity was to fail.");
