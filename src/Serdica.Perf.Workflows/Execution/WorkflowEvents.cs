namespace Serdica.Perf.Workflows;

/// <summary>
/// Event ids of the engine's warnings that the database, or the way to it, is the cause of. The engine tries again by itself.
/// </summary>
public static class WorkflowEvents
{
    /// <summary>A worker could not claim or write; its transaction is undone, and its signals are there as before.</summary>
    public const int WorkerFailed = 3;

    /// <summary>What an activity has returned could not be written while its lease held; it may run again.</summary>
    public const int ReportLost = 9;

    /// <summary>Leases of activities that run could not be extended.</summary>
    public const int ExtensionFailed = 10;

    /// <summary>The database's tables could not be kept in order.</summary>
    public const int MaintenanceFailed = 11;

    /// <summary>Hints of other processes can't be heard; polling goes on.</summary>
    public const int ListenerFailed = 12;

    /// <summary>A starting host could not reach the database.</summary>
    public const int StartDelayed = 13;

    /// <summary>What an activity has returned could not be written yet; its lease holds.</summary>
    public const int ReportDelayed = 14;

    /// <summary>An activity was cancelled because its lease could not be extended.</summary>
    public const int LeaseExpired = 15;

    /// <summary>A stopping host could not give leases back; they run out by themselves.</summary>
    public const int ReleaseFailed = 16;

    /// <summary>Signals could not be decided in the commit that would otherwise store them; nothing was written.</summary>
    public const int DirectFailed = 17;
}
