namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>Whether an invariant holds.</summary>
internal enum InvariantVerdict
{
    /// <summary>It was judged, and nothing violates it.</summary>
    Held,

    /// <summary>Nothing in the history could have violated it, so nothing is shown.</summary>
    Unproven,

    Violated,
}

internal static class InvariantVerdicts
{
    /// <summary>The verdict on one invariant, as reports have it.</summary>
    public static string Word(this InvariantVerdict verdict) =>
        verdict switch
        {
            InvariantVerdict.Held => "held",
            InvariantVerdict.Violated => "VIOLATED",
            _ => "unproven",
        };
}

/// <summary>What became of one invariant.</summary>
/// <param name="Number">In the order of the documents.</param>
/// <param name="Judged">How often it could have been violated.</param>
/// <param name="Witnesses">The first violations.</param>
/// <param name="Note">What else was found, which is no violation.</param>
internal sealed record InvariantFinding(
    int Number,
    string Name,
    string Promise,
    long Judged,
    long Violations,
    IReadOnlyList<Witness> Witnesses,
    string? Note = null
)
{
    public InvariantVerdict Verdict =>
        Violations > 0 ? InvariantVerdict.Violated
        : Judged == 0 ? InvariantVerdict.Unproven
        : InvariantVerdict.Held;

    /// <summary>Whether nothing shows that it holds, and nothing has to.</summary>
    /// <param name="required">Numbers of the invariants that a run has to prove; null for all.</param>
    public bool IsUnneeded(IReadOnlyCollection<int>? required) =>
        Verdict == InvariantVerdict.Unproven && required?.Contains(Number) == false;
}

/// <summary>A violation, with what shows it.</summary>
/// <param name="Lines">Process, line number and text of the lines that show it.</param>
internal sealed record Witness(string Sentence, IReadOnlyList<string> Lines);
