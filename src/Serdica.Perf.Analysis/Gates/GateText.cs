namespace Serdica.Perf.Analysis.Gates;

/// <summary>The wording of a gate's outcome, shared by all its forms.</summary>
internal static class GateText
{
    /// <summary>The outcome, and what was judged and what was not; without a full stop.</summary>
    public static string Outcome(GateResult gate)
    {
        ArgumentNullException.ThrowIfNull(gate);
        return gate.Outcome switch
        {
            GateOutcome.Breached => $"GATE BREACHED: {Count(gate.Breaches.Count, "limit")} exceeded; {Counts(gate)}",
            GateOutcome.NotJudged =>
                $"GATE NOT JUDGED: Nothing could be judged, because {gate.NothingBecause!.TrimEnd('.')}; {Counts(gate)}",
            _ => $"GATE HELD: {Counts(gate)}",
        };
    }

    private static string Counts(GateResult gate) =>
        $"{Count(gate.Judged, "figure")} judged{(gate.Zeros > 0 ? $" ({gate.Zeros} stayed 0)" : "")}, {gate.NotJudged} not"
        + (gate.Unmatched > 0 ? $"; {Count(gate.Unmatched, "limit")} matched nothing" : "");

    private static string Count(int count, string noun) => count == 1 ? $"1 {noun}" : $"{count} {noun}s";
}
