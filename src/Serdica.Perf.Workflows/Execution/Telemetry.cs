using System.Diagnostics.Metrics;

namespace Serdica.Perf.Workflows;

/// <summary>Names of the metrics that the engine's hosts and clients report by <see cref="System.Diagnostics.Metrics"/>.</summary>
public static class WorkflowMetrics
{
    /// <summary>The meter, and the source of the traces.</summary>
    public const string Meter = "Serdica.Perf.Workflows";

    /// <summary>
    /// Seconds from when a signal was due until it was claimed, by the database's clock, of each that was handled and
    /// committed; a batch that was undone counts once.
    /// </summary>
    public const string QueueTime = "workflow.signal.queue_time";
}

/// <summary>Traces and metrics under the name <see cref="WorkflowMetrics.Meter"/>.</summary>
internal static class Telemetry
{
    public static readonly ActivitySource Source = new(WorkflowMetrics.Meter);

    private static readonly Meter Meter = new(WorkflowMetrics.Meter);

    public static readonly Counter<long> Started = Meter.CreateCounter<long>(
        "workflow.instances.started",
        "{instance}",
        "Calls of Start that became durable."
    );

    public static readonly Counter<long> Published = Meter.CreateCounter<long>(
        "workflow.signals.published",
        "{signal}",
        "Signals handed in, whatever became of them."
    );

    public static readonly Counter<long> Handled = Meter.CreateCounter<long>(
        "workflow.signals.handled",
        "{signal}",
        "Signals handled and committed."
    );

    public static readonly Counter<long> Closed = Meter.CreateCounter<long>(
        "workflow.instances.closed",
        "{instance}",
        "Instances completed, faulted or cancelled."
    );

    public static readonly Counter<long> Conflicts = Meter.CreateCounter<long>(
        "workflow.conflicts",
        "{batch}",
        "Batches rolled back because an instance had changed in the meantime."
    );

    public static readonly Counter<long> HandlerFailures = Meter.CreateCounter<long>(
        "workflow.handler.failures",
        "{failure}",
        "Handlers that threw."
    );

    public static readonly Counter<long> DeadLetters = Meter.CreateCounter<long>(
        "workflow.dead_letters",
        "{signal}",
        "Signals that became dead letters."
    );

    public static readonly Counter<long> Activities = Meter.CreateCounter<long>(
        "workflow.activities",
        "{attempt}",
        "Attempts of activities, by outcome."
    );

    public static readonly Histogram<double> QueueTime = Meter.CreateHistogram<double>(
        WorkflowMetrics.QueueTime,
        "s",
        "From when a signal was due until it was claimed."
    );

    public static readonly Histogram<int> SubmitBatch = Meter.CreateHistogram<int>(
        "workflow.submit.batch",
        "{item}",
        "Starts and signals in one commit."
    );

    public static readonly Histogram<int> ClaimBatch = Meter.CreateHistogram<int>(
        "workflow.claim.batch",
        "{signal}",
        "Signals in one claimed batch."
    );
}
