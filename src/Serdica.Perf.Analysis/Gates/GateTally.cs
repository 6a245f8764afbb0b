using Serdica.Perf.Analysis.Comparison;

namespace Serdica.Perf.Analysis.Gates;

/// <summary>Counts the figures that a gate has judged and those that it has not; a figure with several limits counts once.</summary>
internal sealed class GateTally
{
    private readonly HashSet<(string Scenario, string Metric)> _judged = [];
    private readonly HashSet<(string Scenario, string Metric)> _zeros = [];
    private readonly Dictionary<(string Scenario, string Metric), (string What, string Reason)> _notJudged = [];
    private int _unmatched;

    public List<string> Notes { get; } = [];

    public void Judged(string scenario, string metric, bool isZero = false)
    {
        _judged.Add((scenario, metric));
        if (isZero)
            _zeros.Add((scenario, metric));
    }

    public void NotJudged(string scenario, string metric, Verdict verdict, string reason) =>
        _notJudged[(scenario, metric)] = (Words(verdict), reason);

    public void Unmatched(string note)
    {
        _unmatched++;
        Notes.Add(note);
    }

    /// <summary>Counts that stayed 0 are a judgement only when no other figure was limited.</summary>
    public GateResult Result(IReadOnlyList<GateBreach> breaches, IReadOnlyList<GateBreach> quarantined)
    {
        var open = _notJudged.Where(figure => !_judged.Contains(figure.Key)).Select(figure => figure.Value).ToArray();
        var hasJudged = quarantined.Count > 0 || _judged.Count > _zeros.Count || (_zeros.Count > 0 && open.Length == 0);
        return new()
        {
            Breaches = breaches,
            Quarantined = quarantined,
            Notes = Notes,
            Judged = _judged.Count,
            Zeros = _zeros.Count,
            NotJudged = open.Length,
            Unmatched = _unmatched,
            NothingBecause = hasJudged ? null : Because(open),
        };
    }

    private string Because((string What, string Reason)[] open)
    {
        if (open.Length == 0)
            return _unmatched > 0
                ? "no limit has the name of a scenario and a metric of either run"
                : "the candidate lacks or failed every scenario that a limit covers";
        var most = open.GroupBy(figure => figure).MaxBy(group => group.Count())!;
        return $"{most.Count()} of {open.Length} figures {most.Key.What}: {most.Key.Reason}";
    }

    private static string Words(Verdict verdict) =>
        verdict switch
        {
            Verdict.GeneratorLimited => "were limited by the load generator",
            Verdict.NotComparable => "were measured under different conditions",
            Verdict.NotMeasured => "were not measured",
            _ => "are inconclusive",
        };
}
