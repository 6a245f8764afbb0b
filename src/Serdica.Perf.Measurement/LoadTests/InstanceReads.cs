namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>
/// Reads of instances that the operations in parallel have started. Until one is started, a read looks for an instance that does not
/// exist: without a query it would count as a read of 0 ms.
/// </summary>
internal sealed class InstanceReads(int count, IWorkflowBackend backend, IReadableOperations written) : OperationSet(count)
{
    public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
    {
        var started = written.InstanceToRead(operation);
        var found = await backend.FindAsync(started ?? Guid.CreateVersion7(), cancellationToken);
        if (started is { } id && found is null)
            throw new OperationFailedException($"Instance {id}, which was durably started, was not found.");
        return Task.CompletedTask;
    }

    /// <summary>Each read is judged when it is made.</summary>
    public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
        Task.FromResult<IReadOnlyList<VerificationCheck>>([]);
}
