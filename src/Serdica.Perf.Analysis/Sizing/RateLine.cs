namespace Serdica.Perf.Analysis.Sizing;

/// <summary>
/// Use as a straight line over the rate, a fixed part and a part in proportion to the rate, both not below zero, with 95 % prediction
/// intervals.
/// </summary>
/// <remarks>
/// Fitted by least squares of the <i>relative</i> errors, as the levels of a ladder are (<see cref="Capacity.ScalabilityLaw"/>), because
/// the noise of a step is in proportion to its use. An interval is for one further measurement: it has the uncertainty of the line and the
/// noise of a step (N. R. Draper and H. Smith, "Applied Regression Analysis", 3rd edition, section 1.4).
/// </remarks>
internal sealed class RateLine
{
    /// <summary>Two parameters fit two rates exactly; with three a single degree of freedom makes all intervals useless.</summary>
    public const int FewestRates = 4;

    /// <summary>A rate that is not 5 % above another one is the same rate.</summary>
    private const double LeastStep = 1.05;

    private readonly double _noise;
    private readonly (double Constant, double Mixed, double Slope) _covariance;
    private readonly double _quantile;

    private RateLine(double constant, double slope, double noise, (double, double, double) covariance, int freedom)
    {
        (Constant, Slope, _noise, _covariance) = (constant, slope, noise, covariance);
        _quantile = StudentT.InvCDF(0, 1, freedom, 0.975);
    }

    /// <summary>The use without load.</summary>
    public double Constant { get; }

    /// <summary>The use for each operation a second.</summary>
    public double Slope { get; }

    /// <summary>Null with fewer than <see cref="FewestRates"/> different rates, or when use does not grow with the rate.</summary>
    /// <param name="points">Rate and use of each step; those without use are left out.</param>
    public static RateLine? Fit(IEnumerable<(double Rate, double Use)> points)
    {
        var used = points.Where(point => point is { Rate: > 0, Use: > 0 }).ToArray();
        if (RatesOf(used.Select(point => point.Rate)) < FewestRates)
            return null;

        // Each row is divided by its use: 1 = a · (1/use) + b · (rate/use).
        var rows = used.Select(point => (Constant: 1 / point.Use, Slope: point.Rate / point.Use)).ToArray();
        var (cc, cs, ss) = (
            rows.Sum(row => row.Constant * row.Constant),
            rows.Sum(row => row.Constant * row.Slope),
            rows.Sum(row => row.Slope * row.Slope)
        );
        var (c, s) = (rows.Sum(row => row.Constant), rows.Sum(row => row.Slope));
        var determinant = cc * ss - cs * cs;
        var (constant, slope) = ((c * ss - s * cs) / determinant, (s * cc - c * cs) / determinant);
        if (slope <= 0)
            return null;

        var isFree = constant >= 0;
        if (!isFree)
            (constant, slope) = (0, s / ss);
        var freedom = rows.Length - (isFree ? 2 : 1);
        var variance = rows.Sum(row => Math.Pow(constant * row.Constant + slope * row.Slope - 1, 2)) / freedom;
        var covariance = isFree
            ? (variance * ss / determinant, -variance * cs / determinant, variance * cc / determinant)
            : (0, 0, variance / ss);
        return new(constant, slope, Math.Sqrt(variance), covariance, freedom);
    }

    /// <summary>How many rates differ by more than the noise of one rate that was measured several times.</summary>
    public static int RatesOf(IEnumerable<double> perSecond)
    {
        var (count, last) = (0, 0.0);
        foreach (var rate in perSecond.Order())
        {
            if (rate <= last * LeastStep)
                continue;
            (count, last) = (count + 1, rate);
        }

        return count;
    }

    /// <summary>The use at a rate, not below zero, with its interval.</summary>
    public Estimate At(double rate)
    {
        var use = Constant + Slope * rate;
        var line = _covariance.Constant + 2 * rate * _covariance.Mixed + rate * rate * _covariance.Slope;
        var width = _quantile * Math.Sqrt(Math.Max(0, line) + Math.Pow(_noise * use, 2));
        return new(use, Math.Max(0, use - width), use + width);
    }

    /// <summary>
    /// The rate at which the use reaches a limit, with the rates at which the ends of its interval do; 0 when the fixed part does.
    /// </summary>
    public Estimate RateOf(double limit)
    {
        var rate = Math.Max(0, (limit - Constant) / Slope);
        return new(rate, Reaches(limit, rate, static estimate => estimate.High), Reaches(limit, rate, static estimate => estimate.Low));
    }

    /// <summary>By halving, between 0 and a thousand times the rate of the line; infinite when it is not reached there.</summary>
    private double Reaches(double limit, double rate, Func<Estimate, double> end)
    {
        var (low, high) = (0.0, 1_000 * rate);
        if (end(At(high)) < limit)
            return double.PositiveInfinity;
        for (var step = 0; step < 100; step++)
        {
            var middle = (low + high) / 2;
            if (end(At(middle)) < limit)
                low = middle;
            else
                high = middle;
        }

        return high;
    }
}

/// <summary>A figure with the ends of its interval; the high end may be infinite, and is null in JSON then.</summary>
internal readonly record struct Estimate(double Value, double Low, [property: JsonConverter(typeof(FiniteOrNull))] double High);
