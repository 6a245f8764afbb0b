namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>
/// One property that every right history has. It is shown the groups of a history one after the other, counts what it has judged, and
/// keeps the first violations with the lines that show them.
/// </summary>
/// <param name="number">In the order of the documents.</param>
internal abstract class Invariant(int number, string name, string promise)
{
    private const int MostWitnesses = 10;
    private const int MostLines = 8;

    private readonly List<Witness> _witnesses = [];
    private long _judged;
    private long _violations;

    public InvariantFinding Finding => new(number, name, promise, _judged, _violations, _witnesses, Note);

    /// <summary>What else it found, which is no violation.</summary>
    protected virtual string? Note => null;

    /// <summary>Each instance once.</summary>
    public virtual void Judge(InstanceHistory instance, RunFacts run) { }

    /// <summary>Each business key or repeated start once.</summary>
    public virtual void Judge(StartHistory start, RunFacts run) { }

    /// <summary>At the end.</summary>
    public virtual void Conclude(RunFacts run) { }

    /// <summary>Counts something that could have been wrong.</summary>
    protected void Judged(long count = 1) => _judged += count;

    /// <param name="lines">The lines that show it; the first few are kept.</param>
    protected void Violated(string sentence, IEnumerable<HistoryLine?> lines)
    {
        _violations++;
        if (_witnesses.Count < MostWitnesses)
            _witnesses.Add(new Witness(sentence, [.. lines.OfType<HistoryLine>().Take(MostLines).Select(line => line.ToString())]));
    }
}
