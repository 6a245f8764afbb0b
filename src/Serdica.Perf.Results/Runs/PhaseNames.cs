namespace Serdica.Perf.Results.Runs;

/// <summary>Names of latencies, in <see cref="ScenarioResult.Phases"/> and as histogram files.</summary>
public static class PhaseNames
{
    public const string Start = "start";

    public const string SignalPublish = "signalPublish";

    public const string SignalToCompletion = "signalToCompletion";

    /// <summary>From the call that sends a message until the message is durable.</summary>
    public const string Enqueue = "enqueue";

    /// <summary>From a durable message until it is handled and committed.</summary>
    public const string EnqueueToHandled = "enqueueToHandled";

    /// <summary>From the call that requests a cancellation until the request is durable.</summary>
    public const string CancelPublish = "cancelPublish";

    /// <summary>From a durable request for cancellation until the instance is durably cancelled.</summary>
    public const string CancelToClosed = "cancelToClosed";

    /// <summary>From the durable start of an instance to its durable completion, where the start is all that it needs.</summary>
    public const string StartToCompletion = "startToCompletion";

    /// <summary>From the durable start of a parent with all its children to its durable completion.</summary>
    public const string StartToJoin = "startToJoin";

    /// <summary>From a durable poisonous signal to the completion of its instance, which waits for all attempts.</summary>
    public const string PoisonToCompletion = "poisonToCompletion";

    /// <summary>From the call that starts a host until its workers run.</summary>
    public const string HostStart = "hostStart";

    /// <summary>From the call that starts a host to the completion of an instance that it found.</summary>
    public const string HostStartToCompletion = "hostStartToCompletion";

    public const string ServiceTime = "serviceTime";

    public const string ResponseTime = "responseTime";

    /// <summary>A failed operation's intended start to its failure; it is in no other latency.</summary>
    public const string UntilFailure = "untilFailure";

    public const string LatencyToDrain = "latencyToDrain";

    public const string Lateness = "lateness";

    /// <summary>From an operation's intended start to its call, in an open load.</summary>
    public const string ScheduleLag = "scheduleLag";

    /// <summary>The generator's own part of the schedule lag.</summary>
    public const string GeneratorLag = "generatorLag";

    /// <summary>
    /// From a signal's due time to its claim by a worker, by the database's clock; for every signal, not every operation.
    /// </summary>
    public const string QueueTime = "queueTime";

    /// <summary>From the intended start of a read to its result, in a load that also reads instances back.</summary>
    public const string Read = "read";
}
