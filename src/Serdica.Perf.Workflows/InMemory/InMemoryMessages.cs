namespace Serdica.Perf.Workflows;

/// <summary>The bare queue in memory.</summary>
internal sealed class InMemoryMessages
{
    private readonly PriorityQueue<Message, (DateTimeOffset Due, Guid Id)> _messages = new();

    private int _held;

    /// <summary>Those that a handler holds are still there until it has succeeded.</summary>
    public int Count => _messages.Count + _held;

    public DateTimeOffset? NextDue => _messages.TryPeek(out _, out var key) ? key.Due : null;

    public void Add(IReadOnlyList<Message> messages, DateTimeOffset now)
    {
        foreach (var message in messages)
        {
            var due = message.Due.Resolve(now);
            _messages.Enqueue(message with { Due = Due.AtTime(due) }, (due, message.Id));
        }
    }

    /// <summary>Hands messages to a handler; they are held until <see cref="Handled"/> or <see cref="PutBack"/>.</summary>
    public List<Message> Take(int max, DateTimeOffset now)
    {
        var taken = new List<Message>();
        while (taken.Count < max && _messages.TryPeek(out _, out var key) && key.Due <= now)
            taken.Add(_messages.Dequeue());
        _held += taken.Count;
        return taken;
    }

    public void Handled(List<Message> taken) => _held -= taken.Count;

    public void PutBack(List<Message> taken, DateTimeOffset now)
    {
        _held -= taken.Count;
        Add(taken, now);
    }
}
