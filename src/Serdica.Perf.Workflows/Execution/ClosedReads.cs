namespace Serdica.Perf.Workflows;

/// <summary>
/// Reads instances that callers wait for. Callers that come while a read is under way share the next one: with 256 callers, a read for
/// each took more of the server than the round trips themselves.
/// </summary>
internal sealed class ClosedReads(IWorkflowBackend backend)
{
    /// <summary>Instances in one read.</summary>
    private const int Most = ClosedInstances.LookBatch;

    private readonly Lock _gate = new();
    private readonly Dictionary<Guid, TaskCompletionSource<InstanceRecord?>> _waiting = [];
    private bool _isReading;

    /// <returns>
    /// The instance if it is closed. Null when it is open, when there is none, or when it was too large for a shared answer.
    /// </returns>
    /// <exception cref="WorkflowBackendException">The read has failed.</exception>
    public Task<InstanceRecord?> ReadAsync(Guid instanceId, CancellationToken cancellationToken)
    {
        Task<InstanceRecord?> answer;
        bool begins;
        lock (_gate)
        {
            ref var waiting = ref CollectionsMarshal.GetValueRefOrAddDefault(_waiting, instanceId, out _);
            waiting ??= new(RunContinuationsAsynchronously);
            answer = waiting.Task;
            begins = !_isReading;
            _isReading = true;
        }

        // It ends by itself when nobody waits.
        if (begins)
            _ = ReadAllAsync();
        return answer.WaitAsync(cancellationToken);
    }

    private async Task ReadAllAsync()
    {
        while (NextBatch() is { Count: > 0 } batch)
        {
            try
            {
                // Not for one caller alone, so none of them can cancel it.
                var closed = await backend.FindClosedAsync([.. batch.Keys], CancellationToken.None).ConfigureAwait(false);
                var byId = closed.ToDictionary(static instance => instance.Id);
                foreach (var (id, waiting) in batch)
                    waiting.SetResult(byId.GetValueOrDefault(id));
            }
            catch (Exception error)
            {
                foreach (var waiting in batch.Values)
                    waiting.TrySetException(error);
            }
        }
    }

    /// <summary>Those that wait; none ends the reading.</summary>
    private Dictionary<Guid, TaskCompletionSource<InstanceRecord?>> NextBatch()
    {
        lock (_gate)
        {
            var batch = _waiting.Take(Most).ToDictionary();
            foreach (var id in batch.Keys)
                _waiting.Remove(id);
            _isReading = batch.Count > 0;
            return batch;
        }
    }
}
