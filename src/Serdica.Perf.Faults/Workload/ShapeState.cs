namespace Serdica.Perf.Faults.Workload;

/// <summary>The state of <see cref="ShapedWorkflow"/>: what an instance does before it completes. Each part is off by default.</summary>
internal sealed class ShapeState : LedgerState
{
    /// <value>Waits for the signal <c>begin</c> first, so that signals that come before it are kept.</value>
    public bool Gated { get; set; }

    /// <value>How many signals <c>append</c> each instance of the chain takes.</value>
    public int Takes { get; set; }

    /// <value>How many instances continue this one.</value>
    public int Rounds { get; set; }

    /// <value>Set by the instance: the version of the definition that it began with.</value>
    public int Code { get; set; }

    /// <value>Set by the instance: its own id.</value>
    public Guid Self { get; set; }
}
