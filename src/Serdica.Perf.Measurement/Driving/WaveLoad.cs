namespace Serdica.Perf.Measurement.Driving;

/// <summary>
/// Starts operations in waves: callers make the calls of a wave without waiting for completions, and the next wave starts when
/// the last operation of the previous wave has ended.
/// </summary>
/// <param name="operations">All operations.</param>
/// <param name="waveSize">Operations of a wave, of which the last may have fewer; null means all in one.</param>
/// <param name="duration">No operation is started later; null means until all were started.</param>
internal sealed class WaveLoad(OperationSet operations, int callers, int? waveSize, LoadRecorder recorder, TimeSpan? duration = null)
    : LoadDriver(operations, recorder)
{
    private readonly int _size = waveSize ?? Math.Max(1, operations.Count);

    /// <summary>The ends of all waves but the last.</summary>
    private readonly List<long> _ends = [];

    public override async Task RunAsync(CancellationToken cancellationToken)
    {
        for (var until = 0; until < Operations.Count && !IsStopped;)
        {
            if (until > 0)
            {
                await Task.WhenAny(Recorder.WhenIdleAsync(), Stopped).WaitAsync(cancellationToken);
                if (IsStopped)
                    return;
                _ends.Add(Recorder.LastEnd);
            }

            until += Math.Min(_size, Operations.Count - until);
            await StartAsync(until, cancellationToken);
        }
    }

    /// <summary>When the wave of an operation was over; for the last wave this is the end of the drain.</summary>
    public long EndOf(int operation, long drainEnd) => operation / _size is var wave && wave < _ends.Count ? _ends[wave] : drainEnd;

    private Task StartAsync(int until, CancellationToken cancellationToken)
    {
        var ready = Recorder.Clock.GetTimestamp();
        var calling = Task.WhenAll(
            Enumerable
                .Range(0, Math.Min(callers, _size))
                .Select(_ => Task.Run(() => CallAsync(until, ready, cancellationToken), CancellationToken.None))
        );
        return Task.WhenAny(calling, Stopped).WaitAsync(cancellationToken);
    }

    private async Task CallAsync(int until, long ready, CancellationToken cancellationToken)
    {
        while (TryStart(until, duration, ready, cancellationToken, out var operation, out var start))
        {
            try
            {
                _ = FollowAsync(await Operations.LaunchAsync(operation, cancellationToken), operation, start, start);
            }
            catch (Exception e)
            {
                // Whatever an operation throws is a failed operation, and the load continues.
                Fail(e, operation, start, start);
            }

            ready = Recorder.Clock.GetTimestamp();
        }
    }
}
