namespace Serdica.Perf.Reports.Summary;

/// <summary>
/// A run as Markdown with every table, for <c>details.md</c> and for published baselines. Pure: the same
/// result gives the same text everywhere, with line feeds. A section that has nothing to say is left out.
/// </summary>
internal static class MarkdownReport
{
    /// <summary>In the order of reading: whether to trust it, what it says, why, and then the details.</summary>
    private static readonly Action<TextWriter, ReportView>[] Sections =
    [
        TitleSection.Write,
        WarningsSection.Write,
        RunMetadataSection.Write,
        ScenarioSummarySection.Write,
        LimitsSection.Write,
        PhasesSection.WriteSerial,
        PhasesSection.WriteThroughput,
        CapacitySection.Write,
        LadderSection.Write,
        TransportSection.Write,
        BusinessFlowSection.Write,
        ResilienceSection.Write,
        TimersSection.Write,
        SoakSection.Write,
        LongSoakSection.Write,
        DominantWaitsSection.Write,
        CostSection.Write,
        HostsSection.Write,
        WaitsSection.Write,
        StatementsSection.Write,
        CollectorsSection.Write,
        HarnessSection.Write,
        ReferenceSection.Write,
        ConstantsSection.Write,
        RepeatsSection.Write,
        PhasesSection.WriteOthers,
        SteadinessSection.Write,
        VerificationSection.Write,
        EnvironmentSection.Write,
        NotMeasuredSection.Write,
        HowToRepeatSection.Write,
    ];

    public static void Write(TextWriter writer, RunResult run)
    {
        var view = new ReportView(run);
        foreach (var write in Sections)
            write(writer, view);
    }
}
