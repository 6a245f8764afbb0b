namespace Serdica.Perf.Workflows;

/// <summary>The instance that already holds a business key.</summary>
public sealed record ExistingInstance(Guid Id, string Definition);
