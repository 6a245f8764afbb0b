namespace Serdica.Perf.Results.Profiles;

/// <summary>
/// What an operation of the workflow <see cref="LoadProfile.ShapedWorkflow"/> does. The default is the plain round trip: start,
/// wait, event, completion.
/// </summary>
public sealed record WorkShape
{
    /// <value>The exact size of the event's JSON in bytes; default 256.</value>
    public int PayloadBytes { get; init; } = 256;

    /// <value>Bytes of the instance's state besides its counters; default 0.</value>
    public int StateBytes { get; init; }

    /// <value>Instances that each operation starts; the operation ends when all have. Default 1.</value>
    public int FanOut { get; init; } = 1;

    /// <value>Children that each instance starts and waits for; default 0.</value>
    public int Children { get; init; }

    /// <value>Durable timers of <see cref="TimerDelay"/>, one after the other; default 0.</value>
    public int Timers { get; init; }

    /// <value>The delay of each timer; default 10 ms.</value>
    public TimeSpan TimerDelay { get; init; } = FromMilliseconds(10);

    /// <value>How long the activity of each instance takes; default zero, which means no activity unless some are to fail.</value>
    public TimeSpan ActivityDelay { get; init; }

    /// <value>The share of instances whose activity fails on purpose, 0 to 1; default 0. These failures are counted separately.</value>
    public double FailureRate { get; init; }

    /// <value>The default is <see cref="WorkTrigger.Event"/>.</value>
    public WorkTrigger Trigger { get; init; }

    [JsonIgnore]
    public bool HasActivity => ActivityDelay > TimeSpan.Zero || FailureRate > 0;

    /// <summary>Whether every instance is complete in the commit of its start.</summary>
    [JsonIgnore]
    public bool CompletesAtStart => Trigger == WorkTrigger.Direct && !HasActivity && Children == 0 && Timers == 0;

    /// <summary>The number of instances that each operation creates.</summary>
    [JsonIgnore]
    public int InstancesPerOperation => FanOut * (1 + Children);

    /// <summary>A description for people, which also distinguishes two shapes.</summary>
    [JsonIgnore]
    public string Words =>
        Invariant($"{(Trigger == WorkTrigger.Event ? $"by an event of {PayloadBytes:N0} bytes" : "by the start")}, ")
        + Invariant($"state {StateBytes:N0} bytes, {Figure.Number(FanOut, "instance")}, ")
        + Invariant($"{Children:N0} {(Children == 1 ? "child" : "children")}, ")
        + Invariant($"{Figure.Number(Timers, "timer")} of {TimerDelay.TotalMilliseconds:0.##} ms, ")
        + Invariant($"activity of {ActivityDelay.TotalMilliseconds:0.##} ms, {FailureRate * 100:0.##} % to fail");

    /// <summary>
    /// Whether the activity of an instance fails on purpose. The failures are spread evenly and are the same in every run.
    /// </summary>
    /// <param name="instance">The operation's number times <see cref="FanOut"/>, plus the number within the operation.</param>
    public bool Fails(long instance) => (long)((instance + 1) * FailureRate) > (long)(instance * FailureRate);
}

/// <summary>What triggers the work of an operation.</summary>
public enum WorkTrigger
{
    /// <summary>An instance is started and waits, and an event is published to it: two durable writes of the caller.</summary>
    Event,

    /// <summary>The start itself triggers the work.</summary>
    Direct,
}
