namespace Serdica.Perf.Results.Runs;

/// <summary>Names under which latencies are kept, in <see cref="ScenarioResult.Phases"/> and as histogram files.</summary>
public static class PhaseNames
{
    public const string Start = "start";

    public const string SignalPublish = "signalPublish";

    public const string SignalToCompletion = "signalToCompletion";

    /// <summary>A message's call to durable.</summary>
    public const string Enqueue = "enqueue";

    /// <summary>A message's durable to handled and committed.</summary>
    public const string EnqueueToHandled = "enqueueToHandled";

    /// <summary>A request for cancellation: call to durable.</summary>
    public const string CancelPublish = "cancelPublish";

    /// <summary>A request's durable to the instance durably cancelled.</summary>
    public const string CancelToClosed = "cancelToClosed";

    /// <summary>An instance's start durable to its durable completion, where the start is all that it needs.</summary>
    public const string StartToCompletion = "startToCompletion";

    /// <summary>A parent's start durable, with all its children, to the parent durably completed.</summary>
    public const string StartToJoin = "startToJoin";

    /// <summary>A poisonous signal's durable to the completion of its instance, which waits for all attempts.</summary>
    public const string PoisonToCompletion = "poisonToCompletion";

    /// <summary>A host's start: the call, until its workers run.</summary>
    public const string HostStart = "hostStart";

    /// <summary>Call of a host's start to the completion of an instance that it found.</summary>
    public const string HostStartToCompletion = "hostStartToCompletion";

    public const string ServiceTime = "serviceTime";

    public const string ResponseTime = "responseTime";

    /// <summary>A failed operation's intended start to its failure; it is in no other latency.</summary>
    public const string UntilFailure = "untilFailure";

    public const string LatencyToDrain = "latencyToDrain";

    public const string Lateness = "lateness";

    /// <summary>Of an open load: an operation's intended start to its call.</summary>
    public const string ScheduleLag = "scheduleLag";

    /// <summary>The generator's own part of the schedule lag.</summary>
    public const string GeneratorLag = "generatorLag";

    /// <summary>A signal's due time to its claim by a worker, by the database's clock: of every signal, not of every operation.</summary>
    public const string QueueTime = "queueTime";

    /// <summary>Of a load with reads beside it: an instance read back, from its intended start.</summary>
    public const string Read = "read";
}
