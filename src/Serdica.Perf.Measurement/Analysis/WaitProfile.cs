using Serdica.Perf.Measurement.Results;

namespace Serdica.Perf.Measurement.Analysis;

/// <summary>How the engine's database sessions spent the time in which they were not idle.</summary>
public sealed record WaitProfile
{
    /// <summary>Active sessions on average; 1 means that one session at a time had something to do.</summary>
    public required double ActiveSessions { get; init; }

    /// <summary>Samples, or waits counted, behind the profile, idle ones not among them.</summary>
    public required long Count { get; init; }

    public required WaitCategory Largest { get; init; }

    /// <summary>Of the active time, from 0 to 1.</summary>
    public required double LargestShare { get; init; }

    /// <summary>Null when the server told no waits, or all sessions were idle.</summary>
    public static WaitProfile? Of(ScenarioResult scenario)
    {
        ArgumentNullException.ThrowIfNull(scenario);
        var active = scenario.TopWaits.Where(wait => WaitCategories.Of(wait) != WaitCategory.Idle).ToArray();
        var total = active.Sum(wait => wait.Microseconds);
        var window = scenario.DurationMs + (scenario.Drain?.DurationMs ?? 0);
        if (total <= 0 || window <= 0)
            return null;

        var largest = active.GroupBy(WaitCategories.Of)
            .Select(group => (Category: group.Key, Time: group.Sum(wait => wait.Microseconds)))
            .MaxBy(group => group.Time);
        return new()
        {
            ActiveSessions = total / (window * 1000),
            Count = active.Sum(wait => wait.Count),
            Largest = largest.Category,
            LargestShare = largest.Time / total,
        };
    }
}
