namespace Serdica.Perf.Analysis.Limits;

/// <summary>How the engine's database sessions spent the time in which they were not idle.</summary>
internal sealed record WaitProfile
{
    /// <summary>Active sessions on average; 1 means that one session at a time had something to do.</summary>
    public required double ActiveSessions { get; init; }

    /// <summary>The number of samples, or of counted waits, without idle ones.</summary>
    public required long Count { get; init; }

    /// <summary>The shares of the active time, the largest first; from 0 to 1, never empty.</summary>
    public required IReadOnlyList<(WaitCategory Category, double Share)> Shares { get; init; }

    public WaitCategory Largest => Shares[0].Category;

    public double LargestShare => Shares[0].Share;

    /// <summary>What the largest share surely is: two standard errors of a share of one half less (binomial).</summary>
    public double LeastShare => LargestShare - 2 * Math.Sqrt(0.25 / Math.Max(Count, 1));

    /// <summary>How many sessions the largest share had on average.</summary>
    public double LargestSessions => LargestShare * ActiveSessions;

    /// <summary>Null when the server reported no waits, or all sessions were idle.</summary>
    public static WaitProfile? Of(ScenarioResult scenario)
    {
        var active = WaitCategories.Active(scenario);
        var total = active.Sum(wait => wait.Microseconds);
        var window = scenario.WatchedMs;
        if (total <= 0 || window <= 0)
            return null;

        return new()
        {
            ActiveSessions = total / (window * 1000),
            Count = active.Sum(wait => wait.Count),
            Shares =
            [
                .. active
                    .GroupBy(WaitCategories.Of)
                    .Select(group => (Category: group.Key, Share: group.Sum(wait => wait.Microseconds) / total))
                    .OrderByDescending(group => group.Share),
            ],
        };
    }
}
