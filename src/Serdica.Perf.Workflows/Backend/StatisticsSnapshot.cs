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

    private static Statistic Difference(Statistic now, Statistic? then) =>
        (now.IsGauge, then) switch
        {
            (true, _) => now,
            (false, null) => new(null, now.Unit, "It was not available at the start."),
            (false, _) => now with { Value = now.Value - then.Value },
        };

    private List<WaitTime> WaitsSince(StatisticsSnapshot before)
    {
        var then = before.Waits.ToDictionary(wait => (wait.Class, wait.Name));
        return
        [
            .. Waits
                .Select(wait =>
                    then.TryGetValue((wait.Class, wait.Name), out var old)
                        ? wait with { Microseconds = wait.Microseconds - old.Microseconds, Count = wait.Count - old.Count }
                        : wait
                )
                .Where(wait => wait.Count > 0)
                .OrderByDescending(wait => wait.Microseconds),
        ];
    }

    private List<StatementCost> StatementsSince(StatisticsSnapshot before)
    {
        var then = before.Statements.ToDictionary(statement => statement.Text);
        return
        [
            .. Statements
                .Select(statement =>
                    then.TryGetValue(statement.Text, out var old)
                        ? statement with
                        {
                            Calls = statement.Calls - old.Calls,
                            Milliseconds = statement.Milliseconds - old.Milliseconds,
                            Rows = statement.Rows - old.Rows,
                            LogBytes = statement.LogBytes - old.LogBytes,
                            CpuMilliseconds = statement.CpuMilliseconds - old.CpuMilliseconds,
                            LogicalReads = statement.LogicalReads - old.LogicalReads,
                        }
                        : statement
                )
                .Where(statement => statement.Calls > 0)
                .OrderByDescending(statement => statement.Milliseconds),
        ];
    }
}

/// <summary>One figure of a server: a counter that only grows, or a gauge.</summary>
/// <param name="Value"><see langword="null"/> when the server does not have it.</param>
/// <param name="Unit">For instance <c>bytes</c>; <see langword="null"/> for a plain count.</param>
/// <param name="Missing">Why there is no value.</param>
/// <param name="Lag">
/// How long the server may hold the newest changes back; zero when the counter is exact at once. A difference over a
/// time that is not much longer than this says nothing.
/// </param>
/// <param name="IsGauge">True for a state, such as a size or a number of connections, which has no difference over time.</param>
public sealed record Statistic(double? Value, string? Unit = null, string? Missing = null, TimeSpan Lag = default, bool IsGauge = false);

/// <summary>What one kind of statement cost the server.</summary>
/// <param name="Text">Normalised by the server, without values, shortened.</param>
/// <param name="Calls">How often it ran.</param>
/// <param name="Milliseconds">Time in the server over all calls.</param>
/// <param name="Rows">Rows returned or changed; <see langword="null"/> where the server does not report it.</param>
/// <param name="LogBytes">Bytes written to the log; <see langword="null"/> where the server does not report it.</param>
public sealed record StatementCost(string Text, long Calls, double Milliseconds, long? Rows, double? LogBytes)
{
    /// <summary>Processor time of it; <see langword="null"/> where the server does not report it.</summary>
    public double? CpuMilliseconds { get; init; }

    /// <summary>Pages that it requested; <see langword="null"/> where the server does not report it.</summary>
    public double? LogicalReads { get; init; }
}

/// <summary>Time that the engine's own database sessions spent waiting for one thing.</summary>
/// <param name="Class">The server's group of waits, for instance <c>IO</c> or <c>Lock</c>; <c>CPU</c> for sessions that ran.</param>
/// <param name="Name">The server's name of the wait, for instance <c>WALSync</c> or <c>log file sync</c>.</param>
/// <param name="Microseconds">The sum over all sessions; of samples it is the time that the samples stand for.</param>
/// <param name="Count">Samples, or waits where the server counts them.</param>
public sealed record WaitTime(string Class, string Name, double Microseconds, long Count);
