namespace Serdica.Perf.Analysis.Gates;

/// <summary>The wording of a gate's outcome, shared by all its forms.</summary>
internal static class GateText
{
    /// <summary>More names than this are counted.</summary>
    private const int MostNames = 5;

    /// <summary>The outcome, and what was judged and what was not; without a full stop.</summary>
    public static string Outcome(GateResult gate)
    {
        return gate.Outcome switch
        {
            GateOutcome.Breached when gate.SpeedNotJudged.Count > 0 =>
                $"GATE BREACHED: {Exceeded(gate)}; {Counts(gate)}; {SpeedNotJudged(gate)}",
            GateOutcome.Breached => $"GATE BREACHED: {Exceeded(gate)}; {Counts(gate)}",
            GateOutcome.NotJudged when gate.NothingBecause is { } reason =>
                $"GATE NOT JUDGED: Nothing could be judged, because {reason.TrimEnd('.')}; {Counts(gate)}",
            GateOutcome.NotJudged when gate.SpeedNotJudged.Count > 0 =>
                $"GATE NOT JUDGED: No limit was exceeded, but {SpeedNotJudged(gate)}, because {gate.SpeedBecause?.TrimEnd('.')}; "
                    + Counts(gate),
            GateOutcome.NotJudged => $"GATE NOT JUDGED: No limit was exceeded, but {gate.Unfinished}; {Counts(gate)}",
            _ => $"GATE HELD: {Counts(gate)}",
        };
    }

    /// <summary>What a second run made of the breaches of the first one; without a full stop.</summary>
    /// <param name="first">The result of the first run by itself.</param>
    /// <param name="confirmed">The result after the second run.</param>
    /// <param name="second">The result of the second run by itself.</param>
    public static string Confirmation(GateResult first, GateResult confirmed, GateResult second)
    {
        var added = confirmed.Breaches.Count(breach => !first.Has(breach));
        return Confirmation(confirmed.Breaches.Count - added, confirmed.Breaches.Count(second.Has) - added)
            + (added == 0 ? "" : $"; it exceeded {Count(added, "limit")} that the first run could not judge");
    }

    private static string Confirmation(int left, int again) =>
        left == 0 ? "no breach was confirmed by a second run"
        : again == left ? $"{Breaches(again)} confirmed by a second run"
        : again == 0 && left == 1 ? "a second run could not judge the breach, so it stands"
        : again == 0 ? "a second run could not judge the breaches, so they stand"
        : $"of {left} breaches, {again} {(again == 1 ? "was" : "were")} confirmed by a second run, which could not judge the "
            + (left - again == 1 ? "other" : "others");

    private static string Breaches(int count) => count == 1 ? "the breach was" : "the breaches were";

    private static string Exceeded(GateResult gate) => $"{Count(gate.Breaches.Count, "limit")} exceeded";

    private static string SpeedNotJudged(GateResult gate)
    {
        var names = gate.SpeedNotJudged;
        var more = names.Count > MostNames ? $" and {names.Count - MostNames} more" : "";
        return $"the speed of {Count(names.Count, "scenario")} could not be judged ({string.Join(", ", names.Take(MostNames))}{more})";
    }

    private static string Counts(GateResult gate)
    {
        string[] parts =
        [
            .. gate.Zeros > 0 ? [$"{gate.Zeros} stayed 0"] : Array.Empty<string>(),
            .. gate.Widened > 0 ? [$"{gate.Widened} by a wider limit"] : Array.Empty<string>(),
        ];
        return $"{Count(gate.Judged, "figure")} judged{(parts.Length > 0 ? $" ({string.Join(", ", parts)})" : "")}, {gate.NotJudged} not"
            + (gate.Unmatched > 0 ? $"; {Count(gate.Unmatched, "limit")} matched nothing" : "");
    }

    private static string Count(int count, string noun) => count == 1 ? $"1 {noun}" : $"{count} {noun}s";
}
