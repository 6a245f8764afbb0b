namespace Serdica.Perf.Results.Profiles;

/// <summary>Derives several steps from one.</summary>
internal static class LoadSteps
{
    /// <summary>The first rate of a ramp, as a share of its target.</summary>
    public const double RampFrom = 0.5;

    /// <summary>What each further step of a ramp adds, as a share of its target.</summary>
    public const double RampBy = 0.25;

    /// <summary>The largest number of steps of one ramp.</summary>
    public const int MostOfARamp = 1_000;

    private const double Tolerance = 1e-6;

    /// <summary>The default period of an alternating rate.</summary>
    public static readonly TimeSpan DefaultPeriod = FromSeconds(10);

    /// <summary>A step whose rate alternates between two values.</summary>
    public static LoadStep Oscillating(LoadStep pattern, double low, double high, TimeSpan? period)
    {
        var wave = new RateWave(high, low, period ?? DefaultPeriod);
        return pattern with { PerSecond = wave.Mean, Wave = wave };
    }

    /// <summary>An open step with a swinging backlog and enough users for it.</summary>
    public static LoadStep WithBacklogBetween(LoadStep step, int low, int high) =>
        step with { BacklogBetween = new(low, high), MaxUsers = Math.Max(step.MaxUsers, 2 * high) };

    /// <summary>Steps that rise to the rate of <paramref name="target"/>; the last step has exactly this rate.</summary>
    /// <param name="from">The first rate, as a share of the target's rate.</param>
    /// <param name="by">What each further step adds, as a share of the target's rate.</param>
    /// <exception cref="LoadProfileException">The ramp has more than <see cref="MostOfARamp"/> steps.</exception>
    public static IEnumerable<LoadStep> Ramp(LoadStep target, double from = RampFrom, double by = RampBy)
    {
        if (target.PerSecond is not { } rate || from is not (> 0 and <= 1) || by is not (> 0 and <= 1))
            throw new LoadProfileException("A ramp needs a rate; it starts at, and rises by, more than 0 and at most 1 of this rate.");

        if ((1 - from) / by > MostOfARamp - 1 + Tolerance)
            throw new LoadProfileException(
                Invariant($"A ramp from {from} that rises by {by} of its rate has more than {MostOfARamp:N0} steps, which is the most: ")
                    + "let it rise by more."
            );

        // Rounded, so that 0.5 + 0.25 + 0.25 is exactly 1.
        for (var share = from; Math.Round(share, 9) < 1; share += by)
            yield return target with { Name = Numbered(target.Name, rate * share), PerSecond = rate * share };
        yield return target with { Name = Numbered(target.Name, rate) };
    }

    /// <summary>One step for each rate, in the given order.</summary>
    public static IEnumerable<LoadStep> At(LoadStep pattern, IEnumerable<double> rates) =>
        rates.Select(rate => pattern with { Name = Numbered(pattern.Name, rate), PerSecond = rate });

    /// <summary>Adds a number to a repeated name, because results are found by name.</summary>
    public static IReadOnlyList<LoadStep> WithUniqueNames(IEnumerable<LoadStep> steps)
    {
        var seen = new Dictionary<string, int>();
        return
        [
            .. steps.Select(step =>
            {
                var times = seen[step.Name] = seen.GetValueOrDefault(step.Name) + 1;
                return times == 1 ? step : step with { Name = Invariant($"{step.Name}-{times}") };
            }),
        ];
    }

    private static string Numbered(string name, double rate) => Invariant($"{name}-{rate:0.##}").Replace('.', '_');
}
