using Serdica.Perf.Measurement.LoadTests.Work;

namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>Reads of instances that the operations beside them have started. While there is none, a read does nothing.</summary>
internal sealed class InstanceReads(int count, IWorkflowBackend backend, IReadableOperations written) : OperationSet(count)
{
    public override async ValueTask<Task> LaunchAsync(int operation, CancellationToken cancellationToken)
    {
        if (written.InstanceToRead(operation) is { } id && await backend.FindAsync(id, cancellationToken).ConfigureAwait(false) is null)
            throw new OperationFailedException($"Instance {id}, which was durably started, was not found.");
        return Task.CompletedTask;
    }

    /// <summary>Each read is judged when it is made.</summary>
    public override Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
        Task.FromResult<IReadOnlyList<VerificationCheck>>([]);
}
