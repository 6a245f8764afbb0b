namespace Serdica.Perf.Analysis.LoadTests;

/// <summary>Finds the rate up to which response times stay low, and where they start to rise.</summary>
internal static class LatencyOnset
{
    /// <summary>Latency is low up to this multiple of the p99 at the lowest rate.</summary>
    private const double Factor = 2;

    /// <summary>The fewest operations for a p99: five of them are slower than it, and with fewer it is chance.</summary>
    private const long FewestOperations = 500;

    /// <summary>Null when fewer than two rates were tried.</summary>
    public static string? Sentence(IReadOnlyList<StepResult> steps)
    {
        var tried = StepRepeats
            .Typical(steps)
            .Where(step => step is { Kind: LoadKind.Open, TargetPerSecond: not null })
            .OrderBy(step => step.TargetPerSecond)
            .ToArray();
        var rates = tried.Where(HasP99).ToArray();
        var leftOut =
            rates.Length == tried.Length
                ? ""
                : Invariant($" {tried.Length - rates.Length} of {tried.Length} rates had fewer than {FewestOperations} operations, too ")
                    + "few for a p99, and are left out.";
        if (rates.Select(step => step.TargetPerSecond).Distinct().Count() < 2)
            return null;

        var lowest = rates[0];
        bool Ends(StepResult step) =>
            step.Verdict == StepVerdict.Failed || (HasP99(step) && step.Response.P99Ms > Factor * lowest.Response.P99Ms);

        var low = tried.TakeWhile(step => !Ends(step)).Where(HasP99).ToArray();
        if (low.Length == 0)
            return Invariant($"Latency was low at no rate: the lowest, {tried.First(Ends).TargetPerSecond:N0}/s, failed.");

        var range =
            Invariant($"Latency is low up to {low[^1].TargetPerSecond:N0}/s: the p99 of the response time is within twice that of the ")
            + Invariant($"lowest rate, {lowest.Response.P99Ms:0.0} ms.");
        var above = tried.FirstOrDefault(Ends) ?? tried.FirstOrDefault(step => step.TargetPerSecond > low[^1].TargetPerSecond);
        return above is null
            ? range + " No rate above was tried." + leftOut
            : range
                + Invariant($" At {above.TargetPerSecond:N0}/s ")
                + (
                    HasP99(above) ? Invariant($"it was {above.Response.P99Ms:0.0} ms.")
                    : above.Verdict == StepVerdict.Failed ? "the step failed, with too few operations for a p99."
                    : "too few operations completed for a p99."
                )
                + leftOut;
    }

    private static bool HasP99(StepResult step) => step.Response is { P99Ms: not null, Count: >= FewestOperations };
}
