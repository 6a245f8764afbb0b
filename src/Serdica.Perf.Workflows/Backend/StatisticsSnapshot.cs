namespace Serdica.Perf.Workflows;

/// <summary>Counters of one moment, by name: <c>walBytes</c>, <c>writingCommits</c>, ...</summary>
public sealed record StatisticsSnapshot(IReadOnlyDictionary<string, Statistic> Values)
{
    /// <summary>What has happened since <paramref name="before"/>. A counter that either lacks stays without a value.</summary>
    public StatisticsSnapshot Since(StatisticsSnapshot before)
    {
        ArgumentNullException.ThrowIfNull(before);
        return new(Values.ToDictionary(
            entry => entry.Key,
            entry => before.Values.TryGetValue(entry.Key, out var then)
                ? entry.Value with { Value = entry.Value.Value - then.Value }
                : new Statistic(null, entry.Value.Unit, "It was not there at the begin.")));
    }
}
