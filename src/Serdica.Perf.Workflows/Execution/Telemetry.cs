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

/// <summary>Traces and metrics under the name <see cref="WorkflowMetrics.Meter"/>. They ignore errors of the user's listeners.</summary>
internal static class Telemetry
{
    public static readonly ActivitySource Source = new(WorkflowMetrics.Meter);

    public static readonly Meter Meter = new(WorkflowMetrics.Meter);

    public static readonly QuietCounter Started = new(
        "workflow.instances.started",
        "{instance}",
        "Calls of Start that became durable."
    );

    public static readonly QuietCounter Published = new(
        "workflow.signals.published",
        "{signal}",
        "Signals handed in, whatever became of them."
    );

    public static readonly QuietCounter Handled = new(
        "workflow.signals.handled",
        "{signal}",
        "Signals handled and committed."
    );

    public static readonly QuietCounter Closed = new(
        "workflow.instances.closed",
        "{instance}",
        "Instances completed, faulted or cancelled."
    );

    public static readonly QuietCounter Conflicts = new(
        "workflow.conflicts",
        "{batch}",
        "Batches rolled back because an instance had changed in the meantime."
    );

    public static readonly QuietCounter HandlerFailures = new(
        "workflow.handler.failures",
        "{failure}",
        "Handlers that threw."
    );

    public static readonly QuietCounter DeadLetters = new(
        "workflow.dead_letters",
        "{signal}",
        "Signals that became dead letters."
    );

    public static readonly QuietCounter Activities = new(
        "workflow.activities",
        "{attempt}",
        "Attempts of activities, by outcome."
    );

    public static readonly QuietHistogram<double> QueueTime = new(
        WorkflowMetrics.QueueTime,
        "s",
        "From when a signal was due until it was claimed."
    );

    public static readonly QuietHistogram<int> SubmitBatch = new(
        "workflow.submit.batch",
        "{item}",
        "Starts and signals in one commit."
    );

    public static readonly QuietHistogram<int> ClaimBatch = new(
        "workflow.claim.batch",
        "{signal}",
        "Signals in one claimed batch."
    );
}

internal sealed class QuietCounter(string name, string unit, string description)
{
    private readonly Counter<long> _counter = Telemetry.Meter.CreateCounter<long>(name, unit, description);

    public void Add(long count, params ReadOnlySpan<KeyValuePair<string, object?>> tags)
    {
        try
        {
            _counter.Add(count, tags);
        }
        catch (Exception)
        {
            // There is no other place to report it.
        }
    }
}

internal sealed class QuietHistogram<T>(string name, string unit, string description)
    where T : struct
{
    private readonly Histogram<T> _histogram = Telemetry.Meter.CreateHistogram<T>(name, unit, description);

    public bool Enabled => _histogram.Enabled;

    public void Record(T value)
    {
        try
        {
            _histogram.Record(value);
        }
        catch (Exception)
        {
            // As above.
        }
    }
}

internal readonly struct QuietSpan : IDisposable
{
    private readonly Activity? _before = Activity.Current;
    private readonly Activity? _span;

    public QuietSpan(string name, string tag, string value)
    {
        try
        {
            _span = Telemetry.Source.StartActivity(name);
            _span?.SetTag(tag, value);
        }
        catch (Exception)
        {
            Activity.Current = _before;
        }
    }

    public void Dispose()
    {
        try
        {
            _span?.Dispose();
        }
        catch (Exception)
        {
            Activity.Current = _before;
        }
    }
}
