namespace Serdica.Perf.Workflows;

/// <summary>What one caller begins and all others use.</summary>
internal static class Detached
{
    /// <summary>
    /// Begins work that goes on for other callers too, without the <see cref="ExecutionContext"/> of the one who begins it: their
    /// handlers and activities must not see its <see cref="AsyncLocal{T}"/> values, its culture or its trace.
    /// </summary>
    /// <param name="begin">Begins on the caller's thread, up to the first wait.</param>
    public static TResult Begin<TState, TResult>(TState state, Func<TState, TResult> begin)
    {
        if (ExecutionContext.IsFlowSuppressed())
            return begin(state);
        using (ExecutionContext.SuppressFlow())
            return begin(state);
    }

    /// <summary>Nobody waits for it any more; an error that comes later is no unobserved one.</summary>
    public static void Forget(this Task task) =>
        task.ContinueWith(
            static late => late.Exception,
            CancellationToken.None,
            TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously,
            TaskScheduler.Default
        );
}
