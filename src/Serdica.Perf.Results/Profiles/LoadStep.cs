using System.Text.Json.Serialization;

namespace Serdica.Perf.Results.Profiles;

/// <summary>One step of a profile.</summary>
public sealed record LoadStep
{
    /// <value>Lower case with hyphens; a part of file names.</value>
    public required string Name { get; init; }

    /// <value>Which repeat, from 1; null of a step that is not repeated.</value>
    public int? Repeat { get; init; }

    /// <summary>What it is called in results: its name, and the number of the repeat where there are several.</summary>
    [JsonIgnore]
    public string Title => Repeat is { } number ? $"{Name} #{number}" : Name;

    public required LoadKind Kind { get; init; }

    /// <value>Arrivals a second of an open step; null when <see cref="ShareOfMaximum"/> decides, or the step is not open.</value>
    public double? PerSecond { get; init; }

    /// <value>The same as a part of the maximum that a closed load right before has shown.</value>
    public double? ShareOfMaximum { get; init; }

    /// <value>How long operations are begun; of no meaning for a burn-down.</value>
    public TimeSpan Duration { get; init; } = TimeSpan.FromSeconds(10);

    /// <value>No more than so many operations; null is as many as the duration holds.</value>
    public int? Operations { get; init; }

    /// <value>Users that are there at the begin. Of a closed step: all of them.</value>
    public int MinUsers { get; init; } = 16;

    /// <value>An open step adds users when none is free, up to so many in flight at once.</value>
    public int MaxUsers { get; init; } = 4_096;

    /// <value>Operations that are made ready before the workers of a burn-down start.</value>
    public int Backlog { get; init; }

    /// <value>Of an open step whose rate alternates; its <see cref="PerSecond"/> is the mean then. Default: a constant rate.</value>
    public RateWave? Wave { get; init; }

    /// <value>Of an open step whose arrivals pause while the backlog is large; default: they never pause.</value>
    public BacklogBounds? BacklogBetween { get; init; }

    /// <value>Instances that are read back a second, beside the operations; default 0.</value>
    public double ReadsPerSecond { get; init; }

    /// <value>
    /// Default <see cref="ArrivalPattern.Poisson"/>, as callers who do not know of each other arrive: at equal distances queues
    /// stay shorter than they are in use.
    /// </value>
    public ArrivalPattern Arrivals { get; init; } = ArrivalPattern.Poisson;
}

/// <summary>Who decides when the next operation of a step begins.</summary>
public enum LoadKind
{
    /// <summary>A schedule: operations arrive at a rate, whatever became of those before them.</summary>
    Open,

    /// <summary>Users: each begins its next operation when its last one has ended.</summary>
    Closed,

    /// <summary>Workers that start late: a backlog is prepared, then burnt down as fast as it goes.</summary>
    BurnDown,
}

/// <summary>How the arrivals of an open step are spread.</summary>
public enum ArrivalPattern
{
    /// <summary>At equal distances.</summary>
    Uniform,

    /// <summary>At random and independent of each other, as those of many users are: distances are exponential.</summary>
    Poisson,
}

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

/// <summary>
/// A backlog that swings: operations arrive at the step's rate until so many are in flight, then none until few enough are left.
/// </summary>
/// <param name="Low">In flight when arrivals begin again.</param>
/// <param name="High">In flight when they pause.</param>
public sealed record BacklogBounds(int Low, int High);
