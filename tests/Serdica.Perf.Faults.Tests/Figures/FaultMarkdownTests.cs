namespace Serdica.Perf.Faults.Tests.Figures;

public sealed class FaultMarkdownTests
{
    [Fact]
    public void Each_row_of_the_table_has_all_columns()
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture);

        FaultMarkdown.WriteTable(text, [ThresholdFindingTests.Kill, ThresholdFindingTests.Kill with { Backlog = 2, DrainedAfter = 300 }]);

        var rows = text.ToString().Split('\n', RemoveEmptyEntries | TrimEntries);
        Assert.Equal(4, rows.Length);
        Assert.Single(rows.Select(row => row.Split('|').Length).Distinct());
        Assert.Contains("| 2 / 300 |", rows[3]);
    }

    [Fact]
    public void Terminal_of_80_columns_shows_each_fault_on_one_line()
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        var slow = ThresholdFindingTests.Kill with { Kind = FaultKind.ResetConnections, At = 86_399, RecoveredAfter = 59_999 };

        FaultText.Write(text, [ThresholdFindingTests.Kill, slow with { Target = "database", FailedCalls = 999_999 }]);

        var lines = text.ToString().Split('\n', TrimEntries);
        EachItem.Holds(lines, line => Assert.InRange(line.Length, 0, 80));
        Assert.Matches(@"^5\.0 s  killHost +host-1 +2\.0 s +90 % +1,200 ms +0$", lines[1]);
    }
}
