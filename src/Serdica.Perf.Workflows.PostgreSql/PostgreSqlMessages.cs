using Npgsql;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>The bare queue.</summary>
internal sealed class PostgreSqlMessages(PostgreSqlConnections connections)
{
    private readonly Watermark _watermark = new(TimeProvider.System);

    public Task SendAsync(IReadOnlyList<Message> messages, CancellationToken cancellationToken)
    {
        var rows = messages.ToList();
        return connections.SubmitAsync(
            async session =>
            {
                var batch = session.FirstBatch();
                batch.BatchCommands.Add(session.Statements.SendMessages.Bind(rows));
                return await batch.ExecuteNonQueryAsync(cancellationToken).ConfigureAwait(false);
            },
            cancellationToken
        );
    }

    public Task<ProcessOutcome> ReceiveAsync(int maxMessages, Action<ReceivedMessages> handle, CancellationToken cancellationToken) =>
        connections.ClaimAsync(
            async session =>
            {
                var poll = _watermark.Next();
                var received = await TakeAsync(session, poll, maxMessages, cancellationToken).ConfigureAwait(false);
                if (received.Messages.Count == 0)
                    return new ProcessOutcome(
                        0,
                        NextDue: await session.EndEmptyAsync(session.Statements.NextMessage, cancellationToken).ConfigureAwait(false)
                    );

                // Whatever the caller's handler throws, the session rolls back.
                handle(received);
                await CommitAsync(session).ConfigureAwait(false);
                _watermark.Committed(
                    poll,
                    received.Messages[^1].Due.At!.Value.UtcDateTime,
                    received.Now.UtcDateTime,
                    filled: received.Messages.Count >= maxMessages
                );
                return new ProcessOutcome(received.Messages.Count);
            },
            cancellationToken
        );

    private static async Task<ReceivedMessages> TakeAsync(
        PostgreSqlSession session,
        Watermark.Poll poll,
        int maxMessages,
        CancellationToken cancellationToken
    )
    {
        var batch = session.FirstBatch(begin: true);
        batch.BatchCommands.Add(session.Statements.Receive(poll.From, maxMessages));
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
