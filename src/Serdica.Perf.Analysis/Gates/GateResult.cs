using System.Text.Json.Serialization;

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

    /// <summary>Figures that were held against a limit with a result, whichever it was.</summary>
    public int Judged { get; init; }

    /// <summary>Figures among them that were 0 on both sides, which says nothing about speed.</summary>
    public int Zeros { get; init; }

    /// <summary>Figures with a limit that could not be held against it.</summary>
    public int NotJudged { get; init; }

    /// <summary>Limits that no figure of either run has the names of.</summary>
    public int Unmatched { get; init; }

    /// <summary>Why no figure could be judged; null when one was.</summary>
    public string? NothingBecause { get; init; }

    /// <summary>A gate that judged nothing has not held.</summary>
    [JsonIgnore]
    public GateOutcome Outcome => Breaches.Count > 0 ? GateOutcome.Breached : NothingBecause is null ? GateOutcome.Held : GateOutcome.NotJudged;

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

/// <summary>How a gate ends.</summary>
public enum GateOutcome
{
    /// <summary>No limit was exceeded, and at least one figure was judged.</summary>
    Held,

    Breached,

    /// <summary>Not one figure could be judged.</summary>
    NotJudged,
}

/// <summary>A limit that was not kept.</summary>
/// <param name="Scenario">With the backend in front.</param>
/// <param name="Metric">For instance <c>throughput</c>; <c>verification</c> where the scenario is missing or failed.</param>
/// <param name="Before">Of the base; null for an objective and for a verification.</param>
/// <param name="After">Of the candidate; null for a verification.</param>
/// <param name="Limit">The value that <paramref name="After"/> may not go beyond; null for a verification.</param>
/// <param name="Sentence">Metric, before, after, limit and evidence, for people.</param>
public sealed record GateBreach(string Scenario, string Metric, double? Before, double? After, double? Limit, string Sentence);
