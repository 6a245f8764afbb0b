namespace Serdica.Perf.Analysis.Comparison;

/// <summary>A metric before its verdict, which depends on how many other metrics are judged with it.</summary>
/// <param name="Compared">The metric, with a verdict already when <see cref="Ratio"/> is null.</param>
internal sealed record MetricDraft(MetricComparison Compared)
{
    /// <summary>Null when there is nothing to judge.</summary>
    public LogRatio? Ratio { get; init; }

    /// <summary>The noise floor that a change must exceed in any case; 0 when none is set.</summary>
    public double Floor { get; init; }

    /// <summary>
    /// From this t on, the test without a distribution agrees nearly always, for the power; 0 where Student's t demands more.
    /// </summary>
    public double PermutationT { get; init; }

    /// <summary>The number of measured blocks; null for single runs.</summary>
    public int? Blocks { get; init; }

    /// <summary>Replaces the verdict, unless the figure was not measured.</summary>
    public MetricDraft Withdraw(Verdict verdict, string reason) =>
        Compared.Verdict == Verdict.NotMeasured && Ratio is null ? this : new(Compared with { Verdict = verdict, Reason = reason });
}

/// <summary>A scenario whose metrics have no verdicts yet.</summary>
internal sealed record ScenarioDraft(ScenarioComparison Scenario, IReadOnlyList<MetricDraft> Metrics);
