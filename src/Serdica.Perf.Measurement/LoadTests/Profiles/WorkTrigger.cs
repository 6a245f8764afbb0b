namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>What sets the work of an operation off.</summary>
public enum WorkTrigger
{
    /// <summary>An instance is started and waits, and an event is published to it: two durable writes of the caller.</summary>
    Event,

    /// <summary>The start itself.</summary>
    Direct,
}
