namespace Serdica.Perf.Workflows;

/// <summary>
/// Limits and times of the engine, the same for clients and hosts of one application. A time over 30 days is cut to that.
/// </summary>
public sealed record WorkflowOptions
{
    /// <value>Signal workers of a host; default 2.</value>
    public int Workers { get; init; } = 2;

    /// <value>Signals that a worker claims at once; default 256.</value>
    public int ClaimBatch { get; init; } = 256;

    /// <value>
    /// How long a worker that has found more than one signal or message waits before it polls again, so that the
    /// next poll finds more; default none. For queues whose writers do not wait for their readers: fewer commits of readers
    /// leave the log to the writers.
    /// </value>
    public TimeSpan Linger
    {
        get;
        init => field = Delays.CutForTimer(value);
    }

    /// <value>
    /// Activities that a host runs side by side; default 64. Those that find no place wait in the database and cost a claim each, so
    /// asynchronous activities gain by more places. Code that blocks threads keeps them from the engine.
    /// </value>
    public int MaxActivities { get; init; } = 64;

    /// <value>How long an activity's lease holds between two extensions; default 30 s.</value>
    public TimeSpan ActivityLease
    {
        get;
        init => field = Delays.CutForTimer(value);
    } = FromSeconds(30);

    /// <value>
    /// After how long the signals of an instance that this host cannot go on with are offered again for the first time;
    /// longer each time, by <see cref="InstanceRetry"/>. Default 1 s.
    /// </value>
    public TimeSpan UnknownDefinitionDelay
    {
        get;
        init => field = Delays.CutForTimer(value);
    } = FromSeconds(1);

    /// <value>
    /// How long the handlers of one claim may take together; default 5 s. Then the claim is undone, and the instance whose
    /// handler does not end is put off by <see cref="InstanceRetry"/>. Keep it below the time after which the database
    /// ends a claim by itself; at least 8 ms.
    /// </value>
    public TimeSpan DecideTimeout
    {
        get;
        init => field = Delays.CutForTimer(value);
    } = FromSeconds(5);

    /// <value>
    /// How an instance that the database refuses to write, or whose handler does not end, is tried again, apart from
    /// others; then its external signals become dead letters, and it faults if there are others. Default 8 tries: after
    /// 1, 2, 4, ... s, at most 30 s. Transient errors, which the database alone may cause, never end the tries.
    /// </value>
    public RetryPolicy InstanceRetry { get; init; } = new() { MaxAttempts = 8, FirstDelay = FromSeconds(1) };

    /// <value>
    /// How a signal whose handler failed is tried again before it becomes a dead letter. Each try has a turn of its own, 1 ms after the
    /// one before at the earliest.
    /// </value>
    public RetryPolicy SignalRetry { get; init; } = RetryPolicy.Default;

    /// <value>Default 1 MiB.</value>
    public int MaxPayloadBytes { get; init; } = 1 << 20;

    /// <value>Default 1 MiB.</value>
    public int MaxStateBytes { get; init; } = 1 << 20;

    /// <value>Early signals that one instance keeps; default 1,000. One more becomes a dead letter.</value>
    public int MaxBufferedSignals { get; init; } = 1_000;

    /// <value>
    /// Payloads of the early signals that one instance keeps, all together; default 4 MiB. One more becomes a dead letter.
    /// </value>
    public int MaxBufferedBytes { get; init; } = 4 << 20;

    /// <value>
    /// Results of closed children that an instance keeps while others are open, all together; default 64 KiB. Larger ones are
    /// not kept: they are read from the closed children when the last has closed, by a turn of its own.
    /// </value>
    public int MaxChildBytes { get; init; } = 64 << 10;

    /// <value>
    /// Whether a client of a host decides signals in the commit that would otherwise store them, where the backend can
    /// (<see cref="BackendCapabilities.DecidesDirectly"/>), and a parent in the commit that closes its child; default true. If
    /// not, workers claim all signals.
    /// </value>
    public bool DirectSignals { get; init; } = true;

    /// <value>Starts and signals in one commit; default 512.</value>
    public int SubmitBatch { get; init; } = 512;

    /// <value>
    /// Payloads and states in one commit, in bytes; default 4 MiB. A start or signal that is larger goes alone.
    /// </value>
    public int SubmitBatchBytes { get; init; } = 4 << 20;

    /// <value>
    /// Commits of starts and signals under way at once, those that hang not counted; default 2. One begins beside another only with 64
    /// items, or <see cref="SubmitBatch"/> if that is less. Each part of a divided store
    /// (<see cref="BackendCapabilities.Parts"/>) has its own.
    /// </value>
    public int SubmitConcurrency { get; init; } = 2;

    /// <value>
    /// A commit that takes longer hangs: what waits behind it goes another way to the database. Default 1 s.
    /// </value>
    public TimeSpan SubmitPatience
    {
        get;
        init => field = Delays.CutForTimer(value);
    } = FromSeconds(1);

    /// <value>
    /// A commit that takes longer is given up, and its callers get a transient error that says that the outcome is
    /// unknown; default 10 s.
    /// </value>
    public TimeSpan SubmitTimeout
    {
        get;
        init => field = Delays.CutForTimer(value);
    } = FromSeconds(10);

    /// <value>Starts and signals that may wait for their commit; further callers wait. Default 10,000.</value>
    public int MaxPendingSubmissions { get; init; } = 10_000;

    /// <value>
    /// Longest pause of an idle worker before it polls without a hint; default 1 s. Backends
    /// without hints from other processes are polled at a tenth of it; those that ask the database for late work instead, at sixty times
    /// it, up to a minute. At least 10 ms.
    /// </value>
    public TimeSpan MaxPollInterval
    {
        get;
        init => field = Delays.CutForTimer(value);
    } = FromSeconds(1);

    /// <value>How long a stopping host waits for its activities before it cancels them; default 20 s.</value>
    public TimeSpan DrainTimeout
    {
        get;
        init => field = Delays.CutForTimer(value);
    } = FromSeconds(20);

    /// <summary>What is in force on a backend: where commits are not shared, each has one start, signal or message.</summary>
    /// <param name="capabilities">Of the backend.</param>
    /// <param name="receivesMessages">Whether they are those of a receiver of messages, which takes one at a time there.</param>
    public WorkflowOptions On(BackendCapabilities capabilities, bool receivesMessages = false)
    {
        ArgumentNullException.ThrowIfNull(capabilities);
        return capabilities.OneByOne ? this with { SubmitBatch = 1, ClaimBatch = receivesMessages ? 1 : ClaimBatch } : this;
    }

    /// <exception cref="ArgumentException">A value makes no sense; the message names it.</exception>
    internal void Validate()
    {
        CheckAtLeast(nameof(Workers), Workers, 1);
        CheckAtLeast(nameof(ClaimBatch), ClaimBatch, 1);
        CheckAtLeast(nameof(MaxActivities), MaxActivities, 1);
        CheckAtLeast(nameof(MaxPayloadBytes), MaxPayloadBytes, 1);
        CheckAtLeast(nameof(MaxStateBytes), MaxStateBytes, 1);
        CheckAtLeast(nameof(MaxBufferedSignals), MaxBufferedSignals, 1);
        CheckAtLeast(nameof(MaxBufferedBytes), MaxBufferedBytes, 1);
        CheckAtLeast(nameof(MaxChildBytes), MaxChildBytes, 0);
        CheckAtLeast(nameof(SubmitBatch), SubmitBatch, 1);
        CheckAtLeast(nameof(SubmitBatchBytes), SubmitBatchBytes, 1);
        CheckAtLeast(nameof(SubmitConcurrency), SubmitConcurrency, 1);
        CheckAtLeast(nameof(MaxPendingSubmissions), MaxPendingSubmissions, 1);
        CheckPositive(nameof(SubmitPatience), SubmitPatience);
        CheckPositive(nameof(SubmitTimeout), SubmitTimeout);
        CheckPositive(nameof(ActivityLease), ActivityLease);
        CheckPositive(nameof(UnknownDefinitionDelay), UnknownDefinitionDelay);
        CheckAtLeast(nameof(DecideTimeout), DecideTimeout, FromMilliseconds(8));
        CheckAtLeast(nameof(MaxPollInterval), MaxPollInterval, FromMilliseconds(10));
        CheckPositive(nameof(DrainTimeout), DrainTimeout);
        if (Linger < TimeSpan.Zero)
            throw new ArgumentException($"WorkflowOptions.{nameof(Linger)} is {Linger}; it must not be below zero.");
        SignalRetry.Validate(nameof(SignalRetry));
        InstanceRetry.Validate(nameof(InstanceRetry));
    }

    private static void CheckAtLeast<T>(string name, T value, T least)
        where T : IComparable<T>
    {
        if (value.CompareTo(least) < 0)
            throw new ArgumentException($"WorkflowOptions.{name} is {value}; it must be at least {least}.");
    }

    private static void CheckPositive(string name, TimeSpan value)
    {
        if (value <= TimeSpan.Zero)
            throw new ArgumentException($"WorkflowOptions.{name} is {value}; it must be positive.");
    }
}
