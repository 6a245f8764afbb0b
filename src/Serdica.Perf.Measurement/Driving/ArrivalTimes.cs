namespace Serdica.Perf.Measurement.Driving;

/// <summary>
/// The schedule of every open load: intended starts, in order, as readings of the stopwatch. Each is calculated from the start
/// of the load and never from the previous arrival, so that a late call does not move later ones. Only a <see
/// cref="BacklogGate"/> pauses the schedule. Not thread-safe.
/// </summary>
internal sealed class ArrivalTimes
{
    /// <summary>The interval at which a paused schedule is polled.</summary>
    private static readonly long Pause = Stopwatch.Frequency / 1_000;

    private readonly Func<double, double> _secondsAt;
    private readonly BacklogGate? _gate;
    private readonly Random? _random;
    private readonly long _begin;
    private readonly long _end;
    private readonly int _most;
    private readonly double _phase;

    /// <summary>The position of the next arrival, in arrivals of the schedule; random arrivals are not at whole numbers.</summary>
    private double _next;

    /// <param name="begin">Reading of the stopwatch at the start of the step.</param>
    /// <param name="perSecond">The rate in arrivals a second, above zero; for a wave its mean.</param>
    /// <param name="duration">Nothing arrives later; null means no limit.</param>
    /// <param name="wave">The wave; null for a constant rate.</param>
    /// <param name="gate">The gate; null for a schedule that never pauses.</param>
    /// <param name="phase">By which share of an interval uniform arrivals are delayed, 0 to 1.</param>
    public ArrivalTimes(
        long begin,
        double perSecond,
        TimeSpan? duration,
        int most,
        ArrivalPattern pattern,
        int seed,
        RateWave? wave = null,
        BacklogGate? gate = null,
        double phase = 0
    )
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(perSecond);
        _secondsAt = wave is null ? arrivals => arrivals / perSecond : wave.WhenArrived;
        _gate = gate;
        _begin = begin;
        _end = duration is { } limit ? begin + (long)(limit.TotalSeconds * Stopwatch.Frequency) : long.MaxValue;
        _most = most;
        _next = _phase = phase;
        LastDue = begin;
        if (pattern == ArrivalPattern.Poisson)
        {
            _random = new(seed);
            _next = 0;
            Advance();
        }
    }

    /// <summary>The number of arrivals that were taken.</summary>
    public int Taken { get; private set; }

    /// <summary>When the last taken arrival was due; the start of the step when there was none.</summary>
    public long LastDue { get; private set; }

    /// <summary>When the next arrival is due; null when there is none.</summary>
    public long? NextDue
    {
        get
        {
            if (Taken >= _most)
                return null;

            var now = _gate is null ? 0 : Stopwatch.GetTimestamp();
            var due = _gate?.Admits(Taken, now) == false ? now + Pause : Due;
            return due < _end ? due : null;
        }
    }

    private long Due => At(_next) + (_gate?.Paused ?? 0);

    /// <summary>Takes the next arrival, which is then started or dropped.</summary>
    public void Take()
    {
        LastDue = Due;
        Taken++;
        if (_random is null)
            _next = Taken + _phase;
        else
            Advance();
    }

    /// <summary>The most arrivals that a schedule can have.</summary>
    public const int Most = int.MaxValue / 4;

    /// <summary>An upper bound for the arrivals of a schedule. One random schedule in a million would have more; it ends early.</summary>
    public static int AtMost(double perSecond, TimeSpan duration, ArrivalPattern pattern)
    {
        var mean = perSecond * duration.TotalSeconds;
        return (int)Math.Min(Most, Math.Ceiling(mean + (pattern == ArrivalPattern.Poisson ? (5 * Math.Sqrt(mean)) + 10 : 0)));
    }

    private long At(double arrivals) => _begin + (long)(_secondsAt(arrivals) * Stopwatch.Frequency);

    private void Advance() => _next += -Math.Log(1 - _random!.NextDouble());
}

/// <summary>
/// Seeds of random arrivals. Each step has its own, and reads have another than the operations beside them, because with one
/// seed both would arrive at the same moments. A profile and its seed give the same arrivals on every machine.
/// </summary>
internal static class ArrivalSeed
{
    /// <param name="step">The number of steps before this one.</param>
    public static int Of(int seed, int step, bool reads)
    {
        // The final mix of MurmurHash3 (Appleby, public domain), which is a bijection: Random gives similar streams for similar seeds.
        var mixed = ((uint)seed * 1_000_003) + ((uint)step * 2) + (reads ? 1u : 0u);
        mixed = (mixed ^ (mixed >> 16)) * 0x85ebca6b;
        mixed = (mixed ^ (mixed >> 13)) * 0xc2b2ae35;
        return (int)(mixed ^ (mixed >> 16));
    }
}
