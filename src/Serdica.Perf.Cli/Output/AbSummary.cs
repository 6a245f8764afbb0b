namespace Serdica.Perf.Cli.Output;

/// <summary>
/// A comparison in blocks on one screen: the verdict, the primary metrics in one table, the blocks, what else changed, and the
/// verdict or the outcome of the gate again as the last line.
/// </summary>
internal static class AbSummary
{
    /// <summary>
    /// What counts most first: a change, what might be one, and what was not judged. No difference is the outcome only if all are the
    /// same.
    /// </summary>
    private static readonly Verdict[] ByWeight =
    [
        Verdict.Regressed,
        Verdict.Improved,
        Verdict.Changed,
        Verdict.Unstable,
        Verdict.GeneratorLimited,
        Verdict.NotComparable,
        Verdict.NotMeasured,
        Verdict.Same,
    ];

    public static void Write(TextWriter writer, AbResult result)
    {
        var comparison = result.Comparison;
        var (primary, others) = (Metrics(comparison, isPrimary: true), Metrics(comparison, isPrimary: false));
        var outcome = Outcome(primary);
        writer.WriteLine($"{outcome}. Of {Figure.Number(primary.Length, "primary metric")}: {Counts(primary)}.");
        ComparisonSummary.WriteSides(writer, comparison);
        if (ComparisonText.OnlyCorrectness(comparison) is { } correctness)
            writer.WriteLine(correctness);
        WriteTable(writer, comparison.Scenarios.Count, primary);
        WriteBlocks(writer, result);
        WriteOthers(writer, others);
        ComparisonSummary.WriteTooFew(writer, comparison);
        ComparisonSummary.WriteReasons(writer, comparison);
        if (result.Gate is { } gate)
            ComparisonSummary.WriteGate(writer, gate);
        else
            writer.WriteLine($"{outcome}.");
    }

    /// <summary>The first entry of a scenario is its main metric, or says why the scenario was not measured.</summary>
    private static (string Scenario, MetricComparison Metric)[] Metrics(RunComparison comparison, bool isPrimary) =>
        [
            .. from scenario in comparison.Scenarios
            from entry in scenario.Metrics.Index()
            where (entry.Index == 0 || entry.Item.IsPrimary) == isPrimary
            select (scenario.Name, entry.Item),
        ];

    private static string Outcome((string Scenario, MetricComparison Metric)[] primary)
    {
        var heaviest = ByWeight.FirstOrDefault(verdict => primary.Any(found => found.Metric.Verdict == verdict), Verdict.NotMeasured);
        return Words(heaviest).ToUpperInvariant();
    }

    private static string Counts((string Scenario, MetricComparison Metric)[] metrics) =>
        string.Join(
            ", ",
            ByWeight
                .Select(verdict => (Verdict: verdict, Count: metrics.Count(found => found.Metric.Verdict == verdict)))
                .Where(group => group.Count > 0)
                .Select(group => $"{group.Count} {Words(group.Verdict)}")
        );

    private static string Words(Verdict verdict) =>
        verdict switch
        {
            Verdict.Regressed => "slower or more expensive",
            Verdict.Improved => "faster or cheaper",
            Verdict.Same => "no difference",
            _ => ComparisonText.Words(verdict),
        };

    /// <summary>The name of a single scenario stands above, so that the table fits a terminal.</summary>
    private static void WriteTable(TextWriter writer, int scenarios, (string Scenario, MetricComparison Metric)[] metrics)
    {
        var table = new Table().Border(TableBorder.Simple);
        if (scenarios == 1)
            writer.WriteLine(metrics[0].Scenario);
        else
            table.AddColumn("Scenario");
        table.AddColumn(new TableColumn("Metric").NoWrap());
        table.AddNumbers("Base", "Candidate", "Ratio", "99 % interval").AddColumn("Verdict");
        foreach (var (scenario, metric) in metrics)
        {
            string[] cells =
            [
                .. scenarios == 1 ? Array.Empty<string>() : [scenario],
                metric.Metric + (metric.Unit is null ? "" : $", {metric.Unit}"),
                ComparisonText.Value(metric.Before),
                ComparisonText.Value(metric.After),
                Ratio(metric.Ratio),
                metric is { Low: { } low, High: { } high } ? $"{Ratio(low)} to {Ratio(high)}" : Figure.None,
                ComparisonText.Words(metric),
            ];
            table.AddRow(cells.Select(Markup.Escape).ToArray());
        }

        Consoles.For(writer).Write(table);
    }

    /// <summary>The ratio of each block shows a drift, and a block that differs from the others.</summary>
    private static void WriteBlocks(TextWriter writer, AbResult result)
    {
        // Both are in the order in which the runs of the base measured them; figures are kept by the name without backend.
        foreach (var (scenario, bare) in result.Comparison.Scenarios.Zip(result.BareNames()))
        {
            var metric = scenario.Metrics[0].Metric;
            var ratios = result.Ratios(bare, metric).ToArray();
            if (ratios.All(ratio => ratio is null))
                continue;
            var name = result.Comparison.Scenarios.Count == 1 ? "" : $"{scenario.Name} ";
            writer.WriteLine($"{name}{metric} by block: {string.Join("  ", ratios.Select(Ratio))}");
        }
    }

    private static void WriteOthers(TextWriter writer, (string Scenario, MetricComparison Metric)[] others)
    {
        if (others.Length == 0)
            return;
        writer.WriteLine($"Other metrics, informative: {Counts(others)}.");
        ComparisonSummary.WriteLines(
            writer,
            [
                .. others
                    .Where(found => found.Metric.Verdict is Verdict.Regressed or Verdict.Improved or Verdict.Changed)
                    .OrderBy(found => Array.IndexOf(ByWeight, found.Metric.Verdict))
                    .Select(found => $"  {found.Scenario} {found.Metric.Metric}: {ComparisonText.Change(found.Metric)}"),
            ]
        );
    }

    private static string Ratio(double? ratio) => ratio?.ToString("0.000", CultureInfo.InvariantCulture) ?? Figure.None;
}
