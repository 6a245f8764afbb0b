namespace Serdica.Perf.Faults.Checking.Grouping;

/// <summary>The lines of one instance, or of one start key, in the order of files and lines.</summary>
internal abstract class LineGroup(IReadOnlyList<HistoryLine> lines)
{
    private readonly Dictionary<(string Process, long Operation), HistoryLine> _answers = Answers(lines);

    public IReadOnlyList<HistoryLine> Lines => lines;

    protected IEnumerable<HistoryLine> Of(HistoryKind kind) => lines.Where(line => line.Record.Kind == kind);

    protected List<Operation> Operations(HistoryKind kind) =>
        [.. Of(kind).Select(line => new Operation(line, _answers.GetValueOrDefault((line.Process, line.Record.Operation))))];

    private static Dictionary<(string Process, long Operation), HistoryLine> Answers(IReadOnlyList<HistoryLine> lines)
    {
        var answers = new Dictionary<(string Process, long Operation), HistoryLine>();
        foreach (var line in lines)
        {
            if (line.Record.Kind is HistoryKind.Ack or HistoryKind.Refused or HistoryKind.Unknown)
                answers[(line.Process, line.Record.Operation)] = line;
        }

        return answers;
    }
}
