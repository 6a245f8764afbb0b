namespace Serdica.Perf.Workflows;

/// <summary>One signal to an instance.</summary>
public sealed record Signal
{
    /// <summary>UUIDv7, ordered within the publishing process. Together with the instance it is the key.</summary>
    public required Guid Id { get; init; }

    public required Guid InstanceId { get; init; }

    public required SignalKind Kind { get; init; }

    /// <summary>Name of the external signal, or of the step that the engine's own signals belong to.</summary>
    public required string Name { get; init; }

    /// <summary>UTF-8 JSON for external signals; the engine's own form for others; empty when there is none.</summary>
    public byte[] Payload { get; init; } = [];

    /// <summary>When it is due. A claimed signal carries the absolute time.</summary>
    public Due Due { get; init; }

    /// <summary>How often it was tried; for activities this is the fencing token, which only grows.</summary>
    public int Attempt { get; init; }
}
