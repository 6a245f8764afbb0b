namespace Serdica.Perf.Measurement.Verification;

/// <summary>
/// The instances of operations that start one each, with those of operations that completed: a failed operation must not disable the
/// verification of the others. Keeps samples in bounded memory. Thread-safe.
/// </summary>
/// <param name="examine">Null when the instance of an operation is as expected, otherwise the problem.</param>
internal sealed class AuditedInstances(int count, IWorkflowBackend backend, Func<int, InstanceRecord, string?> examine)
{
    private readonly SampledInstances _started = new(count, InstanceAudit.MostKept);
    private readonly SampledInstances _completed = new(count, InstanceAudit.MostKept);

    /// <summary>Records the instance of an operation when it is durable.</summary>
    public void Add(int operation, Guid instance) => _started.Add(operation, instance);

    /// <inheritdoc cref="SampledInstances.Any"/>
    public Guid? Any(int number) => _started.Any(number);

    /// <summary>The end of a launched operation, recorded when it completes.</summary>
    public Task Noted(int operation, Task completion) =>
        // Most operations of a long load are not in the sample, and record nothing at their end.
        _started.Find(operation)
            is { } instance
            ? NoteAsync(operation, instance, completion)
            : completion;

    /// <inheritdoc cref="OperationSet.VerifyAsync"/>
    public Task<IReadOnlyList<VerificationCheck>> VerifyAsync(int launched, CancellationToken cancellationToken) =>
        InstanceAudit.RunAsync(backend, _started.Of(launched), examine, cancellationToken, launched, index => index * _started.Stride);

    /// <inheritdoc cref="OperationSet.VerifyCompletedAsync"/>
    public async Task<IReadOnlyList<VerificationCheck>> VerifyCompletedAsync(int launched, CancellationToken cancellationToken)
    {
        var ids = _completed.Of(launched);
        var numbers = Enumerable.Range(0, ids.Length).Where(index => ids.Span[index] != Guid.Empty).ToArray();
        return numbers.Length == 0
            ? []
            : await InstanceAudit
                .RunAsync(backend, numbers.Select(index => ids.Span[index]).ToArray(), examine, cancellationToken, launched, index =>
                    numbers[index] * _completed.Stride
                );
    }

    private async Task NoteAsync(int operation, Guid instance, Task completion)
    {
        await completion;
        _completed.Add(operation, instance);
    }
}
