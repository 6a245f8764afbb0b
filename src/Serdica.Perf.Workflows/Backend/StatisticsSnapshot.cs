namespace Serdica.Perf.Workflows;

/// <summary>Figures of one moment, by name: <c>walBytes</c>, <c>writingCommits</c>, ...</summary>
public sealed record StatisticsSnapshot(IReadOnlyDictionary<string, Statistic> Values)
{
    /// <summary>Waits since an arbitrary beginning, by class and name; only their differences mean something.</summary>
    public IReadOnlyList<WaitTime> Waits { get; init; } = [];

    /// <summary>Why there are no waits; <see langword="null"/> when they are reported.</summary>
    public string? WaitsMissing { get; init; }

    /// <summary>Statements since an arbitrary beginning; empty in a <see cref="SnapshotDepth.Sample"/>.</summary>
    public IReadOnlyList<StatementCost> Statements { get; init; } = [];

    /// <summary>Why there are no statements; <see langword="null"/> when they are reported.</summary>
    public string? StatementsMissing { get; init; }

    /// <summary>
    /// What has happened since <paramref name="before"/>. A counter that either lacks stays without a value; a gauge stays
    /// as it is here. Waits and statements come with the longest first.
    /// </summary>
    public StatisticsSnapshot Since(StatisticsSnapshot before)
    {
        ArgumentNullException.ThrowIfNull(before);
        return new(Values.ToDictionary(entry => entry.Key, entry => Difference(entry.Value, before.Values.GetValueOrDefault(entry.Key))))
        {
            Waits = WaitsSince(before),
            WaitsMissing = WaitsMissing,
            Statements = StatementsSince(before),
            StatementsMissing = StatementsMissing,
        };
    }

    private static Statistic Difference(Statistic now, Statistic? then) => (now.IsGauge, then) switch
    {
        (true, _) => now,
        (false, null) => new(null, now.Unit, "It was not available at the start."),
        (false, _) => now with { Value = now.Value - then.Value },
    };

    private List<WaitTime> WaitsSince(StatisticsSnapshot before)
    {
        var then = before.Waits.ToDictionary(wait => (wait.Class, wait.Name));
        return [.. Waits
            .Select(wait => then.TryGetValue((wait.Class, wait.Name), out var old)
                ? wait with { Microseconds = wait.Microseconds - old.Microseconds, Count = wait.Count - old.Count }
                : wait)
            .Where(wait => wait.Count > 0)
            .OrderByDescending(wait => wait.Microseconds)];
    }

    private List<StatementCost> StatementsSince(StatisticsSnapshot before)
    {
        var then = before.Statements.ToDictionary(statement => statement.Text);
        return [.. Statements
            .Select(statement => then.TryGetValue(statement.Text, out var old)
                ? statement with
                {
                    Calls = statement.Calls - old.Calls,
                    Milliseconds = statement.Milliseconds - old.Milliseconds,
                    Rows = statement.Rows - old.Rows,
                    LogBytes = statement.LogBytes - old.LogBytes,
                }
                : statement)
            .Where(statement => statement.Calls > 0)
            .OrderByDescending(statement => statement.Milliseconds)];
    }
}
