namespace Serdica.Perf.Workflows.Oracle;

/// <summary>
/// The bare queue. A message that is due is taken as AQ's first message; one that is not is taken by its id, as a
/// signal is, for AQ's own delay is kept in whole seconds.
/// </summary>
/// <param name="seconds">How long a receiver waits in the database when nothing is there; 0 when it does not.</param>
internal sealed class OracleMessages(OracleConnections connections, OracleSubmissions submissions, int seconds)
{
    /// <summary>
    /// The package takes messages while its reply has room for one of this size: that must be decided before a message is taken.
    /// </summary>
    public const int MaxContent = 8_000;

    public Task SendAsync(IReadOnlyList<Message> messages, CancellationToken cancellationToken)
    {
        var batch = new OracleBatch();
        foreach (var message in messages)
        {
            if (message.Payload.Length >= MaxContent)
                throw new WorkflowBackendException(
                    $"Oracle did not send {messages.Count} messages: the payload of message {message.Id} has "
                        + $"{message.Payload.Length} bytes, and the bare queue takes at most {MaxContent - 1}. Send a smaller payload.",
                    isTransient: false
                )
                {
                    NothingWritten = true,
                    Failure = BackendFailure.Refused,
                };
            batch.Message(message);
        }

        return submissions.WriteAsync(batch, cancellationToken);
    }

    public Task<ProcessOutcome> ReceiveAsync(int maxMessages, Action<ReceivedMessages> handle, CancellationToken cancellationToken) =>
        connections.UseAsync(
            async session =>
            {
                await session.BeginAsync(cancellationToken).ConfigureAwait(false);
                object?[] values = [maxMessages, seconds];
                var receive =
                    seconds > 0
                        ? session.ExecuteAsync(OracleStatement.ReceiveBatch, values, OracleHints.LimitOf(seconds), cancellationToken)
                        : session.ExecuteAsync(OracleStatement.ReceiveBatch, values, cancellationToken);
                var output = await receive.ConfigureAwait(false);
                var received = Read(output);
                if (received.Messages.Count == 0)
                {
                    await session.RollbackAsync().ConfigureAwait(false);
                    return new ProcessOutcome(0, NextDue: OracleTime.Delay(output.Number(1))) { Waited = output.Number(2) > 0 };
                }

                // Whatever the caller's handler throws, the session rolls back.
                handle(received);
                cancellationToken.ThrowIfCancellationRequested();
                await session.CommitAsync().ConfigureAwait(false);
                return new ProcessOutcome(received.Messages.Count, NextDue: OracleTime.Delay(output.Number(1)));
            },
            cancellationToken
        );

    private static ReceivedMessages Read(OracleOutput output)
    {
        var contents = new OracleContentReader(output.Bytes(4));
        using var json = JsonDocument.Parse(output.Bytes(3));
        var messages = json
            .RootElement.EnumerateArray()
            .Select(message => new Message
            {
                Id = OracleText.Id(message.GetProperty("id"u8).GetString()!),
                Due = Due.AtTime(OracleTime.Time(message.GetProperty("due"u8).GetInt64())),
                Payload = OracleContents.ReadMessage(contents.Next(message)),
            })
            .ToList();
        messages.Sort(static (a, b) => (a.Due.At, a.Id).CompareTo((b.Due.At, b.Id)));
        return new ReceivedMessages(OracleTime.Time(output.Number(0)), messages);
    }
}
