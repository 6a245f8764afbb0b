using System.Text.Unicode;
using System.Threading.Channels;

namespace Serdica.Perf.Results.Recording;

/// <summary>
/// Writes each operation of one measurement as a line of NDJSON: <c>scenario</c>, <c>repeat</c>, <c>intendedUs</c>,
/// <c>startUs</c>, <c>endUs</c> (microseconds since the start of the measured window; the last two are null for an operation
/// that was never started) and <c>result</c>. Recording never waits, because a measurement that waits for its own log measures
/// the log: while the buffer is full, operations are counted instead of kept. Thread-safe except for disposal, which writes
/// what is buffered and, when operations were not kept, a last line with <c>notKept</c>.
/// </summary>
internal sealed class OperationLog : IAsyncDisposable
{
    /// <summary>One tenth of a second of the fastest load, in 2 MiB.</summary>
    public const int DefaultCapacity = 65_536;

    private const int LongestLine = 512;
    private const int BufferSize = 1 << 16;

    private readonly Channel<Entry> _entries;
    private readonly byte[] _prefix;
    private readonly FileStream _file;
    private readonly Task _writing;
    private long _begin = long.MinValue;
    private long _notKept;

    /// <param name="repeat">The number of the repeat, from 1.</param>
    public OperationLog(string path, string scenario, int repeat, int capacity = DefaultCapacity)
    {
        _prefix = Encoding.UTF8.GetBytes(Invariant($"{{\"scenario\":{JsonSerializer.Serialize(scenario)},\"repeat\":{repeat},"));
        _entries = Channel.CreateBounded<Entry>(new BoundedChannelOptions(capacity) { SingleReader = true });
        _file = new(path, FileMode.Append, FileAccess.Write, FileShare.Read, bufferSize: 0);
        _writing = Task.Run(WriteAsync);
    }

    /// <summary>Operations that did not fit in the buffer; final after disposal.</summary>
    public long NotKept => Interlocked.Read(ref _notKept);

    /// <summary>Sets the origin of all times, before the first operation. Of several waves the first one counts.</summary>
    public void Begin(long timestamp) => Interlocked.CompareExchange(ref _begin, timestamp, long.MinValue);

    public void Record(long intended, long start, long end, OperationEnd result)
    {
        if (!_entries.Writer.TryWrite(new(intended, start, end, result)))
            Interlocked.Increment(ref _notKept);
    }

    /// <summary>Records an arrival that was never started.</summary>
    public void Drop(long intended) => Record(intended, 0, 0, OperationEnd.Dropped);

    public async ValueTask DisposeAsync()
    {
        _entries.Writer.TryComplete();
        await _writing;
        if (NotKept > 0)
            await _file.WriteAsync(Encoding.UTF8.GetBytes(Invariant($"{Encoding.UTF8.GetString(_prefix)}\"notKept\":{NotKept}}}\n")));
        await _file.DisposeAsync();
    }

    private async Task WriteAsync()
    {
        var buffer = new byte[BufferSize + _prefix.Length + LongestLine];
        var filled = 0;
        while (await _entries.Reader.WaitToReadAsync())
        {
            while (_entries.Reader.TryRead(out var entry))
            {
                filled += Write(entry, buffer.AsSpan(filled));
                if (filled < BufferSize)
                    continue;
                await _file.WriteAsync(buffer.AsMemory(0, filled));
                filled = 0;
            }

            await _file.WriteAsync(buffer.AsMemory(0, filled));
            filled = 0;
        }
    }

    private int Write(Entry entry, Span<byte> target)
    {
        _prefix.CopyTo(target);
        var line = target[_prefix.Length..];
        int written;
        if (entry.Result == OperationEnd.Dropped)
            Utf8.TryWrite(
                line,
                CultureInfo.InvariantCulture,
                $"\"intendedUs\":{Microseconds(entry.Intended)},\"startUs\":null,\"endUs\":null,\"result\":\"dropped\"}}\n",
                out written
            );
        else
            Utf8.TryWrite(
                line,
                CultureInfo.InvariantCulture,
                $"\"intendedUs\":{Microseconds(entry.Intended)},\"startUs\":{Microseconds(entry.Start)},\"endUs\":"
                    + $"{Microseconds(entry.End)},\"result\":\"{(entry.Result == OperationEnd.Completed ? "completed" : "failed")}\"}}\n",
                out written
            );
        return _prefix.Length + written;
    }

    private long Microseconds(long timestamp) => (long)Stopwatch.GetElapsedTime(Interlocked.Read(ref _begin), timestamp).TotalMicroseconds;

    private readonly record struct Entry(long Intended, long Start, long End, OperationEnd Result);
}

/// <summary>How an operation ended.</summary>
internal enum OperationEnd
{
    Completed,

    Failed,

    /// <summary>It was never started, because no caller became free in time.</summary>
    Dropped,
}
