namespace Serdica.Perf.Workflows;

/// <summary>
/// Instances that this host cannot go on with: their step is gone, or their state or the engine's notes cannot be read.
/// They stay open and their signals are put off, for hosts that can, or for the version that mends it.
/// </summary>
internal sealed class ParkedInstances(WorkflowOptions options)
{
    /// <summary>A bound for what is remembered of instances that never come again.</summary>
    private const int MaxInstances = 10_000;

    private readonly ConcurrentDictionary<Guid, int> _times = [];

    /// <summary>Spares each decision a question: nearly all hosts park nothing.</summary>
    private volatile bool _hasAny;

    /// <summary>How long the signals of the instance are put off this time: longer each time.</summary>
    /// <param name="isFirst">Whether this host meets it for the first time.</param>
    public TimeSpan Park(Guid instanceId, out bool isFirst)
    {
        if (_times.Count > MaxInstances)
            _times.Clear();
        _hasAny = true;
        var times = _times.AddOrUpdate(instanceId, 1, static (_, before) => before + 1);
        isFirst = times == 1;
        var policy = options.InstanceRetry with { FirstDelay = options.UnknownDefinitionDelay, Jitter = 0 };
        return policy.DelayAfter(times, 0);
    }

    public void Unpark(Guid instanceId)
    {
        if (_hasAny)
            _times.TryRemove(instanceId, out _);
    }
}
