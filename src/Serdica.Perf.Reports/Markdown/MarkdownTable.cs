namespace Serdica.Perf.Reports.Markdown;

/// <summary>
/// A Markdown table whose first columns are text and whose later ones are figures, set to the right. A column without a
/// single figure is left out; the cells are padded, so that the table can be read without being rendered.
/// </summary>
internal sealed class MarkdownTable(int textColumns, params string[] headers)
{
    private readonly List<string[]> _rows = [];

    public bool IsEmpty => _rows.Count == 0;

    /// <summary>Whether the last column is text, such as the name of a wait.</summary>
    public bool EndsWithText { get; init; }

    public void Row(params string[] cells)
    {
        if (cells.Length != headers.Length)
            throw new ArgumentException($"The table has {headers.Length} columns, the row {cells.Length}.", nameof(cells));
        _rows.Add([.. cells.Select(Escape)]);
    }

    public void Write(TextWriter writer)
    {
        var columns = Enumerable
            .Range(0, headers.Length)
            .Where(column => column < textColumns || _rows.Count == 0 || _rows.Any(row => row[column] != Figure.None))
            .Select(column =>
                (
                    Index: column,
                    IsText: IsText(column),
                    Width: _rows.Select(row => row[column].Length).Append(headers[column].Length).Append(4).Max()
                )
            )
            .ToArray();

        string Line(IReadOnlyList<string> cells) =>
            "| "
            + string.Join(
                " | ",
                columns.Select(column =>
                    column.IsText ? cells[column.Index].PadRight(column.Width) : cells[column.Index].PadLeft(column.Width)
                )
            )
            + " |\n";

        writer.Write(Line(headers));
        writer.Write(
            "| "
                + string.Join(
                    " | ",
                    columns.Select(column => column.IsText ? new string('-', column.Width) : new string('-', column.Width - 1) + ":")
                )
                + " |\n"
        );
        foreach (var row in _rows)
            writer.Write(Line(row));
    }

    private bool IsText(int column) => column < textColumns || (EndsWithText && column == headers.Length - 1);

    private static string Escape(string cell) => cell.ReplaceLineEndings(" ").Replace("|", "\\|", Ordinal);
}
