using System.Buffers.Binary;
using System.Diagnostics;
using Serdica.Perf.Measurement.Recording;
using Serdica.Perf.Workflows;

namespace Serdica.Perf.Measurement.Queues;

/// <summary>Every copy of every message, when it was to be written and how often it was read. Thread-safe.</summary>
internal sealed class MessageLedger(int messages, int copies, SemaphoreSlim room)
{
    private readonly byte[][] _read = [.. Enumerable.Range(0, copies).Select(_ => new byte[messages])];
    private readonly int[] _missing = new int[messages];
    private readonly long[] _due = new long[messages];
    private long _copiesRead;
    private long _messagesRead;
    private long _duplicates;
    private long _unknown;

    public ConcurrentLatencyRecorder EndToEnd { get; } = new();

    public ConcurrentLatencyRecorder ReadTime { get; } = new();

    public long CopiesRead => Interlocked.Read(ref _copiesRead);

    /// <summary>Messages all copies of which were read.</summary>
    public long MessagesRead => Interlocked.Read(ref _messagesRead);

    public long Duplicates => Interlocked.Read(ref _duplicates);

    /// <summary>Messages that nobody has written.</summary>
    public long Unknown => Interlocked.Read(ref _unknown);

    /// <summary>Before the message is written.</summary>
    public void Write(int message, long due)
    {
        _due[message] = due;
        Volatile.Write(ref _missing[message], copies);
    }

    /// <summary>Called by readers after each commit.</summary>
    public void Read(int copy, HandledMessages handled)
    {
        var now = Stopwatch.GetTimestamp();
        ReadTime.Record(handled.Commit);
        foreach (var received in handled.Received.Messages)
        {
            var message = BinaryPrimitives.ReadInt32LittleEndian(received.Payload);
            if ((uint)message >= (uint)messages)
            {
                Interlocked.Increment(ref _unknown);
                continue;
            }

            if (Interlocked.Exchange(ref _read[copy][message], 1) != 0)
            {
                Interlocked.Increment(ref _duplicates);
                continue;
            }

            EndToEnd.Record(_due[message], now);
            Interlocked.Increment(ref _copiesRead);
            if (Interlocked.Decrement(ref _missing[message]) == 0)
            {
                Interlocked.Increment(ref _messagesRead);
                room.Release();
            }
        }
    }

    /// <summary>Copies of the first messages that were never read.</summary>
    public long Lost(int written) => _read.Sum(copy => (long)copy.AsSpan(0, written).Count((byte)0));
}
