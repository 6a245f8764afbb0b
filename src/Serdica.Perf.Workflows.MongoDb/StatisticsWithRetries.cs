namespace Serdica.Perf.Workflows.MongoDb;

internal sealed class StatisticsWithRetries(Func<IBackendStatistics> open) : IBackendStatistics
{
    private readonly Lazy<IBackendStatistics> _server = new(open);
    private readonly ConcurrentQueue<MongoDbWorkflowBackend> _watched = [];

    /// <summary>Counts this backend in, also after it was disposed.</summary>
    public MongoDbWorkflowBackend Watch(MongoDbWorkflowBackend backend)
    {
        _watched.Enqueue(backend);
        return backend;
    }

    public async Task<StatisticsSnapshot> TakeSnapshotAsync(SnapshotDepth depth, CancellationToken cancellationToken)
    {
        var snapshot = await _server.Value.TakeSnapshotAsync(depth, cancellationToken).ConfigureAwait(false);
        var retries = new Statistic(_watched.Sum(static backend => backend.Retries));
        return snapshot with { Values = new Dictionary<string, Statistic>(snapshot.Values) { ["writeRetries"] = retries } };
    }

    public ValueTask DisposeAsync() => _server.IsValueCreated ? _server.Value.DisposeAsync() : default;
}
