namespace Serdica.Perf.Workflows;

/// <summary>Claims due signals and decides their instances.</summary>
internal sealed class SignalWorker(
    IWorkflowBackend backend, BatchDecider decider, WorkflowClient client, WorkflowOptions options, CounterSet counters) : IWorker
{
    private readonly ClaimRequest _request = new(options.ClaimBatch);
    private int _signals;

    public async Task<ProcessOutcome> LookAsync(CancellationToken cancellationToken)
    {
        try
        {
            var outcome = await backend.ProcessAsync(_request, decider.Decide, cancellationToken).ConfigureAwait(false);
            _signals = outcome.Signals;
            return outcome;
        }
        catch (WorkflowBackendException e) when (!e.NothingWritten)
        {
            // The answer to the commit may be all that was lost.
            client.Closed.Suspect(decider.Closing);
            throw;
        }
    }

    public void Committed()
    {
        Telemetry.Handled.Add(_signals);
        Telemetry.ClaimBatch.Record(_signals);
        decider.Committed(client.Closed, client.Hints, counters);
    }

    public void Forget() => decider.Forget();
}
