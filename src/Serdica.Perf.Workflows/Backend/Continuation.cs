namespace Serdica.Perf.Workflows;

/// <summary>An instance that goes on as another one, which keeps to the dedup keys that the first has accepted.</summary>
/// <param name="From">The predecessor, which is closed.</param>
/// <param name="To">The instance that continues it.</param>
public readonly record struct Continuation(Guid From, Guid To);
