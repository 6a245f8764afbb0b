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
