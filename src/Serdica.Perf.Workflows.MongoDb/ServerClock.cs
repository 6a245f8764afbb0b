namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// The server's clock. What is stored and what is due is judged by times that the server told for the call at hand;
/// the estimate only bounds how far a query looks ahead.
/// </summary>
internal sealed class ServerClock(IDocumentDatabase database)
{
    private long _upperBound = long.MinValue;

    public Task<DateTimeOffset> ReadAsync(CancellationToken cancellationToken) => ReadAsync([], ReadLevel.Latest, cancellationToken);

    /// <summary>Asks queries, and the server's clock with them.</summary>
    public async Task<DateTimeOffset> ReadAsync(IReadOnlyList<DocumentQuery> queries, ReadLevel level, CancellationToken cancellationToken)
    {
        var sent = Stopwatch.GetTimestamp();
        var clock = Queries.Clock();
        await database.ReadAsync([clock, .. queries], level, cancellationToken).ConfigureAwait(false);
        return Learn(clock, sent);
    }

    /// <summary>Reads the answer to <see cref="Queries.Clock"/>.</summary>
    /// <param name="sent">Time stamp of this process before the call.</param>
    public DateTimeOffset Learn(DocumentQuery<BsonDocument> clock, long sent)
    {
        if (clock.Found is not [var store, ..])
            throw new InvalidOperationException($"Database '{database.Name}' is not initialised: call InitializeAsync first.");
        var now = new DateTimeOffset(store["now"].ToUniversalTime());

        // The server read its clock after the call was sent, and its times are cut to milliseconds.
        Volatile.Write(ref _upperBound, now.ToUnixTimeMilliseconds() + 2 - Milliseconds(sent));
        return now;
    }

    /// <summary>Not before the server's present time, and about a round trip behind it at most.</summary>
    public async ValueTask<long> UpperBoundAsync(CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref _upperBound) == long.MinValue)
            await ReadAsync(cancellationToken).ConfigureAwait(false);
        return UpperBound();
    }

    /// <inheritdoc cref="UpperBoundAsync"/>
    /// <remarks>After the first reading of the clock.</remarks>
    public long UpperBound() => Volatile.Read(ref _upperBound) + Milliseconds(Stopwatch.GetTimestamp());

    private static long Milliseconds(long timestamp) => (long)(timestamp * (1000.0 / Stopwatch.Frequency));
}
