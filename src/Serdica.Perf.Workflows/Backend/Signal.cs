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

/// <summary>What moves an instance. The numbers are stored.</summary>
public enum SignalKind
{
    /// <summary>Published from outside, with name and payload.</summary>
    External = 0,

    /// <summary>A durable timer is due.</summary>
    Timer = 1,

    /// <summary>An activity is ready to run, or its lease has run out.</summary>
    Activity = 2,

    /// <summary>An activity was run; carries its result and the fencing token.</summary>
    ActivityResult = 3,

    /// <summary>A child closed; carries its state.</summary>
    ChildClosed = 4,

    /// <summary>A buffered signal whose handler failed is to be tried again.</summary>
    Retry = 5,

    /// <summary>The instance is to be cancelled.</summary>
    Cancel = 6,
}
