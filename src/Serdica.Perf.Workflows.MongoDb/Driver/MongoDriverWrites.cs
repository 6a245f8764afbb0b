using System.Runtime.ExceptionServices;
using MongoDB.Driver;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Runs the writes of a transaction over the driver.</summary>
internal sealed class MongoDriverWrites(IMongoClient client, IMongoDatabase database)
{
    /// <summary>Servers from 8.0 on take writes to several collections in one command.</summary>
    private const int WireVersionOfBulkWrite = 25;

    /// <summary>An update of this kind changes what it inserts, and nothing else.</summary>
    private static readonly BsonDocument Unchanged = new("$setOnInsert", new BsonDocument("none", true));

    private volatile bool _refusesBulkWrite;

    /// <summary>
    /// False: a key was taken, a version was another, a count is not as expected, or something was found that must not be there.
    /// </summary>
    /// <exception cref="MongoException">The server refused the transaction.</exception>
    /// <exception cref="DocumentCommandException">It refused a write for a reason that trying again does not mend.</exception>
    public async Task<bool> RunAsync(IClientSessionHandle session, IReadOnlyList<DocumentWrite> writes, CancellationToken cancellationToken)
    {
        try
        {
            // Before what is inserted with them.
            var ordered = writes.OrderBy(static write => write is not ExpectNone);
            if (HasBulkWrite())
                return await RunTogetherAsync(session, ordered, cancellationToken).ConfigureAwait(false);
            foreach (var write in ordered)
            {
                if (!await RunAsync(session, write, cancellationToken).ConfigureAwait(false))
                    return false;
            }

            return true;
        }
        catch (ClientBulkWriteException e) when (e.InnerException is { } cause)
        {
            if (cause is MongoCommandException { Code: DocumentErrors.CommandNotSupported or DocumentErrors.CommandNotFound } refusal)
            {
                // By a server of 8.0 with the feature version of 7.0. The transaction is tried again, by other commands.
                _refusesBulkWrite = true;
                refusal.AddErrorLabel("TransientTransactionError");
            }

            // Its labels say whether to try again, and it may be a cancellation.
            ExceptionDispatchInfo.Throw(cause);
            throw;
        }
        catch (ClientBulkWriteException e) when (e.WriteErrors.Count > 0)
        {
            return Refused(e.WriteErrors.First().Value, e);
        }
        catch (MongoBulkWriteException e) when (e.WriteErrors.Count > 0)
        {
            return Refused(e.WriteErrors[0], e);
        }
        catch (FormatException e)
        {
            throw TooLarge(e);
        }
    }

    /// <summary>One document alone needs no transaction: it is written or not.</summary>
    public async Task<bool> InsertAsync(string collection, StoredDocument document, CancellationToken cancellationToken)
    {
        try
        {
            await CollectionOf(collection)
                .WithWriteConcern(WriteConcern.WMajority.With(journal: true))
                .InsertOneAsync(document, options: null, cancellationToken)
                .ConfigureAwait(false);
            return true;
        }
        catch (MongoWriteException e) when (e.WriteError is { } error)
        {
            return Refused(error, e);
        }
        catch (FormatException e)
        {
            throw TooLarge(e);
        }
    }

    private bool HasBulkWrite() =>
        !_refusesBulkWrite
        && client.Cluster.Description.Servers is { Count: > 0 } servers
        && servers.All(static server => server.WireVersionRange is null || server.WireVersionRange.Max >= WireVersionOfBulkWrite);

    /// <summary>
    /// The counts are sums over all writes of a kind. No write can find more than it expects, for all go by unique keys: so a
    /// sum is right only if every count is. What must not be there is looked for by an update that changes nothing: it would be
    /// matched and not modified, and each replacement is both, for it has another version.
    /// </summary>
    private async Task<bool> RunTogetherAsync(
        IClientSessionHandle session,
        IEnumerable<DocumentWrite> writes,
        CancellationToken cancellationToken
    )
    {
        var (replaced, deleted) = (0, 0);
        var models = new List<BulkWriteModel>();
        foreach (var write in writes)
        {
            var target = new CollectionNamespace(database.DatabaseNamespace, write.Collection);
            switch (write)
            {
                case InsertDocuments insert:
                    models.AddRange(insert.Documents.Select(document => new BulkWriteInsertOneModel<StoredDocument>(target, document)));
                    break;
                case ReplaceDocuments replace:
                    models.AddRange(
                        replace.Replacements.Select(replacement => new BulkWriteReplaceOneModel<StoredDocument>(
                            target,
                            FilterOf(replacement),
                            replacement.Document
                        ))
                    );
                    replaced += replace.Replacements.Count;
                    break;
                case DeleteDocuments delete:
                    models.Add(new BulkWriteDeleteManyModel<StoredDocument>(target, delete.Filter));
                    deleted += delete.Expected;
                    break;
                case ExpectNone none:
                    models.Add(new BulkWriteUpdateManyModel<BsonDocument>(target, none.Filter, Unchanged));
                    break;
            }
        }

        var result = await client.BulkWriteAsync(session, models, options: null, cancellationToken).ConfigureAwait(false);
        return result.MatchedCount == replaced && result.ModifiedCount == replaced && result.DeletedCount == deleted;
    }

    private async Task<bool> RunAsync(IClientSessionHandle session, DocumentWrite write, CancellationToken cancellationToken)
    {
        var collection = CollectionOf(write.Collection);
        switch (write)
        {
            case InsertDocuments insert:
                await collection.InsertManyAsync(session, insert.Documents, options: null, cancellationToken).ConfigureAwait(false);
                return true;
            case ReplaceDocuments replace:
                var models = replace.Replacements.Select(replacement => new ReplaceOneModel<StoredDocument>(
                    FilterOf(replacement),
                    replacement.Document
                ));
                var replaced = await collection.BulkWriteAsync(session, models, options: null, cancellationToken).ConfigureAwait(false);
                return replaced.MatchedCount == replace.Replacements.Count;
            case DeleteDocuments delete:
                var deleted = await collection
                    .DeleteManyAsync(session, delete.Filter, options: null, cancellationToken)
                    .ConfigureAwait(false);
                return deleted.DeletedCount == delete.Expected;
            case ExpectNone none:
                return !await collection
                    .Find(session, none.Filter)
                    .Project(Queries.Fields("_id"))
                    .AnyAsync(cancellationToken)
                    .ConfigureAwait(false);
            default:
                throw new ArgumentException($"'{write.GetType().Name}' is no write.");
        }
    }

    private IMongoCollection<StoredDocument> CollectionOf(string name) => database.GetCollection<StoredDocument>(name);

    private static BsonDocument FilterOf(Replacement replacement) =>
        new() { { "_id", Queries.Id(replacement.Id) }, { "version", replacement.ExpectedVersion } };

    /// <summary>The driver looks at the size of a document before it sends it.</summary>
    private static DocumentCommandException TooLarge(FormatException cause) =>
        new(DocumentErrors.ObjectTooLarge, cause.Message, isTransient: false, cause);

    private static bool Refused(WriteError error, Exception cause) =>
        error.Code == DocumentErrors.DuplicateKey
            ? false
            : throw new DocumentCommandException(error.Code, error.Message, isTransient: false, cause);
}
