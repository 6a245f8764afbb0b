namespace Serdica.Perf.Measurement.Queues;

/// <summary>Who gets a message.</summary>
public enum QueueMode
{
    /// <summary>One reader.</summary>
    Queue,

    /// <summary>Every subscriber, each through a queue of its own: the message is written for each, and acknowledged when all are durable.</summary>
    PubSub,
}
