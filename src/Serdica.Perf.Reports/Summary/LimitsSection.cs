namespace Serdica.Perf.Reports.Summary;

/// <summary>Why it is not faster, as far as the evidence goes.</summary>
internal static class LimitsSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var findings = LimitAnalysis.Of(view.Run);
        if (findings.Count == 0)
            return;

        writer.Heading("What limits it");
        foreach (var backend in findings.GroupBy(finding => finding.Scenario.Backend))
        {
            var finding = LimitAnalysis.Strongest(backend)!;
            writer.Write(
                $"- **{backend.Key}: {LimitFinding.Sentence(finding.Limit)}.** {finding.Evidence} ({view.Name(finding.Scenario)})\n"
            );
        }

        var table = new MarkdownTable(
            textColumns: 2,
            "Scenario",
            "Limit",
            "Cores busy",
            "Engine and generator",
            "Database",
            "Others",
            "Active sessions",
            "Largest share",
            "Samples",
            "Spent on"
        )
        {
            EndsWithText = true,
        };
        foreach (var finding in findings.Where(finding => finding.Processors is not null || finding.Waits is not null))
        {
            table.Row(
                view.Name(finding.Scenario),
                LimitFinding.Words(finding.Limit),
                Figure.Of(finding.Processors?.Machine),
                Figure.Of(finding.Processors?.Engine),
                Figure.Of(finding.Processors?.Database),
                Figure.Of(finding.Processors?.Others),
                Figure.Of(finding.Waits?.ActiveSessions),
                Figure.Share(finding.Waits?.LargestShare),
                Figure.Count(finding.Waits?.Count),
                finding.Waits is { } waits ? WaitCategories.Words(waits.Largest) : Figure.None
            );
        }

        if (table.IsEmpty)
            return;

        writer.Write(
            "\nCores are averages over window and drain, and samples are those of all repeats. Sessions are those of the engine in the "
                + "database. Serial and delayed scenarios, which do not load the database, and smoke tests, which have too few operations, "
                + "are not judged.\n\n"
        );
        table.Write(writer);
    }
}
