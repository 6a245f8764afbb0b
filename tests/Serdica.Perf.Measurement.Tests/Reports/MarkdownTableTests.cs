namespace Serdica.Perf.Measurement.Tests.Reports;

public sealed class MarkdownTableTests
{
    [Fact]
    public void Text_stands_on_the_left_figures_on_the_right_and_a_column_without_a_figure_is_left_out()
    {
        var table = new MarkdownTable(1, "Scenario", "Operations", "Errors", "P99 ms");
        table.Row("signal-roundtrip|wave", "20,000", Figure.None, "1.5");
        table.Row("burst", "5", Figure.None, "12.25");

        Assert.Equal(
            """
            | Scenario               | Operations | P99 ms |
            | ---------------------- | ---------: | -----: |
            | signal-roundtrip\|wave |     20,000 |    1.5 |
            | burst                  |          5 |  12.25 |

            """.ReplaceLineEndings("\n"),
            Written(table)
        );
    }

    [Fact]
    public void Last_column_can_be_text_and_no_column_is_narrower_than_its_rule()
    {
        var table = new MarkdownTable(0, "N", "W") { EndsWithText = true };
        table.Row("1", "a\nb");

        Assert.Equal("|    N | W    |\n| ---: | ---- |\n|    1 | a b  |\n", Written(table));
    }

    private static string Written(MarkdownTable table)
    {
        using var text = new StringWriter();
        table.Write(text);
        return text.ToString();
    }
}
