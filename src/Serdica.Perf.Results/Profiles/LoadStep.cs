namespace Serdica.Perf.Results.Profiles;

/// <summary>One step of a profile.</summary>
public sealed record LoadStep
{
    /// <value>Lower case with hyphens; part of file names.</value>
    public required string Name { get; init; }

    /// <value>The number of the repeat, from 1; null for a step that is not repeated.</value>
    public int? Repeat { get; init; }

    /// <summary>The step's name in results: its name, and the number of the repeat where there are several.</summary>
    [JsonIgnore]
    public string Title => Repeat is { } number ? $"{Name} #{number}" : Name;

    public required LoadKind Kind { get; init; }

    /// <value>Arrivals a second of an open step; null when <see cref="ShareOfMaximum"/> decides, or the step is not open.</value>
    public double? PerSecond { get; init; }

    /// <value>The rate as a share of the maximum that a closed load directly before has measured.</value>
    public double? ShareOfMaximum { get; init; }

    /// <value>How long operations are started; ignored by a burn-down.</value>
    public TimeSpan Duration { get; init; } = FromSeconds(10);

    /// <value>The largest number of operations; null for as many as fit in the duration.</value>
    public int? Operations { get; init; }

    /// <value>Users at the start; for a closed step, all users.</value>
    public int MinUsers { get; init; } = 16;

    /// <value>The largest number of users: an open step adds users while none is free, up to this many operations in flight.</value>
    public int MaxUsers { get; init; } = 4_096;

    /// <value>Operations that are prepared before the workers of a burn-down start.</value>
    public int Backlog { get; init; }

    /// <value>The wave of an open step whose rate alternates; <see cref="PerSecond"/> is then the mean. Default: a constant rate.</value>
    public RateWave? Wave { get; init; }

    /// <value>The bounds of an open step whose arrivals pause while the backlog is large. Default: arrivals never pause.</value>
    public BacklogBounds? BacklogBetween { get; init; }

    /// <value>Instances read back a second, beside the operations; default 0.</value>
    public double ReadsPerSecond { get; init; }

    /// <value>
    /// The default is <see cref="ArrivalPattern.Poisson"/>, because independent callers arrive at random: with equal intervals,
    /// queues stay shorter than in production.
    /// </value>
    public ArrivalPattern Arrivals { get; init; } = ArrivalPattern.Poisson;

    /// <value>
    /// By which share of an interval uniform arrivals are delayed, 0 to 1; default 0. It interleaves the arrivals of several generators,
    /// which would otherwise be bursts.
    /// </value>
    [JsonIgnore]
    public double Phase { get; init; }
}

/// <summary>Decides when the next operation of a step starts.</summary>
public enum LoadKind
{
    /// <summary>By schedule: operations arrive at a rate, whether earlier ones have completed or not.</summary>
    Open,

    /// <summary>By users: each starts its next operation when its last one has ended.</summary>
    Closed,

    /// <summary>By backlog: operations are prepared while no worker runs; then the workers start and process them at full speed.</summary>
    BurnDown,
}

/// <summary>How the arrivals of an open step are spread.</summary>
public enum ArrivalPattern
{
    /// <summary>At equal intervals.</summary>
    Uniform,

    /// <summary>
    /// At random and independent of each other, as the arrivals of many users are: intervals are exponentially distributed.
    /// </summary>
    Poisson,
}

/// <summary>How results and reports name the arrivals of a load.</summary>
internal static class ArrivalText
{
    /// <summary>The names under which a scenario records the pattern and the seed of its arrivals.</summary>
    public const string PatternOption = "arrivals";

    /// <inheritdoc cref="PatternOption"/>
    public const string SeedOption = "seed";

    public static string Word(this ArrivalPattern pattern) => pattern.ToString().ToLowerInvariant();

    /// <summary>What a scenario records of arrivals that it has fixed.</summary>
    public static Dictionary<string, string> Options(ArrivalPattern pattern, int seed) =>
        new() { [PatternOption] = pattern.Word(), [SeedOption] = Invariant($"{seed}") };
}

/// <summary>A rate that alternates: the first half of each period high, the second half low.</summary>
/// <param name="High">Arrivals a second.</param>
/// <param name="Low">Arrivals a second, from 0 up to the high rate.</param>
/// <param name="Period">The length of one high and one low half together.</param>
public sealed record RateWave(double High, double Low, TimeSpan Period)
{
    /// <summary>The mean rate over whole periods, in arrivals a second.</summary>
    public double Mean => (High + Low) / 2;

    /// <summary>Arrivals that the wave plans up to a moment.</summary>
    /// <param name="seconds">Seconds since the start.</param>
    public double ArrivalsBy(double seconds)
    {
        var period = Period.TotalSeconds;
        var within = seconds % period;
        return (Math.Floor(seconds / period) * period * Mean)
            + (High * Math.Min(within, period / 2))
            + (Low * Math.Max(0, within - (period / 2)));
    }

    /// <summary>When this many arrivals are due: the inverse of <see cref="ArrivalsBy"/>.</summary>
    /// <returns>Seconds since the start.</returns>
    public double WhenArrived(double arrivals)
    {
        var (period, half) = (Period.TotalSeconds, Period.TotalSeconds / 2);
        var whole = Math.Floor(arrivals / (Mean * period));
        var rest = arrivals - (whole * Mean * period);
        return (whole * period) + (rest <= High * half ? rest / High : half + ((rest - (High * half)) / Low));
    }
}

/// <summary>
/// A swinging backlog: operations arrive at the step's rate until the upper bound is in flight, then pause until only the lower
/// bound is left.
/// </summary>
/// <param name="Low">Operations in flight at which arrivals resume.</param>
/// <param name="High">Operations in flight at which arrivals pause.</param>
public sealed record BacklogBounds(int Low, int High);
