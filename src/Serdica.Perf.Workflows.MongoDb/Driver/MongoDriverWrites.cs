using System.Runtime.ExceptionServices;

namespace Serdica.Perf.Workflows.MongoDb;

internal sealed class MongoDriverWrites(IMongoClient client, IMongoDatabase database, MongoDriverErrors errors)
{
    /// <summary>What it is for is claimed for no longer.</summary>
    private static readonly TimeSpan MaxTime = MongoDbClaimer.Lifetime;

    /// <summary>As long as the driver's own transactions ask for their commit, by their specification.</summary>
    private static readonly TimeSpan MaxCommitTime = FromSeconds(120);

    /// <summary>A conflict that lasts longer may last until the server ends the other transaction, whose host may be dead.</summary>
    private static readonly TimeSpan MaxConflictTime = FromSeconds(1);

    private const int MaxPauseMilliseconds = 200;

    /// <summary>
    /// Local, for a write must meet the claim that this process has just made: a snapshot shows only what has no gap
    /// before it in the oplog, and so perhaps not yet the newest. That all is of one moment is not needed: each write
    /// says by itself what it expects. Once a majority has the commit, it has all that was read for it.
    /// </summary>
    private static readonly TransactionOptions Options = new(
        ReadConcern.Local,
        ReadPreference.Primary,
        WriteConcern.WMajority.With(journal: true)
    );

    /// <summary>Servers from 8.0 on take writes to several collections in one command.</summary>
    private const int WireVersionOfBulkWrite = 25;

    /// <summary>An update of this kind changes what it inserts, and nothing else.</summary>
    private static readonly BsonDocument Unchanged = new("$setOnInsert", new BsonDocument("none", true));

    private volatile bool _refusesBulkWrite;
    private long _retries;

    public long Retries => Interlocked.Read(ref _retries);

    public Task<bool> WriteAsync(IReadOnlyList<DocumentWrite> writes, CancellationToken cancellationToken) =>
        errors.Try(
            () => Asked("write", writes),
            () =>
                writes is [InsertDocuments { Documents: [var document] } insert]
                    ? InsertAsync(insert.Collection, document, cancellationToken)
                    : TransactAsync(writes, cancellationToken)
        );

    /// <summary>
    /// False: a key was taken, a version was another, a count is not as expected, or something was found that must not be there.
    /// </summary>
    /// <exception cref="MongoException">The server refused the transaction.</exception>
    /// <exception cref="DocumentCommandException">It refused a write for a reason that trying again does not mend.</exception>
    private async Task<bool> RunAsync(
        IClientSessionHandle session,
        IReadOnlyList<DocumentWrite> writes,
        CancellationToken cancellationToken
    )
    {
        try
        {
            // Before what is inserted with them.
            var ordered = writes.OrderBy(static write => write is not ExpectNone);
            if (HasBulkWrite())
            {
                var together = await client
                    .BulkWriteAsync(session, [.. ordered.SelectMany(ModelsWithTarget)], options: null, cancellationToken)
                    .ConfigureAwait(false);
                return IsExpected(writes, together.MatchedCount, together.ModifiedCount, together.DeletedCount);
            }

            foreach (var write in ordered)
            {
                var result = await CollectionOf(write.Collection)
                    .BulkWriteAsync(session, ModelsOf(write), options: null, cancellationToken)
                    .ConfigureAwait(false);
                if (!IsExpected([write], result.MatchedCount, result.ModifiedCount, result.DeletedCount))
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
    private async Task<bool> InsertAsync(string collection, StoredDocument document, CancellationToken cancellationToken)
    {
        try
        {
            await CollectionOf(collection)
                .WithWriteConcern(Options.WriteConcern)
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
        catch (Exception e) when (e is MongoConnectionException or MongoWriteException or TimeoutException)
        {
            throw errors.Wrap(e, MongoDriverErrors.Asked("insert", [collection]), mayBeWritten: true);
        }
    }

    /// <summary>In one transaction, again where the server asks for it: it ends a transaction at the first conflict.</summary>
    private async Task<bool> TransactAsync(IReadOnlyList<DocumentWrite> writes, CancellationToken cancellationToken)
    {
        using var session = await client.StartSessionAsync(cancellationToken: cancellationToken).ConfigureAwait(false);

        // New documents alone depend on nothing that others change, and a server that is short of memory reports conflicts, too.
        var mayLose = writes.Any(static write => write is not InsertDocuments);
        var begin = Stopwatch.GetTimestamp();
        long? conflictSince = null;
        for (var tries = 1; ; tries++)
        {
            session.StartTransaction(Options);
            var commitWasSent = false;
            try
            {
                if (!await RunAsync(session, writes, cancellationToken).ConfigureAwait(false))
                {
                    await AbortAsync(session).ConfigureAwait(false);
                    return false;
                }

                commitWasSent = true;
                await CommitAsync(session, begin).ConfigureAwait(false);
                return true;
            }
            catch (MongoException e) when (e.HasErrorLabel("TransientTransactionError") && Stopwatch.GetElapsedTime(begin) < MaxTime)
            {
                await AbortAsync(session).ConfigureAwait(false);
                var isConflict = !commitWasSent && e is MongoCommandException { Code: DocumentErrors.WriteConflict };
                conflictSince = isConflict ? conflictSince ?? Stopwatch.GetTimestamp() : null;
                if (mayLose && conflictSince is { } since && Stopwatch.GetElapsedTime(since) >= MaxConflictTime)
                    return false;
                Interlocked.Increment(ref _retries);
                await PauseAsync(tries, cancellationToken).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                // The session would do so when it is disposed, and block a thread until the server has answered.
                await AbortAsync(session).ConfigureAwait(false);
                if (commitWasSent && e is MongoException or TimeoutException)
                    throw errors.Wrap(e, Asked("commit of writes", writes), mayBeWritten: true);
                throw;
            }
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
    private static bool IsExpected(IReadOnlyList<DocumentWrite> writes, long matched, long modified, long deleted)
    {
        var replaced = writes.OfType<ReplaceDocuments>().Sum(static write => write.Replacements.Count);
        return (matched, modified, deleted) == (replaced, replaced, writes.OfType<DeleteDocuments>().Sum(static write => write.Expected));
    }

    private static IEnumerable<WriteModel<StoredDocument>> ModelsOf(DocumentWrite write) =>
        write switch
        {
            InsertDocuments insert => insert.Documents.Select(static document => new InsertOneModel<StoredDocument>(document)),
            ReplaceDocuments replace => replace.Replacements.Select(static replacement => new ReplaceOneModel<StoredDocument>(
                new BsonDocument { { "_id", Queries.Id(replacement.Id) }, { "version", replacement.ExpectedVersion } },
                replacement.Document
            )),
            DeleteDocuments delete => [new DeleteManyModel<StoredDocument>(delete.Filter)],
            ExpectNone none => [new UpdateManyModel<StoredDocument>(none.Filter, Unchanged)],
            _ => throw new ArgumentException($"'{write.GetType().Name}' is no write."),
        };

    private IEnumerable<BulkWriteModel> ModelsWithTarget(DocumentWrite write)
    {
        var target = new CollectionNamespace(database.DatabaseNamespace, write.Collection);
        return ModelsOf(write)
            .Select<WriteModel<StoredDocument>, BulkWriteModel>(model =>
                model switch
                {
                    InsertOneModel<StoredDocument> insert => new BulkWriteInsertOneModel<StoredDocument>(target, insert.Document),
                    ReplaceOneModel<StoredDocument> it => new BulkWriteReplaceOneModel<StoredDocument>(target, it.Filter, it.Replacement),
                    DeleteManyModel<StoredDocument> delete => new BulkWriteDeleteManyModel<StoredDocument>(target, delete.Filter),
                    UpdateManyModel<StoredDocument> none => new BulkWriteUpdateManyModel<StoredDocument>(target, none.Filter, none.Update),
                    _ => throw new UnreachableException(),
                }
            );
    }

    private IMongoCollection<StoredDocument> CollectionOf(string name) => database.GetCollection<StoredDocument>(name);

    /// <summary>The driver looks at the size of a document before it sends it.</summary>
    private static DocumentCommandException TooLarge(FormatException cause) =>
        new(DocumentErrors.ObjectTooLarge, cause.Message, isTransient: false, cause);

    private static bool Refused(WriteError error, Exception cause) =>
        error.Code == DocumentErrors.DuplicateKey
            ? false
            : throw new DocumentCommandException(error.Code, error.Message, isTransient: false, cause);

    private static string Asked(string verb, IReadOnlyList<DocumentWrite> writes) =>
        MongoDriverErrors.Asked(verb, writes.Select(static write => write.Collection));

    /// <summary>A commit whose answer was lost is asked for again: it happens once.</summary>
    private static async Task CommitAsync(IClientSessionHandle session, long begin)
    {
        for (var tries = 1; ; tries++)
        {
            try
            {
                await session.CommitTransactionAsync(CancellationToken.None).ConfigureAwait(false);
                return;
            }
            catch (MongoException e)
                when (e.HasErrorLabel("UnknownTransactionCommitResult") && Stopwatch.GetElapsedTime(begin) < MaxCommitTime)
            {
                await PauseAsync(tries, CancellationToken.None).ConfigureAwait(false);
            }
        }
    }

    private static Task AbortAsync(IClientSessionHandle session) =>
        session.IsInTransaction ? session.AbortTransactionAsync(CancellationToken.None) : Task.CompletedTask;

    /// <summary>At random, and twice as long each time: two that met would meet again.</summary>
    private static Task PauseAsync(int tries, CancellationToken cancellationToken) =>
        Task.Delay(Random.Shared.Next(1 + Math.Min(1 << Math.Min(tries, 10), MaxPauseMilliseconds)), cancellationToken);
}
