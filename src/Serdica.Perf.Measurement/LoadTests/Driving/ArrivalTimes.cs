using System.Diagnostics;
using Serdica.Perf.Measurement.Load;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>
/// The intended starts of one open step, in order, all by the schedule and none by what happened: readings of the stopwatch
/// from the begin up to the end. One caller.
/// </summary>
internal sealed class ArrivalTimes
{
    private readonly ArrivalSchedule _uniform;
    private readonly Random? _random;
    private readonly double _mean;
    private readonly long _end;
    private readonly int _most;
    private double _next;

    /// <param name="begin">Reading of the stopwatch at the begin of the step.</param>
    /// <param name="perSecond">The rate, above zero.</param>
    /// <param name="duration">Nothing arrives later.</param>
    /// <param name="most">No more arrive.</param>
    /// <param name="pattern">How they are spread.</param>
    /// <param name="seed">Of random ones.</param>
    public ArrivalTimes(long begin, double perSecond, TimeSpan duration, int most, ArrivalPattern pattern, int seed)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(perSecond);
        _uniform = new(begin, perSecond);
        _mean = Stopwatch.Frequency / perSecond;
        _end = begin + (long)(duration.TotalSeconds * Stopwatch.Frequency);
        _most = most;
        _next = LastDue = begin;
        if (pattern == ArrivalPattern.Poisson)
        {
            _random = new(seed);
            Advance();
        }
    }

    /// <summary>Arrivals that were taken.</summary>
    public int Taken { get; private set; }

    /// <summary>When the last arrival that was taken was due; the begin when there was none.</summary>
    public long LastDue { get; private set; }

    /// <summary>When the next arrival is due; null when there is none.</summary>
    public long? NextDue => Due is var due && Taken < _most && due < _end ? due : null;

    private long Due => _random is null ? _uniform.DueAt(Taken) : (long)_next;

    /// <summary>The next arrival is begun or dropped.</summary>
    public void Take()
    {
        LastDue = Due;
        Taken++;
        if (_random is not null)
            Advance();
    }

    /// <summary>More arrivals than a schedule will have, but for one in a million of the random ones, which then end early.</summary>
    public static int AtMost(double perSecond, TimeSpan duration, ArrivalPattern pattern)
    {
        var mean = perSecond * duration.TotalSeconds;
        return (int)Math.Min(int.MaxValue / 4, Math.Ceiling(mean + (pattern == ArrivalPattern.Poisson ? (5 * Math.Sqrt(mean)) + 10 : 0)));
    }

    private void Advance() => _next += -Math.Log(1 - _random!.NextDouble()) * _mean;
}
