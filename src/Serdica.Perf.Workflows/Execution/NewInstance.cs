namespace Serdica.Perf.Workflows;

/// <summary>Where a new instance comes from.</summary>
internal readonly record struct NewInstance(
    Guid Id, string? BusinessKey, Guid? ParentId, Guid? ReportsAs, DateTimeOffset Now);
