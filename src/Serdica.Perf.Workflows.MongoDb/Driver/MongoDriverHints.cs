using MongoDB.Bson;
using MongoDB.Driver;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// A change stream over new signals, and over the store's document for hints that go with no signal. Hints only: a lost
/// one costs a poll, never a signal.
/// </summary>
internal sealed class MongoDriverHints(IMongoDatabase database) : IAsyncDisposable
{
    private static readonly TimeSpan EndedPause = TimeSpan.FromSeconds(1);

    /// <summary>Of each change only its position is sent: whole, every signal would go to every process once more.</summary>
    private static readonly PipelineDefinition<ChangeStreamDocument<BsonDocument>, BsonDocument> Hints =
        new BsonDocument[]
        {
            new("$match", new BsonDocument
            {
                { "operationType", new BsonDocument("$in", new BsonArray { "insert", "update" }) },
                { "ns.coll", new BsonDocument("$in", new BsonArray { Collections.Signals, Collections.Store }) },
            }),
            new("$project", new BsonDocument("_id", 1)),
        };

    private readonly SemaphoreSlim _turn = new(1, 1);
    private readonly CancellationTokenSource _end = new();
    private IChangeStreamCursor<BsonDocument>? _changes;
    private Task<bool>? _next;
    private BsonDocument? _position;

    public async Task<bool> WaitAsync(TimeSpan maximum, CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            limit.CancelAfter(maximum);
            while (true)
            {
                // Not given up with the wait: that would cost the connection, and another stream for the next one.
                _next ??= MoveNextAsync();
                if (await _next.WaitAsync(limit.Token).ConfigureAwait(false))
                {
                    _next = null;
                    return true;
                }

                _next = null;
            }
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return false;
        }
        catch (Exception e) when (e is not OperationCanceledException)
        {
            Forget();

            // The oplog may no longer reach back to it, or the server not understand it.
            if (e is MongoCommandException)
                _position = null;
            throw;
        }
        finally
        {
            _turn.Release();
        }
    }

    public async Task<bool> NotifyAsync(CancellationToken cancellationToken)
    {
        await database.GetCollection<BsonDocument>(Collections.Store).WithWriteConcern(WriteConcern.W1).UpdateOneAsync(
            new BsonDocument("_id", 0), new BsonDocument("$inc", new BsonDocument("hints", 1)), cancellationToken: cancellationToken).ConfigureAwait(false);
        return true;
    }

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync().ConfigureAwait(false);
        if (_next is not null)
            await ((Task)_next).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        Forget();
        _turn.Dispose();
        _end.Dispose();
    }

    /// <summary>Whether something has changed; after a while the server says that nothing has.</summary>
    private async Task<bool> MoveNextAsync()
    {
        _changes ??= await database.WatchAsync(Hints, new ChangeStreamOptions { ResumeAfter = _position }, _end.Token).ConfigureAwait(false);
        if (!await _changes.MoveNextAsync(_end.Token).ConfigureAwait(false))
        {
            // The database has been dropped, and the stream ended with it.
            _changes.Dispose();
            _changes = null;
            _position = null;
            await Task.Delay(EndedPause, _end.Token).ConfigureAwait(false);
            return false;
        }

        _position = _changes.GetResumeToken();
        return _changes.Current.Any();
    }

    private void Forget()
    {
        _next = null;
        _changes?.Dispose();
        _changes = null;
    }
}
