namespace Serdica.Perf.Measurement.Driving;

/// <summary>Callers that each start their next operation when their last one has ended; a serial load has one.</summary>
/// <param name="duration">No operation but the first is started later; null means until all were started.</param>
internal sealed class ClosedLoad(OperationSet operations, int callers, LoadRecorder recorder, TimeSpan? duration = null)
    : LoadDriver(operations, recorder)
{
    public override async Task RunAsync(CancellationToken cancellationToken)
    {
        var working = Task.WhenAll(
            Enumerable
                .Range(0, Math.Min(callers, Operations.Count))
                .Select(_ => Task.Run(() => CallAsync(cancellationToken), CancellationToken.None))
        );
        await ((Task)Task.WhenAny(working, Stopped).WaitAsync(duration ?? Timeout.InfiniteTimeSpan, cancellationToken)).ConfigureAwait(
            ConfigureAwaitOptions.SuppressThrowing
        );

        // A busy machine may give its first caller a thread later than that.
        while (Offered == 0 && !working.IsCompleted && !cancellationToken.IsCancellationRequested)
            await Task.Delay(1, CancellationToken.None);
        Stop();
        cancellationToken.ThrowIfCancellationRequested();
    }

    private async Task CallAsync(CancellationToken cancellationToken)
    {
        var ready = Recorder.Begin;
        while (TryStart(Operations.Count, duration, ready, cancellationToken, out var operation, out var start))
            ready = await OperateAsync(operation, start, start, cancellationToken);
    }
}
