namespace Serdica.Perf.Measurement.Queues;

/// <summary>What the reading of a copy of a message was.</summary>
internal enum MessageReading
{
    /// <summary>Of a message that nobody has written.</summary>
    Unknown,

    /// <summary>The copy had been read before.</summary>
    Again,

    /// <summary>The copy's first, and other copies are still unread.</summary>
    First,

    /// <summary>The copy's first, and the last of all copies.</summary>
    Last,
}
