namespace Serdica.Perf.Measurement.Running;

/// <summary>The operations of a measurement. When it ends they are on disk, and missing ones are reported.</summary>
/// <param name="operations">Null when operations are not kept.</param>
internal sealed class KeptOperations(OperationLog? operations, string scenario, Action<string> note) : IAsyncDisposable
{
    public OperationLog? Operations => operations;

    public async ValueTask DisposeAsync()
    {
        if (operations is null)
            return;

        await operations.DisposeAsync();
        if (operations.NotKept > 0)
            note(
                Invariant($"{operations.NotKept:N0} operations of {scenario} are not in operations.ndjson: they came faster than the disk ")
                    + "took them. They are in all figures."
            );
    }
}
