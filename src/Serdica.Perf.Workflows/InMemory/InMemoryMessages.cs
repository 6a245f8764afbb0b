namespace Serdica.Perf.Workflows;

/// <summary>The bare queue in memory.</summary>
internal sealed class InMemoryMessages
{
    private readonly PriorityQueue<Message, (DateTimeOffset Due, Guid Id)> _messages = new();

    public int Count => _messages.Count;

    public DateTimeOffset? NextDue => _messages.TryPeek(out _, out var key) ? key.Due : null;

    public void Add(IReadOnlyList<Message> messages, DateTimeOffset now)
    {
        foreach (var message in messages)
        {
            var due = message.Due.Resolve(now);
            _messages.Enqueue(message with { Due = Due.AtTime(due) }, (due, message.Id));
        }
    }

    public List<Message> Take(int max, DateTimeOffset now)
    {
        var taken = new List<Message>();
        while (taken.Count < max && _messages.TryPeek(out _, out var key) && key.Due <= now)
            taken.Add(_messages.Dequeue());
        return taken;
    }
}
