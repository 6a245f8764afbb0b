namespace Serdica.Perf.Workflows;

/// <summary>One message of the bare queue.</summary>
public sealed record Message
{
    /// <summary>UUIDv7, ordered within the sending process.</summary>
    public required Guid Id { get; init; }

    public byte[] Payload { get; init; } = [];

    /// <summary>When it is due. A received message carries the absolute time.</summary>
    public Due Due { get; init; }
}
