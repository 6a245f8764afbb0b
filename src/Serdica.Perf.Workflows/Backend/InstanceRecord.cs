namespace Serdica.Perf.Workflows;

/// <summary>One instance as the database holds it.</summary>
public sealed record InstanceRecord
{
    private readonly long _createdAt;
    private readonly long _updatedAt;

    /// <summary>UUIDv7: ordered by time of creation. With a business key, it has the slot of the key (<see cref="SortableId"/>).</summary>
    public required Guid Id { get; init; }

    public required string Definition { get; init; }

    public required int DefinitionVersion { get; init; }

    /// <summary>Unique among all instances when given.</summary>
    public string? BusinessKey { get; init; }

    /// <summary>The instance that gets a signal when this one closes.</summary>
    public Guid? ParentId { get; init; }

    public required InstanceStatus Status { get; init; }

    public WaitKinds Waits { get; init; }

    /// <summary>Name of the step that the instance stands at.</summary>
    public required string Step { get; init; }

    /// <summary>0 at the start, then one more for each signal that was handled: no gap, no fork.</summary>
    public required long Version { get; init; }

    /// <summary>The user's state: UTF-8 JSON.</summary>
    public required byte[] State { get; init; }

    /// <summary>The engine's own notes (buffered signals, timer, activity, children): UTF-8 JSON, or none.</summary>
    public byte[]? Progress { get; init; }

    /// <summary>Why the instance faulted, was cancelled, or is parked (<see cref="WaitKinds.Parked"/>).</summary>
    public string? Error { get; init; }

    /// <summary>Time of the first write by the database's clock; set by the backend.</summary>
    public DateTimeOffset CreatedAt
    {
        get => new(_createdAt, TimeSpan.Zero);
        init => _createdAt = value.UtcTicks;
    }

    /// <summary>Time of the last write by the database's clock; set by the backend.</summary>
    public DateTimeOffset UpdatedAt
    {
        get => new(_updatedAt, TimeSpan.Zero);
        init => _updatedAt = value.UtcTicks;
    }
}
