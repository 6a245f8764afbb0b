namespace Serdica.Perf.Faults.Checking.Grouping;

/// <summary>One line of a history in the hands of the checker.</summary>
/// <param name="process">The process that wrote it.</param>
/// <param name="number">Of the line in its file.</param>
/// <param name="record">What it says.</param>
/// <param name="text">The line as it stands in the file.</param>
internal sealed class CheckedLine(string process, long number, HistoryRecord record, ReadOnlyMemory<byte> text)
{
    public string Process { get; } = process;

    public HistoryRecord Record { get; } = record;

    /// <summary>For a witness: where it stands, and its text.</summary>
    public override string ToString() => $"{Process}:{number} {Encoding.UTF8.GetString(text.Span)}";
}
