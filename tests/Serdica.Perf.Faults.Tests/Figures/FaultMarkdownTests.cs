using System.Globalization;
using Serdica.Perf.Faults.Figures;

namespace Serdica.Perf.Faults.Tests.Figures;

public sealed class FaultMarkdownTests
{
    [Fact]
    public void Each_row_of_the_table_has_all_columns()
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture);

        FaultMarkdown.WriteTable(text, [ThresholdFindingTests.Kill, ThresholdFindingTests.Kill with { Backlog = 2, DrainedAfter = 300 }]);

        var rows = text.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);
        Assert.Equal(4, rows.Length);
        Assert.Single(rows.Select(row => row.Split('|').Length).Distinct());
        Assert.Contains("| 2, 300 |", rows[3], StringComparison.Ordinal);
    }
}
