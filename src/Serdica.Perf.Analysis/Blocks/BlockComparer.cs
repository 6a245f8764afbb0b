using Serdica.Perf.Analysis.Comparison;
using Serdica.Perf.Analysis.Limits;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Analysis.Blocks;

/// <summary>
/// Compares two sides that were measured in turn. Pure. The samples are the ratios of the blocks, so that what the machine
/// does from one block to the next falls on both sides and out of the comparison.
/// </summary>
public static class BlockComparer
{
    /// <summary>With fewer, no difference can be told from chance.</summary>
    public const int FewestBlocks = 4;

    /// <summary>With fewer, blocks of one sign could be chance. A drift within a block makes half blocks the weaker test.</summary>
    private const int FewestForBlocks = 8;

    /// <summary>Of the interval and the test, in one sentence for people.</summary>
    public const string Method =
        "Per metric, the geometric mean of the blocks' ratios (candidate over base); its 99 % interval is the studentized bootstrap over blocks " +
        "(Efron and Tibshirani 1993, section 12.5), its p the sign-flip randomization test of the blocks, of half blocks where there are fewer than eight (Fisher 1935, section 21), " +
        "its noise floor Student's t on the spread of the blocks.";

    /// <param name="baseName">How the base is called.</param>
    /// <param name="candidateName">How the candidate is called.</param>
    /// <param name="blocks">As they were measured.</param>
    /// <param name="settings">What a change must pass to count.</param>
    public static RunComparison Compare(string baseName, string candidateName, IReadOnlyList<AbBlock> blocks, ComparisonSettings settings)
    {
        ArgumentNullException.ThrowIfNull(blocks);
        ArgumentNullException.ThrowIfNull(settings);
        var (before, after) = (Runs(blocks, AbSide.Base), Runs(blocks, AbSide.Candidate));
        var scenarios = before[0].Scenarios.Select(result => result.Scenario).Distinct();
        return new()
        {
            Base = baseName,
            Candidate = candidateName,
            AllowUnlike = true,
            Unlike = Likeness.Differences(before[0], after[0]),
            Scenarios = [.. scenarios.Select(scenario => Compare(scenario, blocks, before, after, settings))],
        };
    }

    /// <summary>Every run of one side, in their order.</summary>
    public static IReadOnlyList<RunResult> Runs(IReadOnlyList<AbBlock> blocks, AbSide side)
    {
        ArgumentNullException.ThrowIfNull(blocks);
        return [.. blocks.SelectMany(block => block.Runs).Where(run => run.Side == side).Select(run => run.Result)];
    }

    private static ScenarioComparison Compare(
        string scenario, IReadOnlyList<AbBlock> blocks, IReadOnlyList<RunResult> before, IReadOnlyList<RunResult> after, ComparisonSettings settings)
    {
        var (left, right) = (Results(before, scenario), Results(after, scenario));
        var isOneBackend = left[0].Name == right[0].Name;
        var database = Likeness.Differences(before[0].Databases.FirstOrDefault(), after[0].Databases.FirstOrDefault());
        var limited = GeneratorLimit.Of(left, "base") ?? GeneratorLimit.Of(right, "candidate");
        return new()
        {
            Name = isOneBackend ? left[0].Name : scenario,
            Unlike = [.. isOneBackend ? database : [], .. Likeness.DefinitionDifferences(left[0], right[0])],
            Varied = [.. isOneBackend ? [] : database, .. Likeness.ParameterDifferences(left[0], right[0])],
            Metrics =
            [
                .. ComparedMetric.Of([.. left, .. right])
                    .Select(metric => (metric.IsTiming, Compared: Compare(metric, scenario, blocks, left, right, settings)))
                    .Select(pair => limited is not null && pair.IsTiming ? RunComparer.Withdraw(pair.Compared, Verdict.GeneratorLimited, limited) : pair.Compared),
            ],
        };
    }

    private static MetricComparison Compare(
        ComparedMetric metric, string scenario, IReadOnlyList<AbBlock> blocks, ScenarioResult[] before, ScenarioResult[] after, ComparisonSettings settings)
    {
        var compared = MetricComparer.Begin(metric, before, after, settings);
        if (compared.Reason.Length > 0)
            return compared;
        if (compared.BeforeCount < before.Length || compared.AfterCount < after.Length)
            return compared with { Reason = $"Not every run has {metric.Name}." };

        var halves = blocks
            .SelectMany(block => block.Runs.Chunk(2))
            .Select(half => half.Sum(run => Logarithm(metric, run, scenario) * (run.Side == AbSide.Candidate ? 1 : -1)))
            .ToArray();
        double[] ratios = [.. halves.Chunk(2).Select(block => block.Average())];
        var estimate = BlockEstimate.Of(ratios);
        var floor = Math.Max(estimate.NoiseFloor, settings.NoiseFloorOf(before[0].Name, metric.Name));
        compared = compared with
        {
            Ratio = estimate.Ratio,
            PValue = SignFlipTest.PValue(ratios.Length < FewestForBlocks ? halves : ratios),
            NoiseFloor = double.IsFinite(floor) ? floor : null,
        };

        // Few blocks, all but one alike, may have no end to their interval: it holds 1, and the verdict is unstable.
        if (double.IsFinite(estimate.High))
            compared = compared with { Low = estimate.Low, High = estimate.High };
        return MetricComparer.TooFewOperations(metric, before, after) is { } reason
            ? compared with { Verdict = Verdict.Unstable, Reason = reason }
            : MetricComparer.Judge(compared, estimate, floor);
    }

    private static double Logarithm(ComparedMetric metric, AbRun run, string scenario) =>
        Math.Log(metric.Read(run.Result.Scenarios.First(result => result.Scenario == scenario))!.Value);

    private static ScenarioResult[] Results(IReadOnlyList<RunResult> runs, string scenario) =>
        [.. runs.SelectMany(run => run.Scenarios).Where(result => result.Scenario == scenario)];
}
