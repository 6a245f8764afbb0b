namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>A rate that alternates: the first half of each period high, the second half low.</summary>
/// <param name="High">Arrivals a second.</param>
/// <param name="Low">Arrivals a second, from 0 up to the high rate.</param>
/// <param name="Period">Of one high and one low half together.</param>
public sealed record RateWave(double High, double Low, TimeSpan Period)
{
    /// <summary>Arrivals a second over whole periods.</summary>
    public double Mean => (High + Low) / 2;

    /// <summary>Arrivals up to a moment; of the wave and not of what happened.</summary>
    /// <param name="seconds">From the begin.</param>
    public double ArrivalsBy(double seconds)
    {
        var period = Period.TotalSeconds;
        var within = seconds % period;
        return (Math.Floor(seconds / period) * period * Mean) + (High * Math.Min(within, period / 2)) + (Low * Math.Max(0, within - (period / 2)));
    }

    /// <summary>When so many have arrived: the inverse of <see cref="ArrivalsBy"/>.</summary>
    /// <returns>Seconds from the begin.</returns>
    public double WhenArrived(double arrivals)
    {
        var (period, half) = (Period.TotalSeconds, Period.TotalSeconds / 2);
        var whole = Math.Floor(arrivals / (Mean * period));
        var rest = arrivals - (whole * Mean * period);
        return (whole * period) + (rest <= High * half ? rest / High : half + ((rest - (High * half)) / Low));
    }
}
