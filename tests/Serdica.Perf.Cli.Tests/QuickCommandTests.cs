namespace Serdica.Perf.Cli.Tests;

public sealed partial class QuickCommandTests : CliTests
{
    [Fact]
    public async Task It_ends_with_a_table_the_limit_and_the_comparison_and_fits_80_columns()
    {
        var exitCode = await Cli.RunAsync("quick", "--duration", "500ms", "--output", Cli.Folder);
        Cli.SkipWithoutPostgreSql(exitCode);

        Assert.Equal(ExitCodes.Success, exitCode);
        var rows = Cli.Output.Split('\n').Where(line => line.StartsWith("| ")).ToArray();
        Assert.Equal(5, rows.Length);
        EachItem.Holds(rows, row => Assert.InRange(row.TrimEnd().Length, 40, 80));
        Assert.Equal(["1", "16", "64"], rows[2..].Select(row => row.Split('|')[1].Trim()));
        Assert.Matches("^What limits it: with [0-9]+ callers?, .+", Line("What limits it: "));

        // On a slow machine there may be too few operations for a throughput in this time.
        var shown = rows[2..].Select(row => row.Split('|')).Where(cells => cells[4].Trim() != "-").Select(cells => cells[1].Trim());
        var ratios = string.Join(", ", shown.Select(callers => $"[0-9.]+ times with {callers}"));
        Assert.Matches(
            ratios is "" ? "^Compared: no step had enough operations " : $"^Compared with the published figures: {ratios} callers\\.",
            Line("Compared")
        );
        Assert.Contains("Shortened: ", Cli.Output);
        Assert.Contains($"Report: ", Cli.Output);
        Assert.True(File.Exists(Cli.PathOf(RunFolder.PageFile)));
    }

    [Fact]
    public async Task Without_published_figures_of_the_backend_it_says_so()
    {
        var exitCode = await Cli.RunAsync("quick", "--backend", "in-memory", "-d", "200ms", "--output", Cli.Folder);

        Assert.Equal(ExitCodes.Success, exitCode);
        Assert.Equal("Compared: there are no published figures of in-memory with these numbers of callers.", Line("Compared").TrimEnd());
    }

    [Fact]
    public async Task A_backend_that_is_not_there_is_not_measured()
    {
        Cli.Variables["SERDICA_PERF_POSTGRESQL_SOURCE"] = "external";
        Assert.Equal(ExitCodes.BackendUnavailable, await Cli.RunAsync("quick", "--output", Cli.Folder));
        Assert.Contains("Not measured: postgresql: ", Cli.Output);
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

    private string Line(string start) => Assert.Single(Lines().Split(Cli.Output), line => line.StartsWith(start));

    [GeneratedRegex("\r?\n")]
    private static partial Regex Lines();
}
