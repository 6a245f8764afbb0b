namespace Serdica.Perf.Faults.Checking.Invariants;

/// <summary>The counts of the database are those of the instances that the history knows.</summary>
internal sealed class Conservation()
    : Invariant(4, "conservation", "Started instances are completed, faulted, cancelled or open: the database counts what the history has.")
{
    private readonly Dictionary<InstanceStatus, long> _rows = [];
    private long _letters;

    public override void Judge(InstanceHistory instance, RunFacts run)
    {
        if (instance.Row?.Record.Status is { } status)
            _rows[status] = _rows.GetValueOrDefault(status) + 1;
        _letters += instance.DeadLetters.Count(line => line.Record.Instance == instance.Id);
    }

    public override void Conclude(RunFacts run)
    {
        if (run.Census is not { Record.Census: { } census } line)
            return;
        Compare(line, "running", census.Running, _rows.GetValueOrDefault(InstanceStatus.Running));
        Compare(line, "waiting", census.Waiting, _rows.GetValueOrDefault(InstanceStatus.Waiting));
        Compare(line, "completed", census.Completed, _rows.GetValueOrDefault(InstanceStatus.Completed));
        Compare(line, "faulted", census.Faulted, _rows.GetValueOrDefault(InstanceStatus.Faulted));
        Compare(line, "cancelled", census.Cancelled, _rows.GetValueOrDefault(InstanceStatus.Cancelled));
        if (census.DeadLetters != _letters)
            Violated($"The database counts {census.DeadLetters} dead letters; the history has {_letters}.", [line]);
    }

    private void Compare(HistoryLine line, string status, long counted, long known)
    {
        Judged(counted);
        if (counted != known)
            Violated($"The database counts {counted} {status} instances; the history knows {known}.", [line]);
    }
}
