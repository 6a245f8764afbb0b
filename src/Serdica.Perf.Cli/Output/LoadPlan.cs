namespace Serdica.Perf.Cli.Output;

/// <summary>What `load --dry-run` prints.</summary>
internal static class LoadPlan
{
    /// <param name="confirmation">How long the rate that a search finds must hold; null without a search.</param>
    public static void Write(TextWriter console, LoadProfile profile, string backend, int hosts, TimeSpan? confirmation)
    {
        foreach (var step in profile.Steps)
            console.WriteLine($"{profile.Name}-{step.Title}: {Words(step)}");
        if (confirmation is { } time)
            console.WriteLine($"The rate that is found must then hold for {Quantity.Text(time)}.");
        console.WriteLine(
            $"{profile.WorkName} on {backend}, {Figure.Workers(profile.Workers, hosts)}, "
                + Invariant(
                    $"drain up to {Quantity.Text(profile.DrainLimit)}, cooldown {Quantity.Text(profile.Cooldown)}; nothing was run."
                )
        );
    }

    private static string Words(LoadStep step) =>
        step.Kind switch
        {
            LoadKind.BurnDown => Invariant($"a backlog of {step.Backlog:N0}, which the workers drain"),
            LoadKind.Closed => Invariant($"{Figure.Number(step.MinUsers, "caller")} for {Quantity.Text(step.Duration)}{Further(step)}"),
            _ => Invariant($"{Rate(step)} for {Quantity.Text(step.Duration)}, {step.Arrivals.ToString().ToLowerInvariant()}, ")
                + Invariant($"{step.MinUsers:N0} to {Figure.Number(step.MaxUsers, "caller")}{Further(step)}"),
        };

    private static string Rate(LoadStep step) =>
        step switch
        {
            { Wave: { } wave } => Invariant(
                $"{wave.High:0.##}/s and {wave.Low:0.##}/s in turn with a period of {Quantity.Text(wave.Period)},"
            ),
            { PerSecond: { } rate, BacklogBetween: { } bounds } => Invariant(
                $"{rate:0.##}/s, a backlog between {bounds.Low:N0} and {bounds.High:N0},"
            ),
            { PerSecond: { } rate } => Invariant($"{rate:0.##}/s"),
            { ShareOfMaximum: { } share } => Invariant($"{share * 100:0.##} % of the measured maximum"),
            _ => "a rate to be found",
        };

    private static string Further(LoadStep step) =>
        (step.Operations is { } operations ? Invariant($", at most {operations:N0} operations") : "")
        + (step.ReadsPerSecond > 0 ? Invariant($", {step.ReadsPerSecond:0.##} reads/s") : "");
}
