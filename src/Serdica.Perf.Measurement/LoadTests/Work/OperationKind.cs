namespace Serdica.Perf.Measurement.LoadTests.Work;

/// <summary>The operations of one kind in a mix, with their own counts and latencies. Thread-safe.</summary>
internal sealed class OperationKind
{
    private readonly MixPart _part;
    private readonly HostedWorkload _workload;
    private readonly ConcurrentLatencyRecorder _response;
    private readonly ConcurrentLatencyRecorder _service;
    private int _started;
    private int _completed;
    private int _failed;

    public OperationKind(MixPart part, HostedWorkload workload, OperationSet operations)
    {
        (_part, _workload, Operations) = (part, workload, operations);
        _response = operations.Phases.Add(PhaseNames.ResponseTime);
        _service = operations.Phases.Add(PhaseNames.ServiceTime);
    }

    public string Name => _part.Name;

    public OperationSet Operations { get; }

    public int Started => Volatile.Read(ref _started);

    public int Completed => Volatile.Read(ref _completed);

    /// <summary>The number of instances that the completed operations have left.</summary>
    public long Instances => (long)Completed * _workload.InstancesPerOperation;

    /// <summary>The number of the next operation of this kind.</summary>
    public int Next() => Interlocked.Increment(ref _started) - 1;

    public void Ended(long due, long start, long end, bool completed)
    {
        if (!completed)
        {
            Interlocked.Increment(ref _failed);
            return;
        }

        _response.Record(due, end);
        _service.Record(start, end);
        Interlocked.Increment(ref _completed);
    }

    public KindFigures Figures(double seconds) =>
        new(
            Name,
            _part.Weight,
            Started,
            _completed,
            _failed,
            seconds > 0 ? _completed / seconds : 0,
            _response.Snapshot().Summarize(),
            _service.Snapshot().Summarize()
        );

    /// <summary>The name of a phase of this kind in the results of the step.</summary>
    public static string PhaseOf(string kind, string phase) => $"{kind}-{phase}";
}
