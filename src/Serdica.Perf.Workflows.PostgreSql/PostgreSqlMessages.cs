namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>The bare queue.</summary>
/// <param name="turns">Which bucket comes next; null where there are no buckets.</param>
internal sealed class PostgreSqlMessages(PostgreSqlConnections connections, BucketTurns? turns)
{
    private readonly Watermark _watermark = new(TimeProvider.System);
    private readonly Watermark[] _watermarks = [.. turns?.Buckets.All.Select(static _ => new Watermark(TimeProvider.System)) ?? []];

    public Task SendAsync(IReadOnlyList<Message> messages, CancellationToken cancellationToken)
    {
        // One batch lies in one bucket, that of its first message: nobody looks for a message by its id.
        var rows = messages.ToList();
        var bucket = turns?.Buckets.Of(rows[0].Id);
        return connections.SubmitAsync(
            bucket,
            async session =>
            {
                var batch = session.FirstBatch();
                batch.BatchCommands.Add(session.Statements.SendMessages.Bind(rows));
                var sent = await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
                if (bucket is { } sentTo)
                    turns!.Left(sentTo);
                return sent;
            },
            cancellationToken
        );
    }

    public Task<ProcessOutcome> ReceiveAsync(int maxMessages, Action<ReceivedMessages> handle, CancellationToken cancellationToken) =>
        turns is not null
            ? ReceiveAsync(turns, maxMessages, handle, cancellationToken)
            : connections.ClaimAsync(
                bucket: null,
                async session =>
                    await ReceiveAsync(session, _watermark, bucket: null, maxMessages, handle, cancellationToken).ConfigureAwait(false)
                    ?? new ProcessOutcome(
                        0,
                        NextDue: await session.EndEmptyAsync(session.Statements.NextMessage, cancellationToken).ConfigureAwait(false)
                    ),
                cancellationToken
            );

    /// <summary>Receives from the next bucket that has something; looks at all of them when none is known.</summary>
    private async Task<ProcessOutcome> ReceiveAsync(
        BucketTurns bucketTurns,
        int maxMessages,
        Action<ReceivedMessages> handle,
        CancellationToken cancellationToken
    ) =>
        await bucketTurns
            .TakeAsync(
                way => BucketSeen.ReadAsync(connections, way, static statements => statements.DueMessages, cancellationToken),
                bucket =>
                    connections.ClaimAsync(
                        bucket,
                        session => ReceiveAsync(session, bucketTurns, bucket, maxMessages, handle, cancellationToken),
                        cancellationToken
                    ),
                lookFirst: false,
                mayPutOff: false
            )
            .ConfigureAwait(false);

    private async Task<ProcessOutcome?> ReceiveAsync(
        PostgreSqlSession session,
        BucketTurns bucketTurns,
        short bucket,
        int maxMessages,
        Action<ReceivedMessages> handle,
        CancellationToken cancellationToken
    )
    {
        var watermark = _watermarks[bucketTurns.Buckets.IndexOf(bucket)];
        if (await ReceiveAsync(session, watermark, bucket, maxMessages, handle, cancellationToken).ConfigureAwait(false) is { } received)
        {
            if (received.Signals >= maxMessages)
                bucketTurns.MayBeDue(bucket);
            return received with { NextDue = bucketTurns.HasDue ? TimeSpan.Zero : null };
        }

        await session.EndAsync(cancellationToken).ConfigureAwait(false);
        return null;
    }

    /// <returns>Null when nothing came; the transaction is then open.</returns>
    private static async Task<ProcessOutcome?> ReceiveAsync(
        PostgreSqlSession session,
        Watermark watermark,
        short? bucket,
        int maxMessages,
        Action<ReceivedMessages> handle,
        CancellationToken cancellationToken
    )
    {
        var poll = watermark.Next();
        ReceivedMessages received;
        var answered = false;
        try
        {
            received = await TakeAsync(session, poll, bucket, maxMessages, cancellationToken).ConfigureAwait(false);
            answered = true;
        }
        finally
        {
            watermark.Ended(poll, answered);
        }

        if (received.Messages.Count == 0)
            return null;

        // Whatever the caller's handler throws, the session rolls back.
        handle(received);
        await CommitAsync(session).ConfigureAwait(false);
        watermark.Committed(
            poll,
            received.Messages[^1].Due.At!.Value.UtcDateTime,
            received.Now.UtcDateTime,
            filled: received.Messages.Count >= maxMessages
        );
        return new ProcessOutcome(received.Messages.Count);
    }

    private static async Task<ReceivedMessages> TakeAsync(
        PostgreSqlSession session,
        Watermark.Poll poll,
        short? bucket,
        int maxMessages,
        CancellationToken cancellationToken
    )
    {
        var batch = session.FirstBatch(begin: true);
        batch.BatchCommands.Add(session.Statements.Receive(poll.From, maxMessages, bucket));
        var reader = await batch.ExecuteReaderAsync(cancellationToken).ConfigureAwait(false);
        await using (reader.ConfigureAwait(false))
        {
            await session.SkipPinsAsync(reader, cancellationToken).ConfigureAwait(false);
            return await ReadAsync(reader, cancellationToken).ConfigureAwait(false);
        }
    }

    private static async Task<ReceivedMessages> ReadAsync(NpgsqlDataReader reader, CancellationToken cancellationToken)
    {
        var now = default(DateTimeOffset);
        var messages = new List<Message>();
        while (await reader.ReadAsync(cancellationToken).ConfigureAwait(false))
        {
            now = new DateTimeOffset(reader.GetDateTime(0));
            messages.Add(
                new Message
                {
                    Id = reader.GetGuid(1),
                    Due = Due.AtTime(new DateTimeOffset(reader.GetDateTime(2))),
                    Payload = reader.GetFieldValue<byte[]>(3),
                }
            );
        }

        messages.Sort(static (a, b) => (a.Due.At, a.Id).CompareTo((b.Due.At, b.Id)));
        return new ReceivedMessages(now, messages);
    }

    /// <summary>From here on a cancellation would leave the outcome open.</summary>
    private static async Task CommitAsync(PostgreSqlSession session)
    {
        var batch = session.NextBatch();
        batch.BatchCommands.Add(session.Statements.Commit);
        await batch.ExecuteNonQueryAsync(CancellationToken.None).ConfigureAwait(false);
    }
}
