namespace Serdica.Perf.Measurement.Queues;

/// <summary>
/// Every copy of every message: when it was due to be written and how many times it was read, for any number of messages. Memory
/// is kept in chunks, each until all its messages were read. It grows with unread or lost messages and not with the length of a
/// test. Thread-safe.
/// </summary>
internal sealed class MessageLedger(int copies, SemaphoreSlim room)
{
    /// <summary>Less than 1 MB for one copy, and 0.25 MB for the list of all possible chunks.</summary>
    private const int ChunkMessages = 1 << 16;

    private static readonly MessageChunk Done = new(0, 0);

    private readonly MessageChunk?[] _chunks = new MessageChunk?[(OperationSet.Endless / ChunkMessages) + 1];
    private long _copiesRead;
    private long _messagesRead;
    private long _duplicates;
    private long _unknown;
    private long _altered;
    private long _lastRead;

    public ConcurrentLatencyRecorder EndToEnd { get; } = new();

    public ConcurrentLatencyRecorder ReadTime { get; } = new();

    /// <summary>Reading of the stopwatch when a copy was last read for the first time; 0 when none was read.</summary>
    public long LastRead => Volatile.Read(ref _lastRead);

    public long CopiesRead => Interlocked.Read(ref _copiesRead);

    /// <summary>Messages of which all copies were read.</summary>
    public long MessagesRead => Interlocked.Read(ref _messagesRead);

    public long Duplicates => Interlocked.Read(ref _duplicates);

    /// <summary>Read messages that nobody has written.</summary>
    public long Unknown => Interlocked.Read(ref _unknown);

    /// <summary>Read messages whose payload is not what was written; they do not count as read.</summary>
    public long Altered => Interlocked.Read(ref _altered);

    /// <summary>The number of chunks in memory.</summary>
    public int ChunksHeld => _chunks.Count(chunk => chunk is not null && chunk != Done);

    /// <summary>Called before the message is written.</summary>
    public void Write(int message, long due)
    {
        ref var place = ref _chunks[message / ChunkMessages];
        var chunk = Volatile.Read(ref place);
        if (chunk is null)
        {
            var made = new MessageChunk(ChunkMessages, copies);
            chunk = Interlocked.CompareExchange(ref place, made, null) ?? made;
        }

        chunk.Write(message % ChunkMessages, due);
    }

    /// <summary>Called after each commit of a reader, in any order.</summary>
    public void Read(QueueRead read)
    {
        ReadTime.Record(read.Commit);
        Interlocked.Add(ref _altered, read.Altered);
        foreach (var message in read.Messages)
        {
            var reading = Take(read.Copy, message, out var due);
            if (reading == MessageReading.Unknown)
            {
                Interlocked.Increment(ref _unknown);
                continue;
            }

            if (reading == MessageReading.Again)
            {
                Interlocked.Increment(ref _duplicates);
                continue;
            }

            EndToEnd.Record(due, read.At);
            ReadAt(read.At);
            Interlocked.Increment(ref _copiesRead);
            if (reading == MessageReading.Last)
            {
                Interlocked.Increment(ref _messagesRead);
                room.Release();
            }
        }
    }

    /// <summary>Copies of the first messages that were never read.</summary>
    public long Lost(int written)
    {
        long lost = 0;
        for (var first = 0L; first < written; first += ChunkMessages)
        {
            var messages = (int)Math.Min(ChunkMessages, written - first);
            var chunk = Volatile.Read(ref _chunks[first / ChunkMessages]);
            lost +=
                chunk is null ? (long)messages * copies
                : chunk == Done ? 0
                : chunk.Lost(messages);
        }

        return lost;
    }

    /// <summary>Reports of several processes come in another order than they were made.</summary>
    private void ReadAt(long at)
    {
        for (var last = LastRead; at > last; last = LastRead)
            Interlocked.CompareExchange(ref _lastRead, at, last);
    }

    private MessageReading Take(int copy, int message, out long due)
    {
        due = 0;
        if (message < 0 || Volatile.Read(ref _chunks[message / ChunkMessages]) is not { } chunk)
            return MessageReading.Unknown;
        if (chunk == Done)
            return MessageReading.Again;

        var reading = chunk.Take(message % ChunkMessages, copy, out due);
        if (reading == MessageReading.Last && chunk.IsDone)
            Volatile.Write(ref _chunks[message / ChunkMessages], Done);
        return reading;
    }
}

/// <summary>The kind of a read of one copy of a message.</summary>
internal enum MessageReading
{
    /// <summary>A message that nobody has written.</summary>
    Unknown,

    /// <summary>The copy had been read before.</summary>
    Again,

    /// <summary>The first read of the copy, while other copies are still unread.</summary>
    First,

    /// <summary>The first read of the copy, which is the last of all copies.</summary>
    Last,
}
