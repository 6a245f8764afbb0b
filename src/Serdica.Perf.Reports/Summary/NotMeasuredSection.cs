namespace Serdica.Perf.Reports.Summary;

internal static class NotMeasuredSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        if (view.Run.NotMeasured.Count == 0)
            return;

        writer.Heading("Not measured");
        foreach (var missing in view.Run.NotMeasured)
            writer.Write($"- **{missing.Scenario ?? missing.Backend}**: {missing.Reason}\n");
    }
}
