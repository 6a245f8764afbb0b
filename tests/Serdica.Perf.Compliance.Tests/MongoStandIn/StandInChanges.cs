namespace Serdica.Perf.Compliance;

/// <summary>Change streams over the store's document. They tell that it changed, and not how: all that a hint is.</summary>
internal sealed class StandInChanges
{
    private readonly ConcurrentDictionary<string, Feed> _feeds = new();
    private readonly ConcurrentDictionary<long, Cursor> _cursors = new();
    private long _lastCursor;

    public void Publish(string database) => FeedOf(database).Publish();

    /// <summary>Opens a stream from the present on, or from the position of another one.</summary>
    public BsonDocument Open(CommandHead head)
    {
        var id = Interlocked.Increment(ref _lastCursor);
        var feed = FeedOf(head.Database);
        var cursor = new Cursor(feed, head.Database) { Position = head.ChangesAfter is { } after and > 0 ? after : feed.Position };
        _cursors[id] = cursor;
        return Page(id, cursor, "firstBatch", changed: false);
    }

    /// <summary>Null when the cursor is none of these.</summary>
    public async Task<BsonDocument?> MoreAsync(CommandHead head, CancellationToken cancellationToken)
    {
        if (!_cursors.TryGetValue(head.Number, out var cursor))
            return null;
        var wait = head.MaxTime > TimeSpan.Zero ? head.MaxTime : FromSeconds(1);
        var position = await cursor.Feed.WaitAsync(cursor.Position, wait, cancellationToken);
        var changed = position > cursor.Position;
        cursor.Position = position;
        return Page(head.Number, cursor, "nextBatch", changed);
    }

    private Feed FeedOf(string database) => _feeds.GetOrAdd(database, static _ => new Feed());

    private static BsonDocument Page(long id, Cursor cursor, string name, bool changed)
    {
        var position = new BsonDocument("_data", cursor.Position.ToString(CultureInfo.InvariantCulture));
        var change = new BsonDocument { { "_id", position }, { "operationType", "update" } };
        var page = new BsonDocument
        {
            { "id", id },
            { "ns", $"{cursor.Database}.{Collections.Store}" },
            { name, changed ? [change] : new BsonArray() },
            { "postBatchResumeToken", position },
        };
        return new() { { "cursor", page }, { "ok", 1.0 } };
    }

    private sealed class Cursor(Feed feed, string database)
    {
        public Feed Feed => feed;

        public string Database => database;

        public long Position { get; set; }
    }

    private sealed class Feed
    {
        private readonly Lock _gate = new();
        private TaskCompletionSource _next = new(RunContinuationsAsynchronously);

        /// <summary>From 1 on: 0 is no position.</summary>
        public long Position { get; private set; } = 1;

        public void Publish()
        {
            lock (_gate)
            {
                Position++;
                _next.SetResult();
                _next = new(RunContinuationsAsynchronously);
            }
        }

        public async Task<long> WaitAsync(long after, TimeSpan maximum, CancellationToken cancellationToken)
        {
            Task next;
            lock (_gate)
            {
                if (Position > after)
                    return Position;
                next = _next.Task;
            }

            await Task.WhenAny(next, Task.Delay(maximum, cancellationToken));
            lock (_gate)
                return Position;
        }
    }
}
