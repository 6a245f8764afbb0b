namespace Serdica.Perf.Workflows;

/// <summary>
/// Sends messages to the bare queue of a backend. Thread-safe; concurrent calls share their commits, as those of
/// <see cref="WorkflowClient"/> do.
/// </summary>
public sealed class MessageSender : IAsyncDisposable
{
    private readonly TimeProvider _time;
    private readonly GroupCommit<Message> _messages;

    /// <exception cref="NotSupportedException">The backend has no bare queue.</exception>
    /// <exception cref="ArgumentException">An option makes no sense.</exception>
    public MessageSender(IWorkflowBackend backend, WorkflowOptions? options = null, TimeProvider? time = null)
    {
        ArgumentNullException.ThrowIfNull(backend);
        options ??= new WorkflowOptions();
        options.Validate();
        options = options.On(backend.Capabilities);
        Queue = backend as IMessageQueue ?? throw new NotSupportedException($"The backend '{backend.Name}' has no bare message queue.");
        _time = time ?? TimeProvider.System;
        Hints = new WorkHints(backend, _time, isLocal: backend.Capabilities.OneByOne);
        _messages = new GroupCommit<Message>(
            Queue.SendAsync,
            Announce,
            static message => message.Payload.Length,
            static message => SortableId.SlotOf(message.Id),
            _time,
            options
        );
    }

    internal IMessageQueue Queue { get; }

    internal WorkHints Hints { get; }

    /// <summary>Completes when the message is durable. Calls that do not await each other have no order.</summary>
    /// <param name="payload">Any bytes.</param>
    /// <param name="delay">The time from the write until the message is due, by the database's clock.</param>
    /// <param name="cancellationToken">Honoured until the message is handed to the database.</param>
    public Task SendAsync(byte[] payload, TimeSpan delay = default, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(payload);
        var message = new Message { Id = SortableId.Next(_time.GetUtcNow()), Payload = payload, Due = Due.After(delay) };
        return _messages.CommitAsync(message, cancellationToken);
    }

    /// <summary>Refuses new messages and waits until those under way are durable.</summary>
    public async ValueTask DisposeAsync()
    {
        await _messages.DisposeAsync().ConfigureAwait(false);
        await Hints.DisposeAsync().ConfigureAwait(false);
    }

    private void Announce(IReadOnlyList<Message> batch, TimeSpan age)
    {
        var workAdded = false;
        for (var i = 0; i < batch.Count; i++)
            workAdded |= Hints.Arm(batch[i].Due, age);

        if (workAdded)
            Hints.WorkAdded();
    }
}
