namespace Serdica.Perf.Faults.Figures;

/// <summary>The result for people: <c>faults.md</c>.</summary>
internal static class FaultMarkdown
{
    public const string FileName = "faults.md";

    /// <summary>The headings of <see cref="Cells"/>.</summary>
    public static IReadOnlyList<string> Columns { get; } =
    [
        "Fault",
        "Target",
        "Evidence",
        "At s",
        "Lasted s",
        "Round trips/s before",
        "Kept %",
        "Detected after ms",
        "95 % again after ms",
        "Failed calls",
        "p99 ms before / during / after",
        "Backlog / drained after ms",
        "Longest pause ms",
        "Repeated activities / last after ms",
    ];

    /// <summary>The server, the hosts, and how much was done, as a sentence.</summary>
    public static string Summary(FaultResult result) =>
        Invariant($"{result.Database}, {result.Plan.Hosts} hosts{Engine(result.Plan)}, {result.Operations:N0} calls of clients, ")
        + Invariant($"{result.DirectSignals:N0} signals decided directly, {result.Lines:N0} lines of history.");

    private static string Engine(FaultPlan plan) =>
        plan.Engine.Count == 0 ? "" : $" with {string.Join(", ", plan.Engine.Select(setting => $"{setting.Key}={setting.Value}"))}";

    /// <summary>The figures of one fault, one for each column.</summary>
    public static IReadOnlyList<string> Cells(FaultFigures fault) =>
        [
            FaultTraits.Name(fault.Kind),
            fault.Target,
            fault.Evidence,
            Number(fault.At, 1),
            Number(fault.Lasted, 1),
            Number(fault.RateBefore, 0),
            Number(fault.RateKept * 100, 0),
            Number(fault.DetectedAfter, 0),
            Number(fault.RecoveredAfter, 0),
            Number(fault.FailedCalls, 0),
            $"{Number(fault.P99Before, 0)} / {Number(fault.P99During, 0)} / {Number(fault.P99After, 0)}",
            fault.Backlog is > 0 ? $"{fault.Backlog} / {Number(fault.DrainedAfter, 0)}" : Number(fault.Backlog, 0),
            Number(fault.LongestPause, 0),
            fault.RepeatedActivities == 0 ? "0" : $"{fault.RepeatedActivities} / {Number(fault.LastRepeatAfter, 0)}",
        ];

    /// <summary>Writes the verdict, the figures of each fault, and the invariants.</summary>
    public static void Write(TextWriter output, FaultResult result)
    {
        output.WriteLine($"# {Verdict(result.Verdict)}: {result.Plan.Name} on {result.Plan.Backend}");
        output.WriteLine();
        output.WriteLine($"{Summary(result)} Repeat it with `{result.Plan.Command}`.");
        output.WriteLine();
        WriteTable(output, result.Faults);
        output.WriteLine();
        WriteThresholds(output, result.Thresholds);
        output.WriteLine("| # | Invariant | Verdict | Judged | Violations |");
        output.WriteLine("|---:|---|---|---:|---:|");
        foreach (var finding in result.Invariants)
            output.WriteLine(
                Invariant(
                    $"| {finding.Number} | {finding.Name} | {Word(result, finding)} | {finding.Judged:N0} | {finding.Violations:N0} |"
                )
            );
        foreach (var witness in result.Invariants.SelectMany(finding => finding.Witnesses))
        {
            output.WriteLine();
            output.WriteLine(witness.Sentence);
            output.WriteLine();
            foreach (var line in witness.Lines)
                output.WriteLine($"    {line}");
        }
    }

    /// <summary>Writes the figures of each fault as a table.</summary>
    public static void WriteTable(TextWriter output, IReadOnlyList<FaultFigures> faults)
    {
        output.WriteLine($"| {string.Join(" | ", Columns)} |");
        output.WriteLine("|---|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
        foreach (var fault in faults)
            output.WriteLine($"| {string.Join(" | ", Cells(fault))} |");
    }

    /// <summary>Writes a sentence for each threshold and fault; nothing without thresholds.</summary>
    public static void WriteThresholds(TextWriter output, IReadOnlyList<ThresholdFinding> findings)
    {
        if (findings.Count == 0)
            return;
        foreach (var finding in findings)
            output.WriteLine($"- {finding.Sentence}");
        output.WriteLine();
    }

    /// <summary>The verdict on one invariant.</summary>
    public static string Word(FaultResult result, InvariantFinding finding) =>
        finding.Verdict.Word() + (finding.IsUnneeded(result.Plan.Required) ? ", not required" : "");

    /// <summary>The verdict in one word.</summary>
    public static string Verdict(InvariantVerdict verdict) =>
        verdict switch
        {
            InvariantVerdict.Held => "PROVEN",
            InvariantVerdict.Violated => "VIOLATED",
            _ => "UNPROVEN",
        };

    private static string Number(double? value, int digits) =>
        value?.ToString(digits == 0 ? "N0" : "N1", CultureInfo.InvariantCulture) ?? "-";
}
