using System.Globalization;

namespace Serdica.Perf.Results.Profiles;

/// <summary>Several steps from one of them.</summary>
public static class LoadSteps
{
    /// <summary>Where a ramp begins, as a part of its target.</summary>
    public const double RampFrom = 0.5;

    /// <summary>By how much of its target each step of a ramp is higher than the one before.</summary>
    public const double RampBy = 0.25;

    /// <summary>Most steps of one ramp.</summary>
    public const int MostOfARamp = 1_000;

    private const double Tolerance = 1e-6;

    /// <summary>Of a rate that alternates.</summary>
    public static readonly TimeSpan DefaultPeriod = TimeSpan.FromSeconds(10);

    /// <summary>A rate that alternates between two.</summary>
    public static LoadStep Oscillating(LoadStep pattern, double low, double high, TimeSpan? period)
    {
        var wave = new RateWave(high, low, period ?? DefaultPeriod);
        return pattern with { PerSecond = wave.Mean, Wave = wave };
    }

    /// <summary>An open step whose backlog swings; there are users enough for it.</summary>
    public static LoadStep WithBacklogBetween(LoadStep step, int low, int high) =>
        step with { BacklogBetween = new(low, high), MaxUsers = Math.Max(step.MaxUsers, 2 * high) };

    /// <summary>Steps up to the rate of <paramref name="target"/>, the last of which has it exactly.</summary>
    /// <param name="target">An open step with a rate.</param>
    /// <param name="from">The first rate, as a part of the target's.</param>
    /// <param name="by">What each further step adds, as a part of the target's.</param>
    /// <exception cref="LoadProfileException">It has more than <see cref="MostOfARamp"/> steps.</exception>
    public static IEnumerable<LoadStep> Ramp(LoadStep target, double from = RampFrom, double by = RampBy)
    {
        ArgumentNullException.ThrowIfNull(target);
        if (target.PerSecond is not { } rate || from is not (> 0 and <= 1) || by is not (> 0 and <= 1))
            throw new ArgumentException("A ramp needs a rate to end at, and begins at and rises by more than 0 and at most 1 of it.");

        if ((1 - from) / by > MostOfARamp - 1 + Tolerance)
            throw new LoadProfileException(string.Create(CultureInfo.InvariantCulture, $"A ramp from {from} that rises by {by} of its rate has more than {MostOfARamp:N0} steps, which is the most: let it rise by more."));

        // Rounded, so that 0.5 + 0.25 + 0.25 is 1 and not a hair less.
        for (var share = from; Math.Round(share, 9) < 1; share += by)
            yield return target with { Name = Numbered(target.Name, rate * share), PerSecond = rate * share };
        yield return target with { Name = Numbered(target.Name, rate) };
    }

    /// <summary>One step for each rate, in the order given.</summary>
    public static IEnumerable<LoadStep> At(LoadStep pattern, IEnumerable<double> rates)
    {
        ArgumentNullException.ThrowIfNull(rates);
        return rates.Select(rate => pattern with { Name = Numbered(pattern.Name, rate), PerSecond = rate });
    }

    /// <summary>Twice the same name gets a number, since results are found by it.</summary>
    public static IReadOnlyList<LoadStep> WithUniqueNames(IEnumerable<LoadStep> steps)
    {
        var seen = new Dictionary<string, int>();
        return
        [
            .. steps.Select(step =>
            {
                var times = seen[step.Name] = seen.GetValueOrDefault(step.Name) + 1;
                return times == 1 ? step : step with { Name = string.Create(CultureInfo.InvariantCulture, $"{step.Name}-{times}") };
            }),
        ];
    }

    private static string Numbered(string name, double rate) =>
        string.Create(CultureInfo.InvariantCulture, $"{name}-{rate:0.##}").Replace('.', '_');
}
