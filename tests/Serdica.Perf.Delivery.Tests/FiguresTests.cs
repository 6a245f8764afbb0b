using Serdica.Perf.Analysis.Comparison;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>
/// The figures of the README and of docs/figures.md are those of the kept runs: the raw value, or the median of the raw values of
/// all repeats, rounded once.
/// </summary>
public sealed partial class FiguresTests : FolderTests
{
    private const string Readme = "README.md";
    private const string Figures = "docs/figures.md";

    /// <summary>Headlines are of steady load: a repeat that is shorter shows how a machine starts.</summary>
    private const double ShortestMs = 30_000;

    private static readonly string[] Counted = ["no", "one", "two", "three", "four", "five"];

    private static readonly Column[] Columns =
    [
        new("Round trips in each repeat", scenario => scenario.Counts.Completed, Each),
        new("Round trips/s", scenario => scenario.ThroughputPerSecond, Median),
        new("Throughput/s", scenario => scenario.ThroughputPerSecond, Median),
        new("Runs and their length", scenario => scenario.DurationMs / 1_000, Ends),
        new("Length", scenario => scenario.DurationMs / 1_000, Ends),
        new("Duration", scenario => scenario.DurationMs / 60_000, Each),
        new("p50", scenario => scenario.ResponseTime.P50Ms, Median),
        new("p99", scenario => scenario.ResponseTime.P99Ms, Median),
        new(
            "Highest p99 of a second",
            scenario => scenario.Timeline is { IntervalMs: 1_000 } seconds ? seconds.WorstP99Ms : null,
            (spread, _) => [spread.Max]
        ),
        new("Writing commits/op", scenario => scenario.CostPerOperation.GetValueOrDefault(MetricNames.WritingCommits)?.Value, Median),
        new("WAL bytes/op", scenario => scenario.CostPerOperation.GetValueOrDefault(MetricNames.WalBytes)?.Value, Median),
    ];

    [Theory]
    [InlineData(Readme, 3, 12)]
    [InlineData(Figures, 6, 44)]
    public async Task Each_figure_is_the_raw_one_rounded_once(string document, int rows, int figures)
    {
        var lines = File.ReadAllLines(Repository.PathOf(document));
        var (header, checkedRows, checkedCells, wrong) = (Array.Empty<string>(), 0, 0, new List<string>());
        foreach (var (line, before) in lines.Skip(1).Zip(lines))
        {
            if (line.StartsWith("|--"))
                header = ShownFigures.Cells(before);
            if (!line.StartsWith('|') || header.Length == 0 || await KeptAsync(document, line) is not { Length: > 0 } measured)
                continue;

            var cells = ShownFigures.Cells(line);
            foreach (var (column, cell) in header.Zip(cells).SelectMany(pair => Matching(pair.First, pair.Second)))
            {
                checkedCells++;
                if (column.Wrong(cell, measured) is { } raw)
                    wrong.Add($"{cells[0]}: {column.Header} is '{cell}', and the raw figures are {raw}");
            }

            if (Repeats().Match(line) is { Success: true } repeats && repeats.Value != Sentence(measured))
                wrong.Add($"{cells[0]}: the text is {repeats.Value}, and the kept run is {Sentence(measured)}");
            checkedRows++;
        }

        Assert.True(wrong.Count == 0, string.Join(Environment.NewLine, wrong));
        Assert.True(checkedRows >= rows, $"{checkedRows} rows of {document} cite a kept run with its raw figures.");
        Assert.True(checkedCells >= figures, $"{checkedCells} cells of {document} were compared with raw figures.");
    }

    [Theory]
    [InlineData(Readme)]
    [InlineData(Figures)]
    public async Task Headlines_are_of_repeats_of_30_s_and_longer(string document)
    {
        var measured = new List<ScenarioResult>();
        foreach (var line in File.ReadLines(Repository.PathOf(document)).Where(line => line.StartsWith('|')))
            measured.AddRange(await KeptAsync(document, line));

        EachItem.Holds(measured, scenario =>
            Assert.True(scenario.DurationMs >= ShortestMs, Invariant($"{scenario.Name} lasted {scenario.DurationMs / 1_000:0.0} s."))
        );
    }

    [Fact]
    public async Task The_readme_says_how_many_of_its_repeats_had_no_steady_state()
    {
        var folders = await Task.WhenAll(
            File.ReadLines(Repository.PathOf(Readme))
                .SelectMany(line => KeptRun.Cited(Readme, line, RunFolder.ReportFile))
                .Select(folder => GitHistory.KeptRunAsync(folder, Root.Path))
        );

        var without = folders.Sum(folder => BaselineReader.Read(folder).Warnings.Count(warning => warning.Code == "no-steady-state"));
        var all = folders.Sum(folder => KeptRun.Measured(folder).Count());

        Assert.Contains($"{without} of the {all} repeats", File.ReadAllText(Repository.PathOf(Readme)));
    }

    /// <summary>Otherwise a gate would show a cost that backends report and never judge it.</summary>
    [Fact]
    public async Task Each_cost_of_the_kept_runs_has_a_declared_direction()
    {
        var costs = new HashSet<string>();
        foreach (var line in File.ReadLines(Repository.PathOf(Figures)))
            costs.UnionWith((await KeptAsync(Figures, line)).SelectMany(scenario => scenario.CostPerOperation.Keys));

        // The processor time of the whole machine is kept and not compared.
        costs.Remove(MetricNames.MachineCpu);
        Assert.Contains(MetricNames.WalBytes, costs);
        EachItem.Holds(costs, cost => Assert.True(MetricDirections.IsKnown(ComparedMetric.CostPrefix + cost), cost));
    }

    [Fact]
    public async Task The_conditions_are_those_of_the_manifests()
    {
        // Runs with a limited disk or server, which other documents cite, are measured under other conditions.
        var cited = Folder().Matches(File.ReadAllText(Repository.PathOf(Figures))).Select(match => match.Groups[1].Value).Distinct();
        var kept = new List<string>();
        foreach (var run in cited.Select(Repository.PathOf))
            kept.Add(Manifests(run).Any() ? run : await GitHistory.KeptRunAsync(run, Root.Path));
        var environments = kept.SelectMany(Manifests).Select(file => JsonNode.Parse(File.ReadAllText(file))!["environment"]!).ToArray();
        var load = Spread.Of(environments.Select(environment => (double?)environment["loadAverageAtStart"]))!;
        var flush = Spread.Of(environments.Select(environment => (double?)environment["fsync"]?["latency"]?["averageMs"]))!;

        var document = File.ReadAllText(Repository.PathOf(Figures));

        Assert.Contains(Invariant($"The load average before a run was {load.Min:0.00} to {load.Max:0.00}"), document);
        Assert.Contains(Invariant($"takes {flush.Min:0.000} to {flush.Max:0.000} ms on average"), document);

        static IEnumerable<string> Manifests(string run) =>
            Directory.EnumerateFiles(run, RunFolder.ManifestFile, SearchOption.AllDirectories);
    }

    private static IEnumerable<(Column Column, string Cell)> Matching(string header, string cell) =>
        Columns.Where(column => header.StartsWith(column.Header)).Select(column => (column, cell));

    /// <summary>The measurements of all runs that a line cites; none when their raw figures are not kept.</summary>
    private async Task<ScenarioResult[]> KeptAsync(string document, string line)
    {
        var measured = new List<ScenarioResult>();
        foreach (var folder in KeptRun.Cited(document, line, RunFolder.ReportFile))
            measured.AddRange(KeptRun.Measured(await GitHistory.KeptRunAsync(folder, Root.Path)));
        return [.. measured];
    }

    private static string Sentence(ScenarioResult[] measured) =>
        Invariant($"[{Counted[measured.Length]} times {measured[0].Counts.Completed:N0}]");

    /// <summary>The median alone, or with the lowest and the highest repeat.</summary>
    private static double[] Median(Spread spread, int shown) => shown == 3 ? [spread.Median, spread.Min, spread.Max] : [spread.Median];

    /// <summary>The shortest and the longest repeat.</summary>
    private static double[] Ends(Spread spread, int shown) => [spread.Min, spread.Max];

    /// <summary>One figure that all repeats share.</summary>
    private static double[] Each(Spread spread, int shown) => spread.Min.Equals(spread.Max) ? [spread.Min] : [spread.Min, spread.Max];

    [GeneratedRegex(@"\(\.\./(TestResults/baselines/[^/)]+/[^/)]+)/")]
    private static partial Regex Folder();

    [GeneratedRegex(@"\[\w+ times [\d,]+\]")]
    private static partial Regex Repeats();

    /// <param name="Header">How the heading of the column begins.</param>
    /// <param name="Of">The raw figure of one repeat.</param>
    /// <param name="Shown">What a cell shows of all repeats; it knows how many numbers the cell has.</param>
    private sealed record Column(string Header, Func<ScenarioResult, double?> Of, Func<Spread, int, double[]> Shown)
    {
        /// <summary>The raw figures that a cell should show; null when it shows them. A figure that is there is not left out.</summary>
        public string? Wrong(string cell, IReadOnlyList<ScenarioResult> measured)
        {
            var (shown, spread) = (ShownFigures.Numbers(cell), Spread.Of(measured.Select(Of)));
            double[] expected = spread is null ? [] : Shown(spread, shown.Length);
            return ShownFigures.Are(shown, expected) ? null
                : spread is null ? "missing"
                : string.Join(", ", expected);
        }
    }
}
