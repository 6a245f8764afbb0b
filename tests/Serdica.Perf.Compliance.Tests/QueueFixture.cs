namespace Serdica.Perf.Compliance;

/// <summary>
/// A backend as it is with <c>--engine direct=off</c>: every signal is stored, and a worker claims it. The suites of starting,
/// claiming, leases and census call the seam, which is the same in both cases, and are not repeated with it.
/// </summary>
internal sealed class QueueFixture(IBackendFixture direct) : IBackendFixture
{
    public async Task<IBackendSchema> CreateSchemaAsync(CancellationToken cancellationToken) =>
        new Schema(await direct.CreateSchemaAsync(cancellationToken));

    public async Task<IBackendSchema> BorrowSchemaAsync(CancellationToken cancellationToken) =>
        new Schema(await direct.BorrowSchemaAsync(cancellationToken));

    private sealed class Schema(IBackendSchema inner) : IBackendSchema
    {
        public int Rounds => inner.Rounds;

        public IWorkflowBackend Connect() => new Queue(inner.Connect());

        public ValueTask DisposeAsync() => inner.DisposeAsync();
    }

    private sealed class Queue(IWorkflowBackend inner) : BackendDecorator(inner)
    {
        public override ValueTask DisposeAsync() => Inner.DisposeAsync();
    }
}
