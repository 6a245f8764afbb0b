namespace Serdica.Perf.Compliance;

/// <summary>Claims are committed, and the first answer never arrives.</summary>
internal sealed class LosesAnswersOfClaims(IWorkflowBackend inner) : BackendDecorator(inner)
{
    private int _lost;

    public override async Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken)
    {
        var outcome = await base.ProcessAsync(request, decide, cancellationToken);
        return outcome.Signals > 0 && Interlocked.Increment(ref _lost) == 1
            ? throw new WorkflowBackendException("The connection is lost.", isTransient: true)
            : outcome;
    }
}
