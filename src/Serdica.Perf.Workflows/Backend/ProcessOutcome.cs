namespace Serdica.Perf.Workflows;

/// <summary>What one call of <see cref="IWorkflowBackend.ProcessAsync"/> did.</summary>
/// <param name="Signals">Signals handled and committed.</param>
/// <param name="Conflict">
/// An instance was changed by somebody else meanwhile: nothing was written, everything comes again.
/// </param>
/// <param name="NextDue">When nothing was due: how long until the next signal is; <see langword="null"/> if none is known.</param>
public readonly record struct ProcessOutcome(int Signals, bool Conflict = false, TimeSpan? NextDue = null);
