namespace Serdica.Perf.Measurement.Results;

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
    public const string ServiceTime = "serviceTime";

    public const string ResponseTime = "responseTime";

    public const string LatencyToDrain = "latencyToDrain";

    public const string Lateness = "lateness";

    /// <summary>Of an open load: an operation's intended start to its call.</summary>
    public const string ScheduleLag = "scheduleLag";
}
