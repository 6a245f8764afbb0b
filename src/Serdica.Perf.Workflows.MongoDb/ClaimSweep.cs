namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Removes the claims of processes that did not come back. Nobody waits for it: on MongoDB a delete waits for an open transaction
/// that deletes the same claim, and that of a killed host stays open until the server ends it.
/// </summary>
internal sealed class ClaimSweep(IDocumentDatabase database) : IAsyncDisposable
{
    private static readonly TimeSpan Interval = FromSeconds(1);

    private readonly CancellationTokenSource _end = new();
    private readonly Lock _gate = new();
    private Task _running = Task.CompletedTask;
    private long? _last;

    /// <summary>Begins one, unless one is under way or has begun a moment ago.</summary>
    public void Begin(DateTimeOffset now)
    {
        lock (_gate)
        {
            var isEarly = _last is { } last && Stopwatch.GetElapsedTime(last) < Interval;
            if (isEarly || !_running.IsCompleted || _end.IsCancellationRequested)
                return;
            _last = Stopwatch.GetTimestamp();
            _running = RunAsync(now, _end.Token);
        }
    }

    public async ValueTask DisposeAsync()
    {
        Task running;
        lock (_gate)
        {
            if (_end.IsCancellationRequested)
                return;
            _end.Cancel();
            running = _running;
        }

        await running.ConfigureAwait(false);
        _end.Dispose();
    }

    private async Task RunAsync(DateTimeOffset now, CancellationToken cancellationToken)
    {
        try
        {
            var expired = new BsonDocument("until", new BsonDocument("$lt", now.UtcDateTime));
            await database.DeleteAsync(Collections.Claims, expired, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is DocumentCommandException or OperationCanceledException or ObjectDisposedException)
        {
            // The claims stay for the next sweep, of whichever process; whoever meets a lost connection says so by itself.
        }
    }
}
