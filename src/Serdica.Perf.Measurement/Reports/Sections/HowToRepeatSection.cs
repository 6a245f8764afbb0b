namespace Serdica.Perf.Measurement.Reports.Sections;

internal static class HowToRepeatSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        writer.Heading("How to repeat");
        writer.Write($"```\n{view.Run.Command}\n```\n");
    }
}
