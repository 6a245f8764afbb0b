namespace Serdica.Perf.Workflows;

/// <summary>An instance that the caller holds for the length of the transaction, with its due signals.</summary>
public sealed class ClaimedInstance(InstanceRecord instance)
{
    public InstanceRecord Instance { get; } = instance;

    /// <summary>In order of due time, then id.</summary>
    public List<Signal> Signals { get; } = new(1);
}
