using System.Diagnostics.Metrics;

namespace Serdica.Perf.Measurement.Measuring;

/// <summary>How long signals were due before they were claimed, from the metric of the engine's hosts in this process.</summary>
internal sealed class QueueTimes : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly ConcurrentLatencyRecorder _recorder = new();

    /// <summary>Starts to listen.</summary>
    public QueueTimes()
    {
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument is { Meter.Name: WorkflowMetrics.Meter, Name: WorkflowMetrics.QueueTime })
                listener.EnableMeasurementEvents(instrument);
        };
        _listener.SetMeasurementEventCallback<double>((_, seconds, _, _) => _recorder.Record(FromSeconds(seconds)));
        _listener.Start();
    }

    public LatencyHistogram Snapshot() => _recorder.Snapshot();

    public void Dispose() => _listener.Dispose();
}
