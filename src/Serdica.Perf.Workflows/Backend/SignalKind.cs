namespace Serdica.Perf.Workflows;

/// <summary>What moves an instance. The numbers are stored.</summary>
public enum SignalKind
{
    /// <summary>Published from outside, with name and payload.</summary>
    External = 0,

    /// <summary>A durable timer is due.</summary>
    Timer = 1,

    /// <summary>An activity is ready to run, or its lease has run out.</summary>
    Activity = 2,

    /// <summary>An activity was run; carries its result and the fencing token.</summary>
    ActivityResult = 3,

    /// <summary>A child closed; carries its state.</summary>
    ChildClosed = 4,

    /// <summary>A buffered signal whose handler failed is to be tried again.</summary>
    Retry = 5,

    /// <summary>The instance is to be cancelled.</summary>
    Cancel = 6,
}
