using Microsoft.Extensions.Logging;

namespace Serdica.Perf.Workflows;

/// <summary>All messages of the engine. None is written for each signal on the way of success.</summary>
internal static partial class Log
{
    [LoggerMessage(1, LogLevel.Information, "Workflow host started on {Backend}: {Workers} workers, {Definitions} definitions")]
    public static partial void HostStarted(ILogger logger, string backend, int workers, int definitions);

    [LoggerMessage(2, LogLevel.Information, "Workflow host stopped: {Signals} signals handled, {DeadLetters} dead letters")]
    public static partial void HostStopped(ILogger logger, long signals, long deadLetters);

    [LoggerMessage(WorkflowEvents.WorkerFailed, LogLevel.Warning, "A worker's database call failed; next try in {DelayMs} ms")]
    public static partial void WorkerFailed(ILogger logger, double delayMs, Exception error);

    [LoggerMessage(4, LogLevel.Warning, "Instance {InstanceId} of {Definition} is put off for {DelayMs} ms: {Reason}")]
    public static partial void Deferred(ILogger logger, Guid instanceId, string definition, double delayMs, string reason);

    [LoggerMessage(5, LogLevel.Warning, "A handler of {Definition} failed on instance {InstanceId}; the signal is tried again or becomes a dead letter")]
    public static partial void HandlerFailed(ILogger logger, string definition, Guid instanceId, Exception? error);

    [LoggerMessage(6, LogLevel.Warning, "Dead letter: signal {SignalId} '{Signal}' of instance {InstanceId}, {Reason}: {Detail}")]
    public static partial void DeadLettered(ILogger logger, Guid signalId, string signal, Guid instanceId, DeadLetterReason reason, string detail);

    [LoggerMessage(7, LogLevel.Warning, "Activity '{Step}' of instance {InstanceId} failed in attempt {Attempt}")]
    public static partial void ActivityFailed(ILogger logger, string step, Guid instanceId, int attempt, Exception error);

    [LoggerMessage(8, LogLevel.Warning, "Activity '{Step}' of instance {InstanceId} has lost its lease in attempt {Attempt}; its result will be refused")]
    public static partial void LeaseLost(ILogger logger, string step, Guid instanceId, int attempt);

    [LoggerMessage(WorkflowEvents.ReportLost, LogLevel.Warning, "The report of activity '{Step}' of instance {InstanceId} could not be written; it runs again when its lease ends")]
    public static partial void ReportLost(ILogger logger, string step, Guid instanceId, Exception error);

    [LoggerMessage(WorkflowEvents.ExtensionFailed, LogLevel.Warning, "Leases could not be extended")]
    public static partial void ExtensionFailed(ILogger logger, Exception error);

    [LoggerMessage(WorkflowEvents.MaintenanceFailed, LogLevel.Warning, "Housekeeping of the database failed")]
    public static partial void MaintenanceFailed(ILogger logger, Exception error);

    [LoggerMessage(WorkflowEvents.ListenerFailed, LogLevel.Warning, "Listening for work failed; polling goes on")]
    public static partial void ListenerFailed(ILogger logger, Exception error);
}
