namespace Serdica.Perf.Workflows.Oracle;

/// <summary>What the database knows of an instance by itself, apart from its content.</summary>
internal sealed record OracleInstanceRow(
    Guid Id,
    Guid? ParentId,
    string? BusinessKey,
    long Version,
    InstanceStatus Status,
    WaitKinds Waits,
    DateTimeOffset CreatedAt,
    DateTimeOffset UpdatedAt);
