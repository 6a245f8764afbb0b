namespace Serdica.Perf.Workflows;

/// <summary>What differs in kind between backends.</summary>
/// <param name="Durable">What was acknowledged survives a kill of every process.</param>
/// <param name="CrossProcessHints"><see cref="IWorkflowBackend.WaitForWorkAsync"/> hears of other processes.</param>
public sealed record BackendCapabilities(bool Durable, bool CrossProcessHints)
{
    /// <summary>Claims can leave definitions alone that a host lacks (<see cref="ClaimRequest.Unknown"/>).</summary>
    public bool FiltersDefinitions { get; init; }
}
