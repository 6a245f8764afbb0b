namespace Serdica.Perf.Analysis.Blocks;

/// <summary>
/// Compares two sides that were measured in turn. Pure. The samples are the ratios of the blocks, so that differences between
/// blocks affect both sides and cancel out.
/// </summary>
internal static class BlockComparer
{
    /// <summary>With fewer blocks, no difference is distinguishable from chance.</summary>
    public const int FewestBlocks = 4;

    /// <summary>How interval and tests are calculated, for people.</summary>
    public const string Method =
        "Per metric, the geometric mean of the blocks' ratios (candidate over base), with the 99 % interval and the p of Student's t on "
        + "their logarithms; "
        + "below eight blocks with the larger standard error of blocks and half blocks, and with degrees of freedom between those of "
        + "the two, the fewer the more blocks differ beyond their halves. "
        + "The p is corrected for the number of metrics (Holm 1979), and the sign-flip randomization test (Fisher 1935, section 21) must "
        + "have a p of 0.01 or less too. "
        + "The noise floor is what equal code differs by at most in 99 of 100 such comparisons.";

    /// <param name="settings">What a change must exceed to count.</param>
    /// <param name="chosen">How the servers differ because somebody asked for it; what else differs in them comes of that.</param>
    /// <param name="hasOptions">Whether the sides were given different options; else what their parameters differ in is unlike.</param>
    public static RunComparison Compare(
        string baseName,
        string candidateName,
        IReadOnlyList<AbBlock> blocks,
        ComparisonSettings settings,
        IReadOnlyList<string>? chosen = null,
        bool hasOptions = true
    )
    {
        var (before, after) = (Runs(blocks, AbSide.Base), Runs(blocks, AbSide.Candidate));
        var scenarios = before.SelectMany(run => run.Scenarios).Select(result => result.Scenario).Distinct();
        var drafts = scenarios.Select(scenario => Draft(scenario, blocks, before, after, settings, chosen ?? [], hasOptions)).ToArray();
        return new()
        {
            Base = baseName,
            Candidate = candidateName,
            AllowUnlike = true,
            Unlike = Likeness.Differences(before[0], after[0]),
            Scenarios = MetricFamilies.Judge(drafts),
            Correction = MetricFamilies.Sentence(drafts),
        };
    }

    /// <summary>All runs of one side, in order.</summary>
    public static IReadOnlyList<RunResult> Runs(IReadOnlyList<AbBlock> blocks, AbSide side) =>
        [.. blocks.SelectMany(block => block.Runs).Where(run => run.Side == side).Select(run => run.Result)];

    private static ScenarioDraft Draft(
        string scenario,
        IReadOnlyList<AbBlock> blocks,
        IReadOnlyList<RunResult> before,
        IReadOnlyList<RunResult> after,
        ComparisonSettings settings,
        IReadOnlyList<string> chosen,
        bool hasOptions
    )
    {
        var (left, right) = (Results(before, scenario), Results(after, scenario));
        var isOneBackend = right.Length == 0 ? IsOneBackend(left[0], after) : left[0].Name == right[0].Name;
        var name = isOneBackend ? left[0].Name : scenario;
        if (MissingScenario.Draft(name, (before, left), (after, right)) is { } missing)
            return missing;

        var database = Likeness.Differences(before[0].Databases.FirstOrDefault(), after[0].Databases.FirstOrDefault());
        var parameters = Likeness.ParameterDifferences(left[0], right[0]);
        var isMeant = !isOneBackend || chosen.Count > 0;
        var isAsked = !isOneBackend || hasOptions;
        var unfit = Likeness.Unfit(before[0], after[0]).FirstOrDefault();
        var limited = GeneratorLimit.Of(left, "base") ?? GeneratorLimit.Of(right, "candidate");
        return new(
            new()
            {
                Name = name,
                Unlike =
                [
                    .. isMeant ? [] : database,
                    .. Likeness.DefinitionDifferences(left[0], right[0]),
                    .. isAsked ? [] : parameters,
                ],
                Varied = [.. chosen, .. isMeant ? database : [], .. isAsked ? parameters : []],
                IsExpected = MissingScenario.IsExpected(left),
                Lacking = MissingScenario.Lacking(left, right),
                Metrics = [],
            },
            [
                .. ComparedMetric
                    .Of([.. left, .. right])
                    .Select(metric => (metric.IsTiming, Draft: Draft(metric, scenario, blocks, left, right, settings)))
                    .Select(pair =>
                        unfit is not null ? pair.Draft.Withdraw(Verdict.NotComparable, $"Different conditions: {unfit}.")
                        : limited is not null && pair.IsTiming ? pair.Draft.Withdraw(Verdict.GeneratorLimited, limited) : pair.Draft
                    ),
            ]
        );
    }

    private static MetricDraft Draft(
        ComparedMetric metric,
        string scenario,
        IReadOnlyList<AbBlock> blocks,
        ScenarioResult[] before,
        ScenarioResult[] after,
        ComparisonSettings settings
    )
    {
        var compared = MetricComparer.Begin(metric, before, after, settings);
        if (compared.Reason.Length > 0)
            return new(compared);
        if (compared.BeforeCount < before.Length || compared.AfterCount < after.Length)
            return new(compared with { Reason = $"Not every run has {metric.Name}." });

        var halves = blocks
            .SelectMany(block => block.Runs.Chunk(2))
            .Select(half => half.Sum(run => Logarithm(metric, run, scenario) * (run.Side == AbSide.Candidate ? 1 : -1)))
            .ToArray();
        var ratio = BlockEstimate.Of(halves);
        var samples = BlockEstimate.Samples(halves);
        compared = MetricFamilies.WithFigures(compared, ratio) with { PermutationPValue = SignFlipTest.PValue(samples) };
        return new(compared)
        {
            Ratio = ratio,
            Floor = settings.NoiseFloorOf(metric.Name),
            Blocks = blocks.Count,
            PermutationT = SignFlipTest.UsualT(samples.Count),
        };
    }

    private static double Logarithm(ComparedMetric metric, AbRun run, string scenario) =>
        Math.Log(metric.Read(run.Result.Scenarios.First(result => result.Scenario == scenario))!.Value);

    /// <summary>The backend of a candidate without the scenario is known by what else it measured.</summary>
    private static bool IsOneBackend(ScenarioResult before, IReadOnlyList<RunResult> after) =>
        after.SelectMany(run => run.Scenarios).All(other => other.Backend == before.Backend);

    private static ScenarioResult[] Results(IReadOnlyList<RunResult> runs, string scenario) =>
        [.. runs.SelectMany(run => run.Scenarios).Where(result => result.Scenario == scenario)];
}
