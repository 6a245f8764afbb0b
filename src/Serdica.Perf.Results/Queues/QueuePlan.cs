
namespace Serdica.Perf.Results.Queues;

/// <summary>A test of the bare queue.</summary>
public sealed record QueuePlan
{
    /// <value>Default 10; each has one write under way.</value>
    public int Writers { get; init; } = 10;

    /// <value>Default 20, spread over queues and subscribers, so many in all and one each at least.</value>
    public int Readers { get; init; } = 20;

    /// <value>Default 1,024; at least the four bytes by which a message is known again.</value>
    public int PayloadBytes { get; init; } = 1_024;

    /// <value>How long is written; default 60 s.</value>
    public TimeSpan Duration { get; init; } = TimeSpan.FromSeconds(60);

    /// <value>Before it, in no figure; default 2 s.</value>
    public TimeSpan WarmUp { get; init; } = TimeSpan.FromSeconds(2);

    /// <value>Writes a second, of all writers, on a schedule; default as fast as it goes.</value>
    public double? PerSecond { get; init; }

    /// <value>Writers wait while so many messages are written and not yet read; default 2,000.</value>
    public int MaxUnread { get; init; } = 2_000;

    /// <value>How long a reader that has found more than one message waits before it looks again, for more to come together; default 2 ms.</value>
    public TimeSpan Linger { get; init; } = TimeSpan.FromMilliseconds(2);

    public QueueMode Mode { get; init; }

    /// <value>Of <see cref="QueueMode.PubSub"/>; default 2.</value>
    public int Subscribers { get; init; } = 2;

    /// <value>Queues, each in tables of its own, over which writers are spread; default 1.</value>
    public int Queues { get; init; } = 1;

    /// <value>Whether tables are vacuumed early and by the suite, as the engine does; default true. Else the server's defaults hold.</value>
    public bool TuneVacuum { get; init; } = true;

    /// <value>How often an interim report is printed; default 5 s.</value>
    public TimeSpan ReportInterval { get; init; } = TimeSpan.FromSeconds(5);

    /// <value>How long readers may take for what is left; default 30 s.</value>
    public TimeSpan DrainLimit { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>Copies of each message.</summary>
    public int Copies => Mode == QueueMode.PubSub ? Subscribers : 1;
}

/// <summary>Who gets a message.</summary>
public enum QueueMode
{
    /// <summary>One reader.</summary>
    Queue,

    /// <summary>Every subscriber, each through a queue of its own: the message is written for each, and acknowledged when all are durable.</summary>
    PubSub,
}
