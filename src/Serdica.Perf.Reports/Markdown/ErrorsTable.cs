namespace Serdica.Perf.Reports.Markdown;

/// <summary>Failed operations by class and code, each with one message.</summary>
internal static class ErrorsTable
{
    /// <param name="column">The heading of the first column.</param>
    public static void Write(TextWriter writer, string column, IEnumerable<(string Name, IReadOnlyList<OperationError> Errors)> measured)
    {
        var table = new MarkdownTable(
            textColumns: 5,
            column,
            "Operation",
            "Class",
            "Code",
            "Error",
            "Count",
            "First after s",
            "First message"
        )
        {
            EndsWithText = true,
        };
        foreach (var (name, errors) in measured)
        {
            foreach (var error in errors)
                table.Row(
                    name,
                    error.Operation,
                    ErrorWords.Of(error.Class) + (error.IsRefusal ? " (backpressure)" : ""),
                    error.Code ?? Figure.None,
                    error.Kind,
                    Figure.Of(error.Count),
                    Figure.Of(error.FirstAtSeconds),
                    error.FirstMessage
                );
        }

        writer.Section(
            "Errors by class",
            "Investigate the first error first: later ones are often its consequences. The code is the server's own: SQLSTATE of "
                + "PostgreSQL, number of MongoDB, or ORA-number.",
            table
        );
    }
}
