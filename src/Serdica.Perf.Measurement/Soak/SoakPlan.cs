namespace Serdica.Perf.Measurement.Soak;

/// <summary>How a soak is divided and loaded.</summary>
/// <param name="Duration">How long operations arrive.</param>
internal sealed record SoakPlan(TimeSpan Duration)
{
    /// <summary>Enough load to show what grows, with enough spare capacity that a queue is a finding and not expected.</summary>
    public const double Utilisation = 0.7;

    /// <summary>
    /// Operations that may be in flight for each caller of the calibration: 512 with 64 callers. By Little's law this is about
    /// ten times what a backend has in flight at 70 %, so only a stall reaches it.
    /// </summary>
    public const int InFlightPerCaller = 8;

    /// <summary>As independent callers arrive: at equal intervals, queues would stay shorter than in production.</summary>
    public const ArrivalPattern Arrivals = ArrivalPattern.Poisson;

    /// <summary>The seed of the arrivals, from which each repeat has its own.</summary>
    public const int Seed = 1;

    /// <summary>More than any backend completes in the longest calibration.</summary>
    public const int CalibrationOperations = 2_000_000;

    /// <summary>The fewest intervals, so that a trend has enough points.</summary>
    private const int FewestIntervals = 10;

    private static readonly double[] NiceSeconds = [60, 30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1];

    /// <summary>A tenth of the duration, between 0.5 s and 10 s.</summary>
    public TimeSpan Calibration => FromSeconds(Math.Clamp(Duration.TotalSeconds / 10, 0.5, 10));

    /// <summary>One minute, or the longest round length that fits the duration ten times.</summary>
    public TimeSpan Interval =>
        FromSeconds(NiceSeconds.FirstOrDefault(seconds => seconds * FewestIntervals <= Duration.TotalSeconds, NiceSeconds[^1]));

    /// <summary>One second, or half an interval if that is less.</summary>
    public TimeSpan SampleInterval => FromSeconds(Math.Min(1, Interval.TotalSeconds / 2));

    /// <summary>Null for a scenario that does not last for a fixed time.</summary>
    public static SoakPlan? Of(ScenarioParameters parameters) =>
        parameters.DurationSeconds is { } seconds ? new(FromSeconds(seconds)) : null;

    /// <summary>The parameters of a soak with its arrivals; those of any other scenario as they are.</summary>
    public static ScenarioParameters Recorded(ScenarioParameters parameters) =>
        Of(parameters) is null
            ? parameters
            : parameters with
            {
                Options = ArrivalText.Options(Arrivals, Seed).Concat(parameters.Options).DistinctBy(option => option.Key).ToDictionary(),
            };

    /// <summary>The number of operations that arrive over the whole duration at a rate.</summary>
    public int Operations(double perSecond) => (int)Math.Clamp(Math.Round(perSecond * Duration.TotalSeconds), 1, int.MaxValue / 2);
}

/// <summary>The result of a closed load directly before a soak.</summary>
/// <param name="PerSecond">Operations a second; 0 when nothing completed.</param>
/// <param name="BytesPerOperation">Bytes that each operation left on the heap of this process.</param>
internal sealed record SoakCalibration(double PerSecond, double BytesPerOperation)
{
    /// <summary>Why there is no load that is a share of the maximum, here and in a load test.</summary>
    public const string NothingCompleted = "Nothing completed in the calibration, so there is no maximum to take a part of.";

    public double Offered => PerSecond * SoakPlan.Utilisation;

    /// <summary>Why the soak cannot be run; null when it can.</summary>
    public string? Problem(SoakPlan soak, long availableBytes)
    {
        if (PerSecond <= 0)
            return NothingCompleted;

        // The in-memory backend keeps every instance: an early error is better than an out-of-memory kill after minutes.
        var needed = BytesPerOperation * soak.Operations(Offered);
        return needed > availableBytes / 2.0
            ? Invariant($"The soak would need {needed / (1L << 30):0.0} GiB in this process, {BytesPerOperation:0} bytes for each of ")
                + Invariant($"{soak.Operations(Offered):N0} operations, and it has {availableBytes / (double)(1L << 30):0.0} GiB: shorten ")
                + "it with --duration."
            : null;
    }
}
