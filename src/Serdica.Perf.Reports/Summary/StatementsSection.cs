namespace Serdica.Perf.Reports.Summary;

/// <summary>What cost the database most, by statement.</summary>
internal static class StatementsSection
{
    private const int Shown = 3;

    /// <summary>Characters of a statement; all of it is in the result.</summary>
    private const int Longest = 100;

    public static void Write(TextWriter writer, ReportView view)
    {
        var table = new MarkdownTable(
            textColumns: 1,
            "Scenario",
            "Statement",
            "Calls",
            "ms",
            "ms per call",
            "CPU ms",
            "Rows",
            "Logical reads",
            "Log bytes"
        );
        var texts = new List<string>();
        foreach (var scenario in view.Passed)
        {
            foreach (var (place, statement) in scenario.TopStatements.Take(Shown).Index())
            {
                var text = Beginning(statement.Text).Replace('`', '\'');
                if (!texts.Contains(text))
                    texts.Add(text);
                table.Row(
                    place == 0 ? view.Name(scenario) : "",
                    Figure.Of(texts.IndexOf(text) + 1L),
                    Figure.Of(statement.Calls),
                    Figure.Of(statement.Milliseconds),
                    Figure.Of(statement.Milliseconds / statement.Calls),
                    Figure.Of(statement.CpuMilliseconds),
                    Figure.Of(statement.Rows),
                    Figure.Of(statement.LogicalReads),
                    Figure.Of(statement.LogBytes)
                );
            }
        }

        writer.Section(
            "Costliest statements",
            $"The {Shown} statements of each scenario with the most time in the server. The time of a statement does not include its "
                + $"commit. The list below the table has their text.",
            table
        );
        foreach (var (index, text) in texts.Index())
            writer.Write($"{(index == 0 ? "\n" : "")}{Figure.Of(index + 1L)}. `{text}`\n");
        writer.Reasons("Statements", table, view.Passed, scenario => scenario.StatementsMissing);
    }

    private static string Beginning(string statement) => statement.Length <= Longest ? statement : statement[..(Longest - 1)] + "…";
}
