
namespace Serdica.Perf.Analysis.Gates;

/// <summary>What the gate says of a candidate.</summary>
public sealed record GateResult
{
    /// <summary>Not empty when the gate fails.</summary>
    public IReadOnlyList<GateBreach> Breaches { get; init; } = [];

    /// <summary>Breaches that a quarantine excuses.</summary>
    public IReadOnlyList<GateBreach> Quarantined { get; init; } = [];

    /// <summary>One sentence for each limit that could not be judged, and for each quarantine that has expired.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>What is left when a second run of what was breached has been judged: a breach counts that both have.</summary>
    /// <param name="second">Of the second run, by the same limits.</param>
    /// <param name="run">The second run's name.</param>
    public GateResult ConfirmedBy(GateResult second, string run)
    {
        ArgumentNullException.ThrowIfNull(second);
        var again = second.Breaches.Select(breach => (breach.Scenario, breach.Metric)).ToHashSet();
        var confirmed = Breaches.Where(breach => again.Contains((breach.Scenario, breach.Metric))).ToArray();
        return this with
        {
            Breaches = confirmed,
            Notes =
            [
                .. Notes,
                .. Breaches.Except(confirmed).Select(breach => $"Not confirmed by a second run ({run}), so it does not count: {breach.Sentence}"),
            ],
        };
    }
}

/// <summary>A limit that was not kept.</summary>
/// <param name="Scenario">With the backend in front.</param>
/// <param name="Metric">For instance <c>throughput</c>.</param>
/// <param name="Before">Of the base; null for an objective.</param>
/// <param name="After">Of the candidate.</param>
/// <param name="Limit">The value that <paramref name="After"/> may not go beyond.</param>
/// <param name="Sentence">Metric, before, after, limit and evidence, for people.</param>
public sealed record GateBreach(string Scenario, string Metric, double? Before, double After, double Limit, string Sentence);
