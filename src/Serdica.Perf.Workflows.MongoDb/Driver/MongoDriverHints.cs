using MongoDB.Bson;
using MongoDB.Driver;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// A change stream over new signals, and over the store's document for hints that go with no signal. Hints only: a lost
/// one costs a poll, never a signal.
/// </summary>
internal sealed class MongoDriverHints(IMongoDatabase database) : IDisposable
{
    private const int HistoryLost = 286;

    private static readonly PipelineDefinition<ChangeStreamDocument<BsonDocument>, ChangeStreamDocument<BsonDocument>> Hints =
        new BsonDocument[]
        {
            new("$match", new BsonDocument
            {
                { "operationType", new BsonDocument("$in", new BsonArray { "insert", "update" }) },
                { "ns.coll", new BsonDocument("$in", new BsonArray { Collections.Signals, Collections.Store }) },
            }),
        };

    private readonly SemaphoreSlim _turn = new(1, 1);
    private IChangeStreamCursor<ChangeStreamDocument<BsonDocument>>? _changes;
    private BsonDocument? _position;

    public async Task<bool> WaitAsync(TimeSpan maximum, CancellationToken cancellationToken)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        using var limit = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limit.CancelAfter(maximum);
        try
        {
            _changes ??= await database.WatchAsync(Hints, new ChangeStreamOptions { ResumeAfter = _position }, limit.Token).ConfigureAwait(false);
            while (await _changes.MoveNextAsync(limit.Token).ConfigureAwait(false))
            {
                _position = _changes.GetResumeToken();
                if (_changes.Current.Any())
                    return true;
            }

            Forget();
            return false;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // The cursor does not outlive the call that was given up; the next goes on from where it stood.
            Forget();
            return false;
        }
        catch (Exception e)
        {
            Forget();
            if (e is MongoCommandException { Code: HistoryLost })
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

    public void Dispose()
    {
        Forget();
        _turn.Dispose();
    }

    private void Forget()
    {
        _changes?.Dispose();
        _changes = null;
    }
}
