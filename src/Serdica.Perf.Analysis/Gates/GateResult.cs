using System.Text.Json.Serialization;

namespace Serdica.Perf.Analysis.Gates;

/// <summary>The result of a gate for a candidate.</summary>
internal sealed record GateResult
{
    /// <summary>The breaches; the gate fails when there are any.</summary>
    public IReadOnlyList<GateBreach> Breaches { get; init; } = [];

    /// <summary>Breaches that are excused by a quarantine.</summary>
    public IReadOnlyList<GateBreach> Quarantined { get; init; } = [];

    /// <summary>One sentence for each limit that could not be judged, and for each expired quarantine.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];

    /// <summary>The number of figures that were judged against a limit, whatever the result.</summary>
    public int Judged { get; init; }

    /// <summary>Judged figures that were 0 on both sides, which say nothing about speed.</summary>
    public int Zeros { get; init; }

    /// <summary>Figures with a limit that could not be judged.</summary>
    public int NotJudged { get; init; }

    /// <summary>Limits that match no figure of either run.</summary>
    public int Unmatched { get; init; }

    /// <summary>Why no figure could be judged; null when one was.</summary>
    public string? NothingBecause { get; init; }

    /// <summary>A gate that judged nothing has not held.</summary>
    [JsonIgnore]
    public GateOutcome Outcome =>
        Breaches.Count > 0 ? GateOutcome.Breached
        : NothingBecause is null ? GateOutcome.Held
        : GateOutcome.NotJudged;

    /// <summary>The result after a second run of what was breached: only breaches in both runs count.</summary>
    /// <param name="second">The result of the second run with the same limits.</param>
    /// <param name="run">The name of the second run.</param>
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
                .. Breaches
                    .Except(confirmed)
                    .Select(breach => $"Not confirmed by a second run ({run}), so it does not count: {breach.Sentence}"),
            ],
        };
    }
}

/// <summary>How a gate ended.</summary>
internal enum GateOutcome
{
    /// <summary>No limit was exceeded, and at least one figure was judged.</summary>
    Held,

    Breached,

    /// <summary>No figure could be judged.</summary>
    NotJudged,
}

/// <summary>A limit that was exceeded.</summary>
/// <param name="Scenario">The name of the scenario, starting with the backend.</param>
/// <param name="Metric">
/// The name of the metric, for instance <c>throughput</c>; <c>verification</c> where the scenario is missing or failed.
/// </param>
/// <param name="Before">The figure of the base; null for an objective and for a verification.</param>
/// <param name="After">The figure of the candidate; null for a verification.</param>
/// <param name="Limit">The bound that <paramref name="After"/> exceeded; null for a verification.</param>
/// <param name="Sentence">Metric, before, after, limit and evidence, in words.</param>
internal sealed record GateBreach(string Scenario, string Metric, double? Before, double? After, double? Limit, string Sentence);
