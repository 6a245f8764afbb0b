namespace Serdica.Perf.Faults.Checking;

/// <summary>What the checker found.</summary>
/// <param name="WithoutAnswer">Calls and turns that have no answer in the history: their processes ended before.</param>
/// <param name="UnknownOutcomes">Calls, and commits of hosts, that failed and left open whether they were written.</param>
/// <param name="Torn">Processes whose last line was torn, as a kill leaves it.</param>
/// <param name="HasFinalState">Whether the history ends with a census; without it nothing is proven.</param>
/// <param name="Invariants">Each with its verdict, in the order of the documents.</param>
/// <param name="Required">Numbers of the invariants that the run had to prove; all sixteen when it does not say.</param>
internal sealed record CheckReport(
    long Lines,
    long Operations,
    long WithoutAnswer,
    long UnknownOutcomes,
    IReadOnlyList<string> Torn,
    bool HasFinalState,
    IReadOnlyList<InvariantFinding> Invariants,
    IReadOnlyList<int>? Required = null
)
{
    public IEnumerable<InvariantFinding> Violated => Invariants.Where(finding => finding.Verdict == InvariantVerdict.Violated);

    /// <summary>The verdict on the run. A fault that did not strike, or a run in which nothing succeeded, proves nothing.</summary>
    /// <param name="required">
    /// Numbers of the invariants that the run is meant to prove; its own when not given. A violation of any other counts too.
    /// </param>
    public InvariantVerdict Verdict(IReadOnlyCollection<int>? required = null)
    {
        if (Violated.Any(finding => finding.Number != NonVacuity.Place))
            return InvariantVerdict.Violated;
        return
            HasFinalState
            && Invariants.All(finding => finding.Verdict == InvariantVerdict.Held || finding.IsUnneeded(required ?? Required))
            ? InvariantVerdict.Held
            : InvariantVerdict.Unproven;
    }
}
