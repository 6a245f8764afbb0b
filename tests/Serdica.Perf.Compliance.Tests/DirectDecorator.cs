namespace Serdica.Perf.Compliance;

/// <summary>A backend with one fault of a test's making in what decides directly.</summary>
internal abstract class DirectDecorator(IWorkflowBackend inner) : BackendDecorator(inner), IWorkflowBackend
{
    public override BackendCapabilities Capabilities => base.Capabilities with { DecidesDirectly = true };

    public virtual Task SubmitAsync(IReadOnlyList<Submission> batch, DirectTurns direct, CancellationToken cancellationToken) =>
        Inner.SubmitAsync(batch, direct, cancellationToken);
}
