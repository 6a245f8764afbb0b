namespace Serdica.Perf.Compliance;

/// <summary>Fails each commit that would write an instance in a state that is refused, whichever way it was decided.</summary>
internal sealed class RefusesDecisions(IWorkflowBackend inner, Func<InstanceRecord, bool> refuses) : DirectDecorator(inner)
{
    public override Task SubmitAsync(IReadOnlyList<Submission> batch, DirectTurns direct, CancellationToken cancellationToken) =>
        base.SubmitAsync(
            batch,
            direct with { Decide = Refusing(direct.Decide), DecideParents = RefusingParents(direct.DecideParents) },
            cancellationToken
        );

    public override Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken) =>
        base.ProcessAsync(request with { DecideParents = RefusingParents(request.DecideParents) }, Refusing(decide), cancellationToken);

    private DecideBatch? RefusingParents(DecideBatch? decide) => decide is null ? null : Refusing(decide);

    private DecideBatch Refusing(DecideBatch decide) =>
        async batch =>
        {
            var decisions = await decide(batch);
            return decisions.Any(decision => decision.Instance is { } record && refuses(record))
                ? throw new WorkflowBackendException("The disk does not like it.", isTransient: false) { NothingWritten = true }
                : decisions;
        };
}
