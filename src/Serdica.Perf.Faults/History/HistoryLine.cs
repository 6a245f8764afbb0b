namespace Serdica.Perf.Faults.History;

/// <summary>One line of a history, with its place.</summary>
/// <param name="Number">Of the line in its file, from 1.</param>
/// <param name="Text">The line as it stands in the file, UTF-8 without its end; valid until the next line is read.</param>
internal sealed record HistoryLine(string Process, long Number, HistoryRecord Record, ReadOnlyMemory<byte> Text)
{
    /// <summary>For people: where it stands, and its text.</summary>
    public override string ToString() => $"{Process}:{Number} {Encoding.UTF8.GetString(Text.Span)}";
}
