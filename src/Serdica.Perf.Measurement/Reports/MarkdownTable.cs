namespace Serdica.Perf.Measurement.Reports;

/// <summary>A Markdown table whose first columns are text and whose later ones are figures, set to the right.</summary>
internal sealed class MarkdownTable(int textColumns, params string[] headers)
{
    private readonly List<string> _rows = [];

    public bool IsEmpty => _rows.Count == 0;

    public void Row(params string[] cells)
    {
        if (cells.Length != headers.Length)
            throw new ArgumentException($"The table has {headers.Length} columns, the row {cells.Length}.", nameof(cells));
        _rows.Add(Line(cells.Select(Escape)));
    }

    public void Write(TextWriter writer)
    {
        writer.Write(Line(headers) + "\n");
        writer.Write(Line(headers.Select((_, column) => column < textColumns ? "---" : "---:")) + "\n");
        foreach (var row in _rows)
            writer.Write(row + "\n");
    }

    private static string Line(IEnumerable<string> cells) => "| " + string.Join(" | ", cells) + " |";

    private static string Escape(string cell) => cell.ReplaceLineEndings(" ").Replace("|", "\\|", StringComparison.Ordinal);
}
