namespace Serdica.Perf.Cli.Commands.Worker;

/// <summary>
/// `worker --join-runs`: works on the store of the newest run on the measured server, for as long as that store is there. It makes no
/// store and drops none.
/// </summary>
/// <param name="isReadyAsync">Whether the run has made the tables of the named store.</param>
/// <param name="workAsync">Works on the named store until its token fires.</param>
internal sealed class JoinedRuns(
    IStoreServer server,
    TextWriter output,
    TextWriter error,
    TimeProvider time,
    Func<string, CancellationToken, Task<bool>> isReadyAsync,
    Func<string, CancellationToken, Task> workAsync
)
{
    private static readonly TimeSpan Interval = FromSeconds(1);

    private string? _newest;
    private string? _trouble;

    /// <summary>Returns when the token has fired and the worker has left the store.</summary>
    public async Task RunAsync(CancellationToken cancellationToken)
    {
        try
        {
            await output.WriteLineAsync("Waiting for a run on this server.");
            while (true)
            {
                await LookAsync(cancellationToken);
                if (_newest is { } store && await isReadyAsync(store, cancellationToken))
                    await JoinAsync(store, cancellationToken);
                await Task.Delay(Interval, time, cancellationToken);
            }
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            // Asked to stop, which is how a worker ends.
        }
    }

    private async Task JoinAsync(string store, CancellationToken cancellationToken)
    {
        await output.WriteLineAsync($"Joining the run whose store is {store}.");
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var working = workAsync(store, end.Token);
        try
        {
            while (_newest == store && !working.IsCompleted)
            {
                await Task.WhenAny(working, Task.Delay(Interval, time, cancellationToken));
                await LookAsync(cancellationToken);
            }
        }
        finally
        {
            await end.CancelAsync();
            try
            {
                await working;
                await output.WriteLineAsync($"Left {store}.");
            }
            catch (Exception e) when (e is WorkflowBackendException or InvalidOperationException)
            {
                // The run may have dropped it at this moment; the next look tells.
                await error.WriteLineAsync($"The store {store} cannot be used: {e.Message}");
            }
        }
    }

    /// <summary>While the server does not answer, the run is taken to be there.</summary>
    private async Task LookAsync(CancellationToken cancellationToken)
    {
        try
        {
            var now = time.GetUtcNow();
            var stores = await server.FindAsync(cancellationToken);
            _newest = stores.Where(store => store.StateAt(now) == StoreState.Recent).MaxBy(store => store.Marker!.MadeAt)?.Name;
            _trouble = null;
        }
        catch (WorkflowBackendException e)
        {
            if (_trouble != e.Message)
                await error.WriteLineAsync($"The stores of the server cannot be listed: {e.Message}");
            _trouble = e.Message;
        }
    }
}
