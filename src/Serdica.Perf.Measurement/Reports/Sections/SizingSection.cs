using Serdica.Perf.Measurement.Analysis;
using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Reports.Sections;

/// <summary>A first idea of how many callers are comfortable, with its caveats.</summary>
internal static class SizingSection
{
    public static void Write(TextWriter writer, ReportView view)
    {
        var notes = CapacitySection.Rungs(view.Passed).GroupBy(rung => rung.Backend).Select(SizingNote.Of).OfType<SizingNote>().ToArray();
        if (notes.Length == 0)
            return;

        writer.Heading("First sizing note");
        foreach (var note in notes)
            writer.Write($"- **{note.Backend}**: {Sentence(note)}\n");
        writer.Write("\nPressure begins at the first rung whose P95 has grown by more than its throughput has. A first idea and no promise: rungs are short waves, with the load generator beside engine and database.\n");
    }

    private static string Sentence(SizingNote note)
    {
        var comfortable = $"c{note.LastComfortable.Parameters.Concurrency} ({Figure.Of(note.LastComfortable.ThroughputPerSecond)}/s, P95 {Figure.Of(note.LastComfortable.ServiceTime.P95Ms)} ms)";
        return note.FirstUnderPressure is { } pressure
            ? $"the last comfortable rung is {comfortable}, the first under pressure c{pressure.Parameters.Concurrency} ({Figure.Of(pressure.ThroughputPerSecond)}/s, P95 {Figure.Of(pressure.ServiceTime.P95Ms)} ms), where the first sign of saturation is {Sign(pressure)}."
            : $"no rung is under pressure up to {comfortable}; the ladder is too short to find the limit.";
    }

    private static string Sign(ScenarioResult rung) =>
        ScenarioCells.TopWait(rung) is var wait && wait != Figure.None ? $"`{wait}`" : "unknown, since the server told no waits";
}
