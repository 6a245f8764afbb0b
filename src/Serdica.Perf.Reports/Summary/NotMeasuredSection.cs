namespace Serdica.Perf.Reports.Summary;

internal static class NotMeasuredSection
{
    public static void Write(TextWriter writer, ReportView view) => Write(writer, view.Run.NotMeasured, int.MaxValue);

    public static void Write(TextWriter writer, IReadOnlyCollection<NotMeasured> all, int most)
    {
        if (all.Count == 0)
            return;

        writer.Heading("Not measured");
        foreach (var missing in all.Take(most))
            writer.Write($"- **{missing.Scenario ?? missing.Backend}**: {missing.Reason}\n");
    }
}
