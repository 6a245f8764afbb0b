namespace Serdica.Perf.Workflows.MongoDb;

internal sealed class MongoDriverReads(IMongoDatabase database)
{
    /// <summary>More documents than a reply of 16 MB holds of the backend's.</summary>
    private const int OnePage = 1_000_000;

    /// <summary>
    /// Several queries travel as one command: a pipeline over the first one's collection, to which the others add what they
    /// find. Each document says which query it is for.
    /// </summary>
    public async Task ReadAsync(IReadOnlyList<DocumentQuery> queries, ReadLevel level, CancellationToken cancellationToken)
    {
        var concern = level == ReadLevel.Kept ? ReadConcern.Majority : ReadConcern.Local;
        foreach (var query in queries)
            query.Clear();
        using var cursor = queries is [var single]
            ? await FindAsync(single, concern, cancellationToken).ConfigureAwait(false)
            : await UniteAsync(queries, concern, cancellationToken).ConfigureAwait(false);
        await cursor.MoveNextAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// In a snapshot session, which is no transaction: the server keeps its history for minutes, and a count may take longer
    /// than a transaction lives.
    /// </summary>
    public async Task ReadSnapshotAsync(IClientSessionHandle session, DocumentQuery query, CancellationToken cancellationToken)
    {
        query.Clear();
        using var cursor = await Collection(query, ReadConcern.Default)
            .AggregateAsync(session, Pipeline(query.ToStages(), query.Take), cancellationToken: cancellationToken)
            .ConfigureAwait(false);
        while (await cursor.MoveNextAsync(cancellationToken).ConfigureAwait(false)) { }
    }

    private Task<IAsyncCursor<bool>> FindAsync(DocumentQuery query, ReadConcern concern, CancellationToken cancellationToken) =>
        Collection(query, concern)
            .FindAsync(
                query.Filter,
                new FindOptions<BsonDocument, bool>
                {
                    Sort = query.Sort,
                    Limit = query.Limit,
                    Projection = new BsonDocumentProjectionDefinition<BsonDocument, bool>(query.Projection ?? [], new Taking(query.Take)),
                    BatchSize = OnePage,
                },
                cancellationToken
            );

    private Task<IAsyncCursor<bool>> UniteAsync(
        IReadOnlyList<DocumentQuery> queries,
        ReadConcern concern,
        CancellationToken cancellationToken
    )
    {
        var stages = queries[0].ToStages().Append(Marked(0)).ToList();
        for (var place = 1; place < queries.Count; place++)
        {
            var pipeline = new BsonArray(queries[place].ToStages().Append(Marked(place)));
            stages.Add(new("$unionWith", new BsonDocument { { "coll", queries[place].Collection }, { "pipeline", pipeline } }));
        }

        return Collection(queries[0], concern)
            .AggregateAsync(
                Pipeline(stages, reader => TakeMarked(reader, queries)),
                new AggregateOptions { BatchSize = OnePage },
                cancellationToken
            );
    }

    private IMongoCollection<BsonDocument> Collection(DocumentQuery query, ReadConcern concern) =>
        database.GetCollection<BsonDocument>(
            query.Collection,
            new MongoCollectionSettings { ReadConcern = concern, ReadPreference = ReadPreference.Primary }
        );

    private static BsonDocument Marked(int place) =>
        new("$replaceWith", new BsonDocument { { "query", new BsonDocument("$literal", place) }, { "document", "$$ROOT" } });

    private static BsonDocumentStagePipelineDefinition<BsonDocument, bool> Pipeline(
        IEnumerable<BsonDocument> stages,
        Action<IBsonReader> take
    ) => new(stages, new Taking(take));

    private static void TakeMarked(IBsonReader reader, IReadOnlyList<DocumentQuery> queries)
    {
        reader.ReadStartDocument();
        var query = queries[reader.ReadInt32("query")];
        reader.ReadName("document");
        query.Take(reader);
        reader.ReadEndDocument();
    }

    private sealed class Taking(Action<IBsonReader> take) : SerializerBase<bool>
    {
        public override bool Deserialize(BsonDeserializationContext context, BsonDeserializationArgs args)
        {
            take(context.Reader);
            return true;
        }
    }
}
