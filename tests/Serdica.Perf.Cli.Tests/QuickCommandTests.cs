namespace Serdica.Perf.Cli.Tests;

public sealed partial class QuickCommandTests
{
    [Fact]
    public async Task It_ends_with_a_table_the_limit_and_the_comparison_and_fits_80_columns()
    {
        using var cli = new Cli();

        var exitCode = await cli.RunAsync("quick", "--duration", "500ms", "--output", cli.Folder);
        cli.SkipWithoutPostgreSql(exitCode);

        Assert.Equal(ExitCodes.Success, exitCode);
        var rows = cli.Output.Split('\n').Where(line => line.StartsWith("| ")).ToArray();
        Assert.Equal(5, rows.Length);
        EachItem.Holds(rows, row => Assert.InRange(row.TrimEnd().Length, 40, 80));
        Assert.Equal(["1", "16", "64"], rows[2..].Select(row => row.Split('|')[1].Trim()));
        Assert.Matches("^What limits it: with [0-9]+ callers?, .+", Line(cli, "What limits it: "));

        // On a slow machine there may be too few operations for a throughput in this time.
        var shown = rows[2..].Select(row => row.Split('|')).Where(cells => cells[4].Trim() != "-").Select(cells => cells[1].Trim());
        var ratios = string.Join(", ", shown.Select(callers => $"[0-9.]+ times with {callers}"));
        Assert.Matches(
            ratios is "" ? "^Compared: no step had enough operations " : $"^Compared with the published figures: {ratios} callers\\.",
            Line(cli, "Compared")
        );
        Assert.Contains("Shortened: ", cli.Output);
        Assert.Contains($"Report: ", cli.Output);
        Assert.True(File.Exists(Path.Combine(cli.RunFolder, RunFolder.PageFile)));
    }

    [Fact]
    public async Task Without_published_figures_of_the_backend_it_says_so()
    {
        using var cli = new Cli();

        var exitCode = await cli.RunAsync("quick", "--backend", "in-memory", "-d", "200ms", "--output", cli.Folder);

        Assert.Equal(ExitCodes.Success, exitCode);
        Assert.Equal(
            "Compared: there are no published figures of in-memory with these numbers of callers.",
            Line(cli, "Compared").TrimEnd()
        );
    }

    [Fact]
    public async Task A_backend_that_is_not_there_is_not_measured()
    {
        using var cli = new Cli();

        cli.Variables["SERDICA_PERF_POSTGRESQL_SOURCE"] = "external";
        Assert.Equal(ExitCodes.BackendUnavailable, await cli.RunAsync("quick", "--output", cli.Folder));
        Assert.Contains("Not measured: postgresql: ", cli.Output);
    }

    /// <summary>The README's first table and the tool must not tell two stories.</summary>
    [Fact]
    public void The_published_figures_are_those_of_the_documents()
    {
        var published = PublishedFigure.All();
        var documents = File.ReadAllText(Path.Combine(RepositoryRoot.Folder, "docs", "figures.md"));

        Assert.Equal([1, 16, 64, 256], published.Where(figure => figure.Backend == "postgresql").Select(figure => figure.Callers).Order());
        EachItem.Holds(published, figure => Assert.Contains($" {figure.PerSecond:#,0} (", documents));
    }

    private static string Line(Cli cli, string start) => Assert.Single(Lines().Split(cli.Output), line => line.StartsWith(start));

    [GeneratedRegex("\r?\n")]
    private static partial Regex Lines();
}
