namespace Serdica.Perf.Workflows;

/// <summary>
/// A bare durable queue in the same database and of the same make as the engine's signals, without instances:
/// what the transport alone can carry. Backends that have one implement it beside <see cref="IWorkflowBackend"/>.
/// </summary>
public interface IMessageQueue
{
    /// <summary>Makes all messages durable in one commit.</summary>
    Task SendAsync(IReadOnlyList<Message> messages, CancellationToken cancellationToken);

    /// <summary>
    /// Claims due messages, hands them to <paramref name="handle"/> and deletes them, in one transaction. No
    /// message is handed to two callers that both commit; when <paramref name="handle"/> throws, all come again.
    /// </summary>
    /// <returns>
    /// The number of messages, and when there was none how long until the next is due, if one is known.
    /// </returns>
    Task<ProcessOutcome> ReceiveAsync(int maxMessages, Action<ReceivedMessages> handle, CancellationToken cancellationToken);
}

/// <summary>One message of the bare queue.</summary>
public sealed record Message
{
    /// <summary>UUIDv7, ordered within the sending process.</summary>
    public required Guid Id { get; init; }

    public byte[] Payload { get; init; } = [];

    /// <summary>When it is due. A received message carries the absolute time.</summary>
    public Due Due { get; init; }
}

/// <summary>What one receive has claimed.</summary>
/// <param name="Now">The database's clock at the claim.</param>
/// <param name="Messages">In order of due time.</param>
public sealed record ReceivedMessages(DateTimeOffset Now, IReadOnlyList<Message> Messages);
