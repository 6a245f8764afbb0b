namespace Serdica.Perf.Compliance;

/// <summary>What was decided directly is committed, and the first answer never arrives.</summary>
internal sealed class LosesAnswersOfDirectCommits(IWorkflowBackend inner) : DirectDecorator(inner)
{
    private int _lost;

    public override async Task SubmitAsync(IReadOnlyList<Submission> batch, DirectTurns direct, CancellationToken cancellationToken)
    {
        await base.SubmitAsync(batch, direct, cancellationToken);
        if (Interlocked.Increment(ref _lost) == 1)
            throw new WorkflowBackendException("The connection is lost.", isTransient: true);
    }
}
