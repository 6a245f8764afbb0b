namespace Serdica.Perf.Faults.Tests.Simulation;

/// <summary>A database that holds what was claimed for a while after the decisions have failed.</summary>
internal sealed class SlowRollback(IWorkflowBackend inner, TimeSpan slowness) : BackendDecorator(inner)
{
    public override Task<ProcessOutcome> ProcessAsync(ClaimRequest request, DecideBatch decide, CancellationToken cancellationToken) =>
        base.ProcessAsync(
            request,
            async batch =>
            {
                try
                {
                    return await decide(batch);
                }
                catch
                {
                    await Task.Delay(slowness, CancellationToken.None);
                    throw;
                }
            },
            cancellationToken
        );
}
