using System.Diagnostics;
using Serdica.Perf.Measurement.Driving;
using Serdica.Perf.Results.Recording;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Running;

/// <summary>
/// Drives one set of operations in waves of a size: the next begins when the last operation of the one before has
/// completed. With no size it is one wave. Figures are those of the whole; a stalled wave is the last.
/// </summary>
/// <param name="operations">All operations.</param>
/// <param name="plan">How each wave is driven.</param>
/// <param name="waveSize">Operations of a wave, the last one's perhaps fewer; <see langword="null"/> is all in one.</param>
public sealed class WaveSequence(OperationSet operations, LoadPlan plan, int? waveSize)
{
    private const int KeptErrors = 5;

    private readonly int _size = waveSize ?? Math.Max(1, operations.Count);
    private readonly List<LoadOutcome> _waves = [];

    /// <summary>Runs all waves.</summary>
    /// <param name="waveBegins">Told of each wave before it begins.</param>
    /// <param name="cancellationToken">No further operation is begun.</param>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async Task<LoadOutcome> RunAsync(Action<LoadRun> waveBegins, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(waveBegins);
        if (_size >= operations.Count)
        {
            var only = new LoadRun(operations, plan);
            waveBegins(only);
            _waves.Add(await only.RunAsync(cancellationToken).ConfigureAwait(false));
            return _waves[0];
        }

        var timeline = new ThroughputTimeline();
        var begin = Stopwatch.GetTimestamp();
        for (var first = 0; first < operations.Count && _waves is not [.., { Stalled: true }]; first += _size)
        {
            var slice = new Slice(operations, first, Math.Min(_size, operations.Count - first), timeline, begin);
            var load = new LoadRun(slice, plan);
            waveBegins(load);
            _waves.Add(await load.RunAsync(cancellationToken).ConfigureAwait(false));
        }

        return Whole(timeline, begin);
    }

    /// <summary>When the wave of an operation was over; for the last wave that is the end of the drain.</summary>
    public long EndOf(int operation, long drainEnd) =>
        operation / _size is var wave && wave < _waves.Count - 1 ? _waves[wave].EndTimestamp : drainEnd;

    private LoadOutcome Whole(ThroughputTimeline timeline, long begin)
    {
        var service = new LatencyHistogram();
        _waves.ForEach(wave => service.Merge(wave.ServiceTime));
        var end = _waves[^1].EndTimestamp;
        return new()
        {
            Started = _waves.Sum(wave => wave.Started),
            Completed = _waves.Sum(wave => wave.Completed),
            Failed = _waves.Sum(wave => wave.Failed),
            Stalled = _waves[^1].Stalled,
            Window = Stopwatch.GetElapsedTime(begin, end),
            EndTimestamp = end,
            ServiceTime = service,
            ResponseTime = service,
            StartTimestamps = [.. _waves.SelectMany(wave => wave.StartTimestamps)],
            Timeline = timeline,
            Errors = [.. _waves.SelectMany(wave => wave.Errors).Take(KeptErrors)],
        };
    }

    /// <summary>Some of the operations, on the time base of all.</summary>
    private sealed class Slice(OperationSet all, int first, int count, ThroughputTimeline timeline, long begin) : OperationSet(count)
    {
        public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
        {
            var start = Stopwatch.GetTimestamp();
            return FollowAsync(await all.LaunchAsync(first + operation, cancellationToken).ConfigureAwait(false), start);
        }

        /// <summary>The whole set is verified, not its waves.</summary>
        public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
            throw new NotSupportedException("A wave is not verified alone.");

        private async Task FollowAsync(Task completion, long start)
        {
            await completion.ConfigureAwait(false);
            var end = Stopwatch.GetTimestamp();
            timeline.Record(Stopwatch.GetElapsedTime(begin, end), Stopwatch.GetElapsedTime(start, end));
        }
    }
}
