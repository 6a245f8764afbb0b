namespace Serdica.Perf.Analysis.Sizing;

/// <summary>
/// The exponent b of use = a · rate^b, by least squares on the logarithms of the steps, with its standard error: 0 is constant
/// use, 1 is use in proportion to the rate.
/// </summary>
/// <param name="Exponent">Null with fewer than three steps at different rates, or without values above zero.</param>
internal sealed record Growth(GrowthClass Class, double? Exponent, double? StandardError, int Steps)
{
    private const int FewestSteps = 3;
    private const double FixedBelow = 0.25;
    private const double SteepAbove = 1.15;

    /// <summary>An exponent with a larger standard error is not meaningful.</summary>
    private const double LargestError = 0.35;

    /// <param name="points">Rate and use of each step.</param>
    public static Growth Of(IEnumerable<(double Rate, double Use)> points)
    {
        var logs = points
            .Where(point => point is { Rate: > 0, Use: > 0 })
            .Select(point => (X: Math.Log(point.Rate), Y: Math.Log(point.Use)))
            .ToArray();
        if (logs.DistinctBy(point => point.X).Count() < FewestSteps)
            return new(GrowthClass.Unknown, null, null, logs.Length);

        var (meanX, meanY) = (logs.Average(point => point.X), logs.Average(point => point.Y));
        var spread = logs.Sum(point => (point.X - meanX) * (point.X - meanX));
        var exponent = logs.Sum(point => (point.X - meanX) * (point.Y - meanY)) / spread;
        var residual = logs.Sum(point => Math.Pow(point.Y - meanY - (exponent * (point.X - meanX)), 2));
        var error = Math.Sqrt(residual / (logs.Length - 2) / spread);
        return new(Classify(exponent, error), exponent, error, logs.Length);
    }

    private static GrowthClass Classify(double exponent, double error) =>
        exponent switch
        {
            _ when error > LargestError => GrowthClass.Unknown,
            < FixedBelow => GrowthClass.Fixed,
            > SteepAbove => GrowthClass.Steep,
            _ => GrowthClass.Linear,
        };
}

/// <summary>How the use of a component grows with the load.</summary>
internal enum GrowthClass
{
    /// <summary>Too few steps, or too uncertain.</summary>
    Unknown,

    /// <summary>A constant part that hardly depends on the load.</summary>
    Fixed,

    /// <summary>Between constant and in proportion to the load.</summary>
    Linear,

    /// <summary>Faster than the load.</summary>
    Steep,
}
