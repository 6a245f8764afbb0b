namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// The server's clock. What is stored and what is due is judged by times that the server told for the call at hand;
/// the estimate only bounds how far a query looks ahead.
/// </summary>
internal sealed class ServerClock(IDocumentDatabase database, TimeProvider time)
{
    private long _upperBound = long.MinValue;

    public async Task<DateTimeOffset> ReadAsync(CancellationToken cancellationToken)
    {
        var sent = time.GetTimestamp();
        var replies = await database.RunAsync([Commands.ReadClock()], cancellationToken).ConfigureAwait(false);
        return Read(replies[0], sent);
    }

    /// <summary>Reads the reply to <see cref="Commands.ReadClock"/>.</summary>
    /// <param name="reply">Among others of one call.</param>
    /// <param name="sent">Time stamp of this process before the call.</param>
    public DateTimeOffset Read(DocumentReply reply, long sent)
    {
        var documents = reply.Documents();
        if (!documents.Next())
            throw new InvalidOperationException($"Database '{database.Name}' is not initialised: call InitializeAsync first.");
        var document = new BsonReader(documents.Document());
        if (!document.Find("now"u8))
            throw new InvalidDataException("The server did not tell its time.");
        var now = document.Time();

        // The server read its clock after the call was sent, and its times are cut to milliseconds.
        Volatile.Write(ref _upperBound, now.ToUnixTimeMilliseconds() + 2 - Milliseconds(sent));
        return now;
    }

    /// <summary>Not before the server's present time, and about a round trip behind it at most.</summary>
    public async ValueTask<long> UpperBoundAsync(CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref _upperBound) == long.MinValue)
            await ReadAsync(cancellationToken).ConfigureAwait(false);
        return Volatile.Read(ref _upperBound) + Milliseconds(time.GetTimestamp());
    }

    private long Milliseconds(long timestamp) => (long)(timestamp * (1000.0 / time.TimestampFrequency));
}
