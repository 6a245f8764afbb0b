namespace Serdica.Perf.Results.Queues;

/// <summary>The parameters of a test of the bare queue.</summary>
public sealed record QueuePlan
{
    /// <value>The number of writers, each with one write in flight; default 10.</value>
    public int Writers { get; init; } = 10;

    /// <value>The total number of readers, spread over queues and subscribers with at least one each; default 20.</value>
    public int Readers { get; init; } = 20;

    /// <value>Bytes of a message; default 1,024, at least the four bytes that identify it.</value>
    public int PayloadBytes { get; init; } = 1_024;

    /// <value>How long messages are written; default 60 s.</value>
    public TimeSpan Duration { get; init; } = FromSeconds(60);

    /// <value>The duration of the warm-up, which no figure includes; default <see cref="LoadProfile.ShortestWarmUp"/>.</value>
    public TimeSpan WarmUp { get; init; } = LoadProfile.ShortestWarmUp;

    /// <value>Scheduled writes a second of all writers together; the default is no schedule: writers write at full speed.</value>
    public double? PerSecond { get; init; }

    /// <value>Writers wait while this many messages are written and not yet read; default 2,000.</value>
    public int MaxUnread { get; init; } = 2_000;

    /// <value>
    /// How long a reader that found more than one message waits before its next poll, so that the poll finds more; default 2 ms.
    /// </value>
    public TimeSpan Linger { get; init; } = FromMilliseconds(2);

    public QueueMode Mode { get; init; }

    /// <value>The number of subscribers in mode <see cref="QueueMode.PubSub"/>; default 2.</value>
    public int Subscribers { get; init; } = 2;

    /// <value>The number of queues over which writers are spread, each with its own tables; default 1.</value>
    public int Queues { get; init; } = 1;

    /// <value>
    /// Whether tables are vacuumed early and by the suite, as the engine does; default true. If false, the server's defaults apply.
    /// </value>
    public bool TuneVacuum { get; init; } = true;

    /// <value>The interval of progress reports; default 5 s.</value>
    public TimeSpan ReportInterval { get; init; } = FromSeconds(5);

    /// <value>How long readers may take for the remaining messages; default 30 s.</value>
    public TimeSpan DrainLimit { get; init; } = FromSeconds(30);

    /// <summary>Copies of each message.</summary>
    public int Copies => Mode == QueueMode.PubSub ? Subscribers : 1;
}

/// <summary>Who receives a message.</summary>
public enum QueueMode
{
    /// <summary>One reader.</summary>
    Queue,

    /// <summary>
    /// Every subscriber, each through its own queue: the message is written once for each, and acknowledged when all copies are
    /// durable.
    /// </summary>
    PubSub,
}
