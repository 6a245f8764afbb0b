namespace Serdica.Perf.Faults.Figures;

/// <summary>What a run under faults has shown: <c>faults.json</c>.</summary>
internal sealed record FaultResult
{
    public const string FileName = "faults.json";

    /// <value>Product and version of the server.</value>
    public required string Database { get; init; }

    public required DateTimeOffset StartedAt { get; init; }

    public required FaultPlan Plan { get; init; }

    /// <value>Held when all invariants were judged and none is violated.</value>
    public required InvariantVerdict Verdict { get; init; }

    /// <value>Calls of clients.</value>
    public required long Operations { get; init; }

    /// <value>
    /// Signals that the hosts of the end have decided in the commit that received them; zero where that is switched off, or the
    /// backend does not do it.
    /// </value>
    public long DirectSignals { get; init; }

    /// <value>Calls, and commits of hosts, that failed and left open whether they were written; 0 in a file of an older version.</value>
    public long UnknownOutcomes { get; init; }

    /// <value>Lines of the history.</value>
    public required long Lines { get; init; }

    public required IReadOnlyList<InvariantFinding> Invariants { get; init; }

    public required IReadOnlyList<FaultFigures> Faults { get; init; }

    /// <value>Each second of the load; empty in a file of an older version.</value>
    public IReadOnlyList<LoadSecond> Timeline { get; init; } = [];

    /// <value>What became of each threshold at each fault that it is on; empty without thresholds.</value>
    public required IReadOnlyList<ThresholdFinding> Thresholds { get; init; }
}

/// <summary>What one fault has done to callers. The rate is that of round trips without activities and timers.</summary>
internal sealed record FaultFigures
{
    public required FaultKind Kind { get; init; }

    /// <value>A host, <c>database</c> or <c>all</c>.</value>
    public required string Target { get; init; }

    /// <value>Seconds from the beginning of the load to that of the fault.</value>
    public required double At { get; init; }

    /// <value>Seconds until the fault had ended and what was stopped ran again.</value>
    public required double Lasted { get; init; }

    /// <value>What shows that it struck.</value>
    public required string Evidence { get; init; }

    /// <value>The number in the evidence, such as processes that ended or commits that were cut; 0 in a file of an older version.</value>
    public double EvidenceValue { get; init; }

    /// <value>
    /// Round trips a second before it: in the last 3 s, or in the second half of the time since the fault before or the beginning of the
    /// load where that is longer, of which at most 30 s count.
    /// </value>
    public required double RateBefore { get; init; }

    /// <value>Round trips a second while it lasted, as a share of those before; null when none ended before it.</value>
    public required double? RateKept { get; init; }

    /// <value>Milliseconds from its beginning to the first failed call; null when no call failed.</value>
    public required double? DetectedAfter { get; init; }

    /// <value>
    /// Milliseconds until a second began with 95 % of the rate before: from the beginning of a fault of one host, which others can
    /// replace, and from the end of any other. Null when there was none before the next fault, and when no round trip ended before
    /// the fault.
    /// </value>
    public required double? RecoveredAfter { get; init; }

    /// <value>The longest time to 95 % that could have been seen before the next fault or the end of the load, in milliseconds.</value>
    public required double WatchedFor { get; init; }

    /// <value>Calls from its beginning to the next fault that failed or had an unknown outcome.</value>
    public required int FailedCalls { get; init; }

    /// <value>99th percentile of the round trips that ended in the same time before it, in milliseconds; null without any.</value>
    public required double? P99Before { get; init; }

    /// <value>99th percentile of those that ended while it lasted.</value>
    public required double? P99During { get; init; }

    /// <value>99th percentile of those that ended between its end and the next fault.</value>
    public required double? P99After { get; init; }

    /// <value>
    /// Round trips that were open when it ended, had begun before, and had lasted longer than the 99th percentile before it; null without
    /// that percentile.
    /// </value>
    public required int? Backlog { get; init; }

    /// <value>Milliseconds from its end until the last of these had ended; null without any.</value>
    public required double? DrainedAfter { get; init; }

    /// <value>The longest time without the end of a round trip, in milliseconds, from its beginning to the next fault.</value>
    public required double LongestPause { get; init; }

    /// <value>Activities that ran again because their lease had ended.</value>
    public required int RepeatedActivities { get; init; }

    /// <value>Milliseconds from its beginning to the last of these repeats; null without any.</value>
    public required double? LastRepeatAfter { get; init; }
}
