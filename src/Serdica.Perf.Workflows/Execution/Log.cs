namespace Serdica.Perf.Workflows;

/// <summary>All messages of the engine. None is written for each signal on the way of success.</summary>
internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Information, "Workflow host started on {Backend}: {Workers} workers, {Definitions} definitions")]
    public static partial void HostStarted(ILogger logger, string backend, int workers, int definitions);

    [LoggerMessage(2, LogLevel.Information, "Workflow host stopped: {Signals} signals handled, {DeadLetters} dead letters")]
    public static partial void HostStopped(ILogger logger, long signals, long deadLetters);

    [LoggerMessage(
        WorkflowEvents.StartDelayed,
        LogLevel.Warning,
        "Workflow host cannot reach {Backend} yet; next try in {DelayMs:0} ms: {Reason}"
    )]
    public static partial void StartDelayed(ILogger logger, string backend, double delayMs, string reason, Exception error);

    [LoggerMessage(WorkflowEvents.WorkerFailed, LogLevel.Warning, "A worker's turn failed; next try in {DelayMs:0} ms: {Reason}")]
    public static partial void WorkerFailed(ILogger logger, double delayMs, string reason, Exception error);

    [LoggerMessage(
        4,
        LogLevel.Warning,
        "Instance {InstanceId} of {Definition} cannot go on here; its signals are put off for {DelayMs:0} ms, and longer each time: "
            + "{Reason}"
    )]
    public static partial void Parked(ILogger logger, Guid instanceId, string definition, double delayMs, string reason);

    [LoggerMessage(
        5,
        LogLevel.Warning,
        "A handler of {Definition} failed on instance {InstanceId}; the signal is tried again or becomes a dead letter"
    )]
    public static partial void HandlerFailed(ILogger logger, string definition, Guid instanceId, Exception? error);

    [LoggerMessage(6, LogLevel.Warning, "Dead letter: signal {SignalId} '{Signal}' of instance {InstanceId}, {Reason}: {Detail}")]
    public static partial void DeadLettered(
        ILogger logger,
        Guid signalId,
        string signal,
        Guid instanceId,
        DeadLetterReason reason,
        string detail
    );

    [LoggerMessage(7, LogLevel.Warning, "Activity '{Step}' of instance {InstanceId} failed in attempt {Attempt}")]
    public static partial void ActivityFailed(ILogger logger, string step, Guid instanceId, int attempt, Exception error);

    [LoggerMessage(
        8,
        LogLevel.Warning,
        "Activity '{Step}' of instance {InstanceId} has lost its lease in attempt {Attempt}; its result will be refused"
    )]
    public static partial void LeaseLost(ILogger logger, string step, Guid instanceId, int attempt);

    [LoggerMessage(
        WorkflowEvents.ReportLost,
        LogLevel.Warning,
        "The report of activity '{Step}' of instance {InstanceId} could not be written before its lease ended or this host stopped; it "
            + "may run again: {Reason}"
    )]
    public static partial void ReportLost(ILogger logger, string step, Guid instanceId, string reason, Exception error);

    [LoggerMessage(
        WorkflowEvents.ReportDelayed,
        LogLevel.Warning,
        "The report of activity '{Step}' of instance {InstanceId} could not be written; next try in {DelayMs:0} ms: {Reason}"
    )]
    public static partial void ReportDelayed(ILogger logger, string step, Guid instanceId, double delayMs, string reason, Exception error);

    [LoggerMessage(
        WorkflowEvents.LeaseExpired,
        LogLevel.Warning,
        "Activity '{Step}' of instance {InstanceId} is cancelled in attempt {Attempt}: its lease could not be extended before it ended"
    )]
    public static partial void LeaseExpired(ILogger logger, string step, Guid instanceId, int attempt);

    [LoggerMessage(
        WorkflowEvents.ReleaseFailed,
        LogLevel.Warning,
        "{Count} leases could not be given back; their activities run again when the leases end: {Reason}"
    )]
    public static partial void ReleaseFailed(ILogger logger, int count, string reason, Exception error);

    [LoggerMessage(WorkflowEvents.ExtensionFailed, LogLevel.Warning, "Leases could not be extended: {Reason}")]
    public static partial void ExtensionFailed(ILogger logger, string reason, Exception error);

    [LoggerMessage(WorkflowEvents.MaintenanceFailed, LogLevel.Warning, "Housekeeping of the database failed: {Reason}")]
    public static partial void MaintenanceFailed(ILogger logger, string reason, Exception error);

    [LoggerMessage(WorkflowEvents.ListenerFailed, LogLevel.Warning, "Listening for work failed; polling goes on: {Reason}")]
    public static partial void ListenerFailed(ILogger logger, string reason, Exception error);

    [LoggerMessage(
        21,
        LogLevel.Warning,
        "This host has no definition {Definition}, which instance {InstanceId} needs; from now on its claims leave such instances out, or "
            + "postpone their signals"
    )]
    public static partial void UnknownDefinition(ILogger logger, string definition, Guid instanceId);

    [LoggerMessage(
        23,
        LogLevel.Warning,
        "The results of {Count} children, the first of which is {First}, could not be read; their parent tries again: {Reason}"
    )]
    public static partial void ChildrenNotRead(ILogger logger, int count, Guid first, string reason, Exception error);

    [LoggerMessage(
        22,
        LogLevel.Error,
        "Instance {InstanceId} makes its claim fail, in try {Tries}; it is kept from the others and put off: {Detail}"
    )]
    public static partial void Isolated(ILogger logger, Guid instanceId, int tries, string detail);

    [LoggerMessage(
        WorkflowEvents.DirectFailed,
        LogLevel.Warning,
        "A batch of {Count} starts and signals could not be written with its turns; its signals are stored for the workers: {Reason}"
    )]
    public static partial void DirectFailed(ILogger logger, int count, string reason, Exception error);
}
