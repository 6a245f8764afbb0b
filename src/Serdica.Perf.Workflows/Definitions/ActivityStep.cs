namespace Serdica.Perf.Workflows;

/// <summary>An impure step: run outside the transaction under a lease; its result is recorded.</summary>
internal sealed class ActivityStep<TState, TResult>(
    string name,
    JsonSerializerOptions json,
    ActivityOptions options,
    Func<TState, ActivityContext, Task<TResult>> run,
    Func<TState, TResult, StepContext, Next> onResult,
    Func<TState, ActivityFailure, StepContext, Next>? onFailure
) : Step<TState>(name), IActivityStep, IInlineActivity<TState>
    where TState : class
{
    private readonly JsonTypeInfo<TResult> _resultType = (JsonTypeInfo<TResult>)json.GetTypeInfo(typeof(TResult));
    private readonly JsonTypeInfo<TState> _stateType = (JsonTypeInfo<TState>)json.GetTypeInfo(typeof(TState));

    public ActivityOptions Options => options;

    public override WaitKinds Waits => WaitKinds.Activity;

    public override Next Enter(TState state, Turn turn)
    {
        if (options.InlineAtStart && turn.RunsInline)
            return Next.RunInline;
        turn.ScheduleActivity(Name);
        return Next.Stay;
    }

    public override Next Resume(TState state, Turn turn, in BufferedSignal occurrence)
    {
        var report = ActivityReport.Read(occurrence.Payload);
        var activity = turn.Progress.Activity!;
        if (report.Error is null)
        {
            turn.Progress = turn.Progress with { Activity = null };
            return MovesOn(onResult(state, JsonSerializer.Deserialize(report.Result, _resultType)!, turn.Context));
        }

        if (!report.Final && activity.Attempt < options.Retry.MaxAttempts)
        {
            turn.RetryActivity(Name, options.Retry.DelayAfter(activity.Attempt, turn.Spread(activity.Id)));
            return Next.Stay;
        }

        turn.Progress = turn.Progress with { Activity = null };
        return Fail(state, new ActivityFailure(report.Error, activity.Attempt), turn.Context);
    }

    public async Task<byte[]> RunAsync(ReadOnlyMemory<byte> state, ActivityContext context)
    {
        var copy = JsonSerializer.Deserialize(state.Span, _stateType)!;
        var result = await run(copy, context).ConfigureAwait(false);
        return JsonSerializer.SerializeToUtf8Bytes(result, _resultType);
    }

    public async Task<Next> RunInlineAsync(TState state, Turn turn, CancellationToken cancellationToken)
    {
        var activityId = turn.NewId();
        var input = JsonSerializer.SerializeToUtf8Bytes(state, _stateType);
        byte[] result;
        for (var attempt = 1; ; attempt++)
        {
            var limit = new CancellationTokenSource();
            var context = new ActivityContext(turn.Context.InstanceId, turn.Context.BusinessKey, activityId, attempt, limit.Token);
            var running = Task.Run(() => RunAsync(input, context), CancellationToken.None);
            running.Forget();
            try
            {
                result = await running.WaitAsync(options.Timeout, turn.Time, cancellationToken).ConfigureAwait(false);
                break;
            }
            catch (Exception e)
            {
                limit.CancelAsync().Forget();
                cancellationToken.ThrowIfCancellationRequested();
                if (attempt >= options.Retry.MaxAttempts || options.Retry.GivesUpOn(e))
                    return Fail(state, new ActivityFailure(ActivityReport.Describe(e), attempt), turn.Context);
            }

            await Task.Delay(options.Retry.DelayAfter(attempt, turn.Spread(activityId)), turn.Time, cancellationToken)
                .ConfigureAwait(false);
        }

        return MovesOn(onResult(state, JsonSerializer.Deserialize(result, _resultType)!, turn.Context));
    }

    private Next Fail(TState state, ActivityFailure failure, StepContext context) =>
        onFailure is not null
            ? MovesOn(onFailure(state, failure, context))
            : Next.Fault($"Activity '{Name}' failed for good in attempt {failure.Attempts}: {failure.Error}");
}

/// <summary>The part of an activity that a host runs, whatever its types are.</summary>
internal interface IActivityStep
{
    ActivityOptions Options { get; }

    /// <summary>Runs one attempt on the stored state and returns the result as JSON.</summary>
    Task<byte[]> RunAsync(ReadOnlyMemory<byte> state, ActivityContext context);
}

/// <summary>An activity that the caller of Start can run before the insert.</summary>
internal interface IInlineActivity<TState>
{
    Task<Next> RunInlineAsync(TState state, Turn turn, CancellationToken cancellationToken);
}
