namespace Serdica.Perf.Reports.Summary;

internal static class HowToRepeatSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        writer.HowToRepeat(view.Run.Command);
    }
}
