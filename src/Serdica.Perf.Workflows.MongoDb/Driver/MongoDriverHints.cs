namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// A change stream over the store's document, which a process updates when it has work for others. It does not watch signals:
/// each process would be sent every signal of every other. Hints only: a lost one costs a poll, never a signal.
/// </summary>
/// <param name="silence">
/// How long the server may say nothing at all; default 10 s. It answers at least once a second: behind a longer silence is
/// a connection that one side has lost, and a new stream takes its place.
/// </param>
internal sealed class MongoDriverHints(IMongoDatabase database, TimeSpan? silence = null) : IAsyncDisposable
{
    private static readonly TimeSpan EndedPause = FromSeconds(1);

    private static readonly TimeSpan AnswerInterval = FromSeconds(1);

    private readonly TimeSpan _silence = silence ?? FromSeconds(10);

    /// <summary>
    /// Updates of the store's document, which are hints and nothing else. Only the position of each change is sent.
    /// </summary>
    private static readonly PipelineDefinition<ChangeStreamDocument<BsonDocument>, BsonDocument> Hints = new BsonDocument[]
    {
        new("$match", new BsonDocument("operationType", "update")),
        new("$project", new BsonDocument("_id", 1)),
    };

    private readonly IMongoCollection<BsonDocument> _store = database.GetCollection<BsonDocument>(Collections.Store);
    private readonly SharedWait _wait = new();
    private IChangeStreamCursor<BsonDocument>? _changes;
    private BsonDocument? _position;

    public async Task<bool> TryOpenAsync(CancellationToken cancellationToken)
    {
        try
        {
            using var changes = await _store.WatchAsync(Hints, cancellationToken: cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (MongoCommandException e) when (!DocumentErrors.IsTransient(e.Code))
        {
            // A server that knows streams may miss the database, which does not exist before the store is made.
            return e.Code == DocumentErrors.NamespaceNotFound;
        }
    }

    // Not given up with a wait: that would cost the connection, and another stream for the next one.
    public Task<bool> WaitAsync(TimeSpan maximum, CancellationToken cancellationToken) =>
        _wait.WaitAsync(_ => MoveNextAsync(), maximum, cancellationToken);

    public Task NotifyAsync(CancellationToken cancellationToken) =>
        _store
            .WithWriteConcern(WriteConcern.W1)
            .UpdateOneAsync(
                new BsonDocument("_id", 0),
                new BsonDocument("$inc", new BsonDocument("hints", 1)),
                cancellationToken: cancellationToken
            );

    public async ValueTask DisposeAsync()
    {
        await _wait.EndAsync().ConfigureAwait(false);
        Interlocked.Exchange(ref _changes, null)?.Dispose();
    }

    /// <summary>Whether something has changed; after a while the server says that nothing has.</summary>
    /// <exception cref="TimeoutException">There was no answer for too long.</exception>
    private async Task<bool> MoveNextAsync()
    {
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(_wait.Ended);
        limit.CancelAfter(_silence);
        try
        {
            // A driver that waits for a lost connection is left to itself.
            var (changes, isOpen) = await AnswerAsync(limit.Token).WaitAsync(limit.Token).ConfigureAwait(false);
            if (isOpen)
            {
                _changes = changes;
                _position = changes.GetResumeToken();
                return changes.Current.Any();
            }

            // The database has been dropped, and the stream ended with it.
            changes.Dispose();
            _position = null;
        }
        catch (MongoCommandException)
        {
            // The oplog may no longer reach back to it, or the server not understand it.
            _position = null;
            throw;
        }
        catch (OperationCanceledException) when (!_wait.Ended.IsCancellationRequested)
        {
            throw new TimeoutException($"The change stream was silent for {_silence.TotalSeconds:0.#} s; the next wait opens another one.");
        }

        await Task.Delay(EndedPause, _wait.Ended).ConfigureAwait(false);
        return false;
    }

    private async Task<(IChangeStreamCursor<BsonDocument> Changes, bool IsOpen)> AnswerAsync(CancellationToken cancellationToken)
    {
        var options = new ChangeStreamOptions { ResumeAfter = _position, MaxAwaitTime = AnswerInterval };
        var changes =
            Interlocked.Exchange(ref _changes, null) ?? await _store.WatchAsync(Hints, options, cancellationToken).ConfigureAwait(false);
        try
        {
            var isOpen = await changes.MoveNextAsync(cancellationToken).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
            return (changes, isOpen);
        }
        catch
        {
            changes.Dispose();
            throw;
        }
    }
}
