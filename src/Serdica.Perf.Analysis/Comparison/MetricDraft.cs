namespace Serdica.Perf.Analysis.Comparison;

/// <summary>A metric before its verdict, which needs to know how many others are judged with it.</summary>
/// <param name="Compared">With the verdict already when <see cref="Ratio"/> is null.</param>
internal sealed record MetricDraft(MetricComparison Compared)
{
    /// <summary>Null when there is nothing to judge.</summary>
    public LogRatio? Ratio { get; init; }

    /// <summary>What a change must exceed whatever chance says; 0 when nothing is set.</summary>
    public double Floor { get; init; }

    /// <summary>Blocks that were measured; null of single runs.</summary>
    public int? Blocks { get; init; }

    /// <summary>A figure that was not measured stays so, whatever else is wrong.</summary>
    public MetricDraft Withdraw(Verdict verdict, string reason) =>
        Compared.Verdict == Verdict.NotMeasured && Ratio is null ? this : new(Compared with { Verdict = verdict, Reason = reason });
}

/// <summary>A scenario whose metrics have no verdicts yet.</summary>
internal sealed record ScenarioDraft(ScenarioComparison Scenario, IReadOnlyList<MetricDraft> Metrics);
