using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Results.Recording;

namespace Serdica.Perf.Results.Queues;

/// <summary>
/// What a test of the bare queue has found: the content of <c>queue.json</c>. MiB are of payload. Of several repeats the
/// figures are those of the typical one.
/// </summary>
public sealed record QueueTestResult
{
    public const int CurrentSchemaVersion = 1;

    public int SchemaVersion { get; init; } = CurrentSchemaVersion;

    /// <summary>The worst of all repeats.</summary>
    public required StepVerdict Verdict { get; init; }

    /// <summary>One sentence each: why it is not passed.</summary>
    public required IReadOnlyList<string> Reasons { get; init; }

    /// <summary>One sentence each: what a reader of the figures must know, whatever the verdict.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>Whose figures these are, from 1.</summary>
    public int Repeat { get; init; } = 1;

    /// <summary>All of them, in their order; empty where there was one.</summary>
    public IReadOnlyList<QueueRepeat> Repeats { get; init; } = [];

    /// <summary>The numbers of writers that were tried, rising; empty where there was one. The figures are of the one that wrote the most.</summary>
    public IReadOnlyList<QueueRung> Ladder { get; init; } = [];

    /// <summary>The name of the figures' scenario in <c>summary.json</c>.</summary>
    public string? Scenario { get; init; }

    public required string RunId { get; init; }

    public required string Backend { get; init; }

    public required QueuePlan Plan { get; init; }

    /// <summary>Messages that were durable.</summary>
    public required long Written { get; init; }

    /// <summary>Copies whose removal was durable.</summary>
    public required long Read { get; init; }

    /// <summary>Over the time that was given to write, or that to the last write where it is longer.</summary>
    public required double WrittenPerSecond { get; init; }

    /// <summary>Over the time from the start of the load to the last read, which may be after the last write.</summary>
    public required double ReadPerSecond { get; init; }

    public required double WrittenMebibytesPerSecond { get; init; }

    public required double ReadMebibytesPerSecond { get; init; }

    /// <summary>The most messages that were written and not yet read.</summary>
    public required long PeakUnread { get; init; }

    /// <summary>The same when writing ended.</summary>
    public required long UnreadAtEnd { get; init; }

    /// <summary>Copies that were never read, and reads beyond the first of a copy.</summary>
    public required long Lost { get; init; }

    public required long Duplicates { get; init; }

    /// <summary>Call of a write until it was durable.</summary>
    public required LatencySummary Write { get; init; }

    /// <summary>
    /// From when the write was wanted until it was durable, with the wait for room where too much was unread: by a free writer,
    /// or with a throttle at its intended start.
    /// </summary>
    public LatencySummary Response { get; init; } = LatencySummary.Empty;

    /// <summary>A reader's claim until its commit was durable.</summary>
    public required LatencySummary ReadTime { get; init; }

    /// <summary>From when the write was wanted, see <see cref="Response"/>, until the removal was durable.</summary>
    public required LatencySummary EndToEnd { get; init; }

    /// <summary>What set the throughput: the throttle, the most unread, or the server with client and writers.</summary>
    public required string LimitedBy { get; init; }

    public required string LimitEvidence { get; init; }

    /// <summary>When what went on, in order; <see cref="Intervals"/> count from the begin of the step.</summary>
    public IReadOnlyList<LoadPhase> Phases { get; init; } = [];

    public IReadOnlyList<QueueInterval> Intervals { get; init; } = [];

    public IReadOnlyList<ResourceFigures> Resources { get; init; } = [];

    /// <summary>Commits of the server and bytes of its log for each message; null where it does not tell.</summary>
    public double? CommitsPerMessage { get; init; }

    public double? LogBytesPerMessage { get; init; }

    public required string Command { get; init; }

    /// <summary>These figures for several tests: with the worst verdict, the reasons of each and the warnings of all.</summary>
    internal QueueTestResult For(IReadOnlyList<QueueTestResult> tests, Func<QueueTestResult, string> name) => this with
    {
        Verdict = tests.Max(test => test.Verdict),
        Reasons = [.. tests.SelectMany(test => test.Reasons.Select(reason => $"{name(test)}: {reason}"))],
        Warnings = [.. tests.SelectMany(test => test.Warnings).Distinct()],
    };
}

/// <summary>One line of the interim report.</summary>
/// <param name="AtSeconds">End of the interval, from the begin.</param>
/// <param name="WrittenPerSecond">Within the interval.</param>
/// <param name="ReadPerSecond">Within the interval; copies count.</param>
/// <param name="Unread">At its end.</param>
/// <param name="EndToEndP99Ms">Of the messages read within it.</param>
public sealed record QueueInterval(double AtSeconds, double WrittenPerSecond, double ReadPerSecond, long Unread, double? EndToEndP99Ms);
