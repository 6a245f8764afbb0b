namespace Serdica.Perf.Results.Queues;

/// <summary>
/// The result of a test of the bare queue: the content of <c>queue.json</c>. MiB are MiB of payload. With several repeats the
/// figures are those of the typical one, but lost and duplicate messages are those of all.
/// </summary>
public sealed record QueueTestResult
{
    public const int CurrentSchemaVersion = 1;

    public int SchemaVersion { get; init; } = CurrentSchemaVersion;

    /// <summary>The worst verdict of all repeats.</summary>
    public required StepVerdict Verdict { get; init; }

    /// <summary>Why the test did not pass, one sentence for each reason.</summary>
    public required IReadOnlyList<string> Reasons { get; init; }

    /// <summary>What a reader of the figures must know, one sentence each, whatever the verdict.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>The number of the repeat that the figures belong to, from 1.</summary>
    public int Repeat { get; init; } = 1;

    /// <summary>All repeats in order; empty when there was only one.</summary>
    public IReadOnlyList<QueueRepeat> Repeats { get; init; } = [];

    /// <summary>
    /// The levels of the ladder in order of rising writers; empty when there was only one. The figures are those of the level that
    /// wrote the most.
    /// </summary>
    public IReadOnlyList<QueueRung> Ladder { get; init; } = [];

    /// <summary>The scenario in <c>summary.json</c> that the figures belong to.</summary>
    public string? Scenario { get; init; }

    public required string RunId { get; init; }

    public required string Backend { get; init; }

    public required QueuePlan Plan { get; init; }

    /// <summary>How throttled writes arrived; null without a throttle, and in results without the figure.</summary>
    public ArrivalPattern? Arrivals { get; init; }

    /// <summary>The seed of the arrivals, from which each repeat had its own; null where <see cref="Arrivals"/> is.</summary>
    public int? Seed { get; init; }

    /// <summary>Messages whose write became durable.</summary>
    public required long Written { get; init; }

    /// <summary>Copies whose removal became durable.</summary>
    public required long Read { get; init; }

    /// <summary>Messages a second, over the planned time or until the last write, whichever is longer.</summary>
    public required double WrittenPerSecond { get; init; }

    /// <summary>Copies a second from the start of the load to the last read, which may come after the last write.</summary>
    public required double ReadPerSecond { get; init; }

    public required double WrittenMebibytesPerSecond { get; init; }

    public required double ReadMebibytesPerSecond { get; init; }

    /// <summary>The largest number of messages that were written and not yet read.</summary>
    public required long PeakUnread { get; init; }

    /// <summary>Messages that were written and not yet read when writing ended.</summary>
    public required long UnreadAtEnd { get; init; }

    /// <summary>The number of copies that were never read, plus reads beyond the first of a copy.</summary>
    public required long Lost { get; init; }

    public required long Duplicates { get; init; }

    /// <summary>From the call of a write until it was durable.</summary>
    public required LatencySummary Write { get; init; }

    /// <summary>
    /// From the moment when a writer was free, or with a throttle from the intended start, until the write was durable. It
    /// includes waits while too many messages were unread.
    /// </summary>
    public LatencySummary Response { get; init; } = LatencySummary.Empty;

    /// <summary>From a reader's claim until its commit was durable.</summary>
    public required LatencySummary ReadTime { get; init; }

    /// <summary>From the start of <see cref="Response"/> until the removal was durable.</summary>
    public required LatencySummary EndToEnd { get; init; }

    /// <summary>
    /// What limited the throughput: the throttle, the limit on unread messages, or the server together with clients and writers.
    /// </summary>
    public required string LimitedBy { get; init; }

    public required string LimitEvidence { get; init; }

    /// <summary>The periods of the test in order; <see cref="Intervals"/> count from the start of the step.</summary>
    public IReadOnlyList<LoadPhase> Phases { get; init; } = [];

    public IReadOnlyList<QueueInterval> Intervals { get; init; } = [];

    /// <summary>What each process that read used and did, by number; empty when the process of the writers read.</summary>
    public IReadOnlyList<HostFigures> Hosts { get; init; } = [];

    public IReadOnlyList<ResourceFigures> Resources { get; init; } = [];

    /// <summary>Commits of the server for each message; null where the server does not report them.</summary>
    public double? CommitsPerMessage { get; init; }

    public double? LogBytesPerMessage { get; init; }

    public required string Command { get; init; }

    /// <summary>The rates that reports show: null where too few messages stand behind them.</summary>
    internal double? ShownWrittenPerSecond => ScenarioResult.Shown(WrittenPerSecond, Written);

    /// <inheritdoc cref="ShownWrittenPerSecond"/>
    internal double? ShownReadPerSecond => ScenarioResult.Shown(ReadPerSecond, Read);

    /// <summary>Whether a scenario of the run is this test.</summary>
    internal bool IsOf(ScenarioResult scenario) =>
        scenario.Parameters.Repeat == Repeat && (Scenario is null || scenario.Name == Scenario);

    /// <summary>
    /// This result for several tests: with the worst verdict, the reasons of each, and the warnings, lost and duplicate messages of all.
    /// </summary>
    internal QueueTestResult For(IReadOnlyList<QueueTestResult> tests, Func<QueueTestResult, string> name) =>
        this with
        {
            Verdict = tests.Max(test => test.Verdict),
            Reasons = [.. tests.SelectMany(test => test.Reasons.Select(reason => $"{name(test)}: {reason}"))],
            Warnings = [.. tests.SelectMany(test => test.Warnings).Distinct()],
            Lost = tests.Sum(test => test.Lost),
            Duplicates = tests.Sum(test => test.Duplicates),
        };
}

/// <summary>One line of the progress report.</summary>
/// <param name="AtSeconds">The end of the interval, in seconds since the start.</param>
/// <param name="WrittenPerSecond">Messages written a second within the interval.</param>
/// <param name="ReadPerSecond">Copies read a second within the interval.</param>
/// <param name="Unread">Unread messages at its end.</param>
/// <param name="EndToEndP99Ms">
/// End-to-end p99 in milliseconds of the messages read within the interval; null when they were too few for it.
/// </param>
public sealed record QueueInterval(double AtSeconds, double WrittenPerSecond, double ReadPerSecond, long Unread, double? EndToEndP99Ms);
