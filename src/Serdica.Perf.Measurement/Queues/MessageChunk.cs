namespace Serdica.Perf.Measurement.Queues;

/// <summary>Neighbouring messages of a <see cref="MessageLedger"/>. Thread-safe.</summary>
internal sealed class MessageChunk(int messages, int copies)
{
    /// <summary>The state of a message before it is written.</summary>
    private const byte Unknown = 0;

    private const byte Written = 1;
    private const byte Read = 2;

    private readonly byte[] _states = new byte[messages * copies];
    private readonly int[] _missing = new int[messages];
    private readonly long[] _due = new long[messages];
    private int _done;

    /// <summary>Whether every message was read by all readers.</summary>
    public bool IsDone => Volatile.Read(ref _done) == messages;

    public void Write(int message, long due)
    {
        _due[message] = due;
        _missing[message] = copies;
        for (var copy = 0; copy < copies; copy++)
            Volatile.Write(ref _states[(copy * messages) + message], Written);
    }

    public MessageReading Take(int message, int copy, out long due)
    {
        due = 0;
        switch (Interlocked.CompareExchange(ref _states[(copy * messages) + message], Read, Written))
        {
            case Unknown:
                return MessageReading.Unknown;
            case Read:
                return MessageReading.Again;
        }

        due = _due[message];
        if (Interlocked.Decrement(ref _missing[message]) > 0)
            return MessageReading.First;

        Interlocked.Increment(ref _done);
        return MessageReading.Last;
    }

    /// <summary>The number of copies of the first messages that were never read.</summary>
    public long Lost(int first) =>
        Enumerable.Range(0, copies).Sum(copy => (long)first - _states.AsSpan(copy * messages, first).Count(Read));
}
