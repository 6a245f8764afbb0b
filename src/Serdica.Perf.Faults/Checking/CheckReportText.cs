namespace Serdica.Perf.Faults.Checking;

/// <summary>The report for a terminal of 80 columns; the lines of witnesses are as long as they are.</summary>
internal static class CheckReportText
{
    /// <summary>Writes the verdict of each invariant, and the witnesses of those that are violated.</summary>
    /// <param name="required">The invariants that the run is meant to prove; those of the run itself when not given.</param>
    public static void Write(TextWriter output, CheckReport report, IReadOnlyCollection<int>? required = null)
    {
        foreach (var finding in report.Invariants)
        {
            var note = finding.IsUnneeded(required ?? report.Required) ? ", not required" : "";
            var verdict = $"{finding.Number,2}  {finding.Name,-24} {finding.Verdict.Word(),-8}";
            output.WriteLine(Invariant($"{verdict} {finding.Judged,14:N0} judged{note}"));
        }

        output.WriteLine();
        foreach (var note in report.Invariants.Select(finding => finding.Note).OfType<string>())
            output.WriteLine(note);
        foreach (var finding in report.Violated)
            WriteViolations(output, finding);
        foreach (var process in report.Torn)
            output.WriteLine($"The last line of '{process}' is incomplete, as after a kill, and was ignored.");
        if (!report.HasFinalState)
            output.WriteLine("The history has no census: the run did not read the database at its end, so nothing is proven.");
        output.WriteLine(
            Invariant($"{report.Operations:N0} operations in {report.Lines:N0} lines; {report.WithoutAnswer:N0} without an answer.")
        );
        if (report.UnknownOutcomes > 0)
            output.WriteLine(Invariant($"Calls and commits with an unknown outcome: {report.UnknownOutcomes:N0}."));
        output.WriteLine(Sentence(report, required));
    }

    private static void WriteViolations(TextWriter output, InvariantFinding finding)
    {
        output.WriteLine(Invariant($"{finding.Name}: {finding.Promise} Violations: {finding.Violations:N0}."));
        foreach (var witness in finding.Witnesses)
        {
            output.WriteLine($"  {witness.Sentence}");
            foreach (var line in witness.Lines)
                output.WriteLine($"    {line}");
        }

        output.WriteLine();
    }

    private static string Sentence(CheckReport report, IReadOnlyCollection<int>? required) =>
        report.Verdict(required) switch
        {
            InvariantVerdict.Violated => "VIOLATED.",
            InvariantVerdict.Held => "PROVEN.",
            _ => $"UNPROVEN: nothing wrong was found, but the run does not show all that it has to;{Environment.NewLine}"
                + "see the invariants above that are required and not 'held'.",
        };
}
