namespace Serdica.Perf.Measurement.Driving;

/// <summary>Recorders by the name of their phase, in the order of addition.</summary>
public sealed class PhaseRecorders
{
    private readonly List<(string Name, ConcurrentLatencyRecorder Recorder)> _recorders = [];

    /// <summary>Adds a phase. Not thread-safe: all are added before the first operation.</summary>
    public ConcurrentLatencyRecorder Add(string name)
    {
        var recorder = new ConcurrentLatencyRecorder();
        _recorders.Add((name, recorder));
        return recorder;
    }

    /// <summary>Adds the phases of others under other names.</summary>
    internal void Add(PhaseRecorders others, Func<string, string> name) =>
        _recorders.AddRange(others._recorders.Select(entry => (name(entry.Name), entry.Recorder)));

    internal IReadOnlyList<KeyValuePair<string, LatencyHistogram>> Snapshot() =>
        [.. _recorders.Select(entry => KeyValuePair.Create(entry.Name, entry.Recorder.Snapshot()))];
}
