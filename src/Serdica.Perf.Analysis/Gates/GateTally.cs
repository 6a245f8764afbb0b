namespace Serdica.Perf.Analysis.Gates;

/// <summary>Counts the figures that a gate has judged and those that it has not; a figure with several limits counts once.</summary>
internal sealed class GateTally
{
    private readonly HashSet<(string Scenario, string Metric)> _judged = [];
    private readonly HashSet<(string Scenario, string Metric)> _byTheLimitItself = [];
    private readonly HashSet<(string Scenario, string Metric)> _zeros = [];
    private readonly Dictionary<(string Scenario, string Metric), (string What, string Reason)> _notJudged = [];
    private readonly HashSet<(string Scenario, string Metric)> _expected = [];
    private readonly HashSet<(string Scenario, string Metric)> _verified = [];
    private int _unmatched;

    public List<string> Notes { get; } = [];

    /// <param name="isZero">Whether it is a count that was 0 on both sides.</param>
    /// <param name="isWidened">Whether only a wider limit than the one that was set could be held.</param>
    public void Judged(string scenario, string metric, bool isZero = false, bool isWidened = false)
    {
        _judged.Add((scenario, metric));
        if (!isWidened)
            _byTheLimitItself.Add((scenario, metric));
        if (isZero)
            _zeros.Add((scenario, metric));
        else
            _zeros.Remove((scenario, metric));
    }

    public void NotJudged(string scenario, string metric, Verdict verdict, string reason, bool isExpected = true)
    {
        _notJudged[(scenario, metric)] = (Words(verdict), reason);
        if (isExpected)
            _expected.Add((scenario, metric));
    }

    /// <summary>The candidate passed a scenario of the base.</summary>
    public void Verified(string scenario) => _verified.Add((scenario, Gate.VerificationMetric));

    public void Unmatched(string note)
    {
        _unmatched++;
        Notes.Add(note);
    }

    /// <summary>
    /// Counts that stayed 0 are a judgement only when no other figure was limited, and counts of any kind say nothing about the
    /// speed of a scenario.
    /// </summary>
    /// <param name="isExcused">Whether a quarantine covers a figure, which then need not be judged.</param>
    public GateResult Result(
        IReadOnlyList<GateBreach> breaches,
        IReadOnlyList<GateBreach> quarantined,
        Func<string, string, bool> isExcused
    )
    {
        var open = _notJudged.Where(figure => !_judged.Contains(figure.Key)).ToArray();
        var hasJudged = _judged.Count > _zeros.Count || (_zeros.Count > 0 && !open.Any(figure => _expected.Contains(figure.Key)));
        var quick = _judged.Except(_zeros).Where(one => ComparedMetric.IsTimingName(one.Metric)).Select(one => one.Scenario).ToHashSet();
        var unknown = open.Where(figure =>
                ComparedMetric.IsTimingName(figure.Key.Metric)
                && !quick.Contains(figure.Key.Scenario)
                && _expected.Contains(figure.Key)
                && !isExcused(figure.Key.Scenario, figure.Key.Metric)
            )
            .ToArray();
        return new()
        {
            Breaches = breaches,
            Quarantined = quarantined,
            Notes = Notes,
            Judged = _judged.Count,
            Zeros = _zeros.Count,
            Widened = _judged.Count - _byTheLimitItself.Count,
            NotJudged = open.Length,
            Unmatched = _unmatched,
            NothingBecause = hasJudged ? null : Because([.. open.Select(figure => figure.Value)]),
            SpeedNotJudged = [.. unknown.Select(figure => figure.Key.Scenario).Distinct()],
            SpeedBecause = unknown.Length == 0 ? null : Because([.. unknown.Select(figure => figure.Value)]),
            JudgedFigures = _judged.Where(figure => !_notJudged.ContainsKey(figure)).Concat(_verified).ToHashSet(),
        };
    }

    private string Because((string What, string Reason)[] open)
    {
        if (open.Length == 0)
            return _unmatched > 0
                ? "no limit has the name of a scenario and a metric of either run"
                : "the candidate lacks or failed every scenario that a limit covers";
        var most = open.GroupBy(figure => figure).MaxBy(group => group.Count())!;
        var (count, figures) = (most.Count(), open.Length == 1 ? "figure" : "figures");
        return $"{count} of {open.Length} {figures} {(count == 1 ? "is" : "are")} {most.Key.What}: {most.Key.Reason}";
    }

    private static string Words(Verdict verdict) =>
        verdict switch
        {
            Verdict.GeneratorLimited => "limited by the load generator",
            Verdict.NotComparable => "not comparable, because the conditions differ",
            Verdict.NotMeasured => "not measured",
            _ => "inconclusive",
        };
}
