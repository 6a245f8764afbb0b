namespace Serdica.Perf.Analysis.Limits;

/// <summary>
/// Combines the evidence of all repeats of a scenario. One repeat is often too short for samples of waits and for the
/// resolution of processor time; what limited the scenario limited each of them.
/// </summary>
internal static class PooledRepeats
{
    /// <summary>A scenario with the waits, the processor times and the duration of all repeats that passed.</summary>
    /// <param name="typical">The result that stands for all repeats.</param>
    /// <param name="all">All results of the run.</param>
    public static ScenarioResult Of(ScenarioResult typical, IReadOnlyList<ScenarioResult> all)
    {
        ScenarioResult[] repeats = [.. all.Where(other => other.Name == typical.Name && other.Status == ScenarioStatus.Passed)];
        return repeats.Length < 2
            ? typical
            : typical with
            {
                DurationMs = repeats.Sum(repeat => repeat.DurationMs),
                Drain = new(repeats.Sum(repeat => repeat.Drain?.DurationMs ?? 0)),
                TopWaits =
                [
                    .. repeats
                        .SelectMany(repeat => repeat.TopWaits)
                        .GroupBy(wait => (wait.Class, wait.Name))
                        .Select(same => new ServerWait(
                            same.Key.Class,
                            same.Key.Name,
                            same.Sum(wait => wait.Microseconds),
                            same.Sum(wait => wait.Count)
                        ))
                        .OrderByDescending(wait => wait.Microseconds),
                ],
                EngineMetrics = Sum(repeats, repeat => repeat.EngineMetrics, MetricNames.EngineCpu, MetricNames.MachineCpu),
                DatabaseMetrics = Sum(
                    repeats,
                    repeat => repeat.DatabaseMetrics,
                    MetricNames.DatabaseCpu,
                    MetricNames.WalSyncTime,
                    MetricNames.WalSyncs
                ),
                Counts = typical.Counts with
                {
                    Started = repeats.Sum(repeat => repeat.Counts.Started),
                    Completed = repeats.Sum(repeat => repeat.Counts.Completed),
                    Late = repeats.Sum(repeat => repeat.Counts.Late),
                    Dropped = repeats.Sum(repeat => repeat.Counts.Dropped),
                },
                Saturation = repeats.Select(repeat => repeat.Saturation).FirstOrDefault(sentence => sentence is not null),
            };
    }

    /// <summary>A figure that one repeat lacks is unknown for all together.</summary>
    private static Dictionary<string, MetricValue> Sum(
        ScenarioResult[] repeats,
        Func<ScenarioResult, IReadOnlyDictionary<string, MetricValue>> metrics,
        params ReadOnlySpan<string> names
    )
    {
        var sums = new Dictionary<string, MetricValue>();
        foreach (var name in names)
        {
            var values = repeats.Select(repeat => metrics(repeat).GetValueOrDefault(name)).ToArray();
            if (values.All(value => value?.Value is not null))
                sums[name] = values[0]! with { Value = values.Sum(value => value!.Value) };
            else if (values.FirstOrDefault(value => value is not null and not { Value: not null }) is { } missing)
                sums[name] = missing;
        }

        return sums;
    }
}
