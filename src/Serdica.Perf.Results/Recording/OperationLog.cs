using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json;
using System.Text.Unicode;
using System.Threading.Channels;

namespace Serdica.Perf.Results.Recording;

/// <summary>
/// Writes each operation of one measurement as a line of NDJSON: <c>scenario</c>, <c>repeat</c>, <c>intendedUs</c>,
/// <c>startUs</c>, <c>endUs</c> (microseconds since the start of the measured window; the last two null of an operation that was
/// never begun) and <c>result</c>. Whoever records never waits: what comes while the buffer is full is not kept but counted,
/// since a measurement that waits for its own log measures the log. Thread-safe but for the disposal, which writes what is
/// buffered and, when something was not kept, a last line with <c>notKept</c>.
/// </summary>
public sealed class OperationLog : IAsyncDisposable
{
    /// <summary>A tenth of a second of the fastest load, in 2 MiB.</summary>
    public const int DefaultCapacity = 65_536;

    private const int LongestLine = 512;
    private const int BufferSize = 1 << 16;

    private readonly Channel<Entry> _entries;
    private readonly byte[] _prefix;
    private readonly FileStream _file;
    private readonly Task _writing;
    private long _begin = long.MinValue;
    private long _notKept;

    /// <param name="path">Lines are added to it.</param>
    /// <param name="scenario">The full name.</param>
    /// <param name="repeat">From 1.</param>
    /// <param name="capacity">Operations that are buffered at most.</param>
    public OperationLog(string path, string scenario, int repeat, int capacity = DefaultCapacity)
    {
        _prefix = Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{{\"scenario\":{JsonSerializer.Serialize(scenario)},\"repeat\":{repeat},"));
        _entries = Channel.CreateBounded<Entry>(new BoundedChannelOptions(capacity) { SingleReader = true });
        _file = new(path, FileMode.Append, FileAccess.Write, FileShare.Read, bufferSize: 0);
        _writing = Task.Run(WriteAsync);
    }

    /// <summary>Operations for which there was no room; final after the disposal.</summary>
    public long NotKept => Interlocked.Read(ref _notKept);

    /// <summary>What all times are since; said once, before the first operation. Of several waves the first counts.</summary>
    public void Begin(long timestamp) => Interlocked.CompareExchange(ref _begin, timestamp, long.MinValue);

    /// <param name="intended">Reading of the stopwatch when the load wanted the operation.</param>
    /// <param name="start">When it was begun.</param>
    /// <param name="end">When it ended.</param>
    /// <param name="result">How.</param>
    public void Record(long intended, long start, long end, OperationEnd result)
    {
        if (!_entries.Writer.TryWrite(new(intended, start, end, result)))
            Interlocked.Increment(ref _notKept);
    }

    /// <summary>An arrival that was never begun.</summary>
    public void Drop(long intended) => Record(intended, 0, 0, OperationEnd.Dropped);

    public async ValueTask DisposeAsync()
    {
        _entries.Writer.TryComplete();
        await _writing.ConfigureAwait(false);
        if (NotKept > 0)
            await _file.WriteAsync(Encoding.UTF8.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{Encoding.UTF8.GetString(_prefix)}\"notKept\":{NotKept}}}\n"))).ConfigureAwait(false);
        await _file.DisposeAsync().ConfigureAwait(false);
    }

    private async Task WriteAsync()
    {
        var buffer = new byte[BufferSize + _prefix.Length + LongestLine];
        var filled = 0;
        while (await _entries.Reader.WaitToReadAsync().ConfigureAwait(false))
        {
            while (_entries.Reader.TryRead(out var entry))
            {
                filled += Write(entry, buffer.AsSpan(filled));
                if (filled < BufferSize)
                    continue;
                await _file.WriteAsync(buffer.AsMemory(0, filled)).ConfigureAwait(false);
                filled = 0;
            }

            await _file.WriteAsync(buffer.AsMemory(0, filled)).ConfigureAwait(false);
            filled = 0;
        }
    }

    private int Write(Entry entry, Span<byte> target)
    {
        _prefix.CopyTo(target);
        var line = target[_prefix.Length..];
        int written;
        if (entry.Result == OperationEnd.Dropped)
            Utf8.TryWrite(line, CultureInfo.InvariantCulture, $"\"intendedUs\":{Microseconds(entry.Intended)},\"startUs\":null,\"endUs\":null,\"result\":\"dropped\"}}\n", out written);
        else
            Utf8.TryWrite(line, CultureInfo.InvariantCulture, $"\"intendedUs\":{Microseconds(entry.Intended)},\"startUs\":{Microseconds(entry.Start)},\"endUs\":{Microseconds(entry.End)},\"result\":\"{(entry.Result == OperationEnd.Completed ? "completed" : "failed")}\"}}\n", out written);
        return _prefix.Length + written;
    }

    private long Microseconds(long timestamp) => (long)Stopwatch.GetElapsedTime(Interlocked.Read(ref _begin), timestamp).TotalMicroseconds;

    private readonly record struct Entry(long Intended, long Start, long End, OperationEnd Result);
}

/// <summary>What became of an operation.</summary>
public enum OperationEnd
{
    Completed,

    Failed,

    /// <summary>It was never begun, since no caller was free for it for too long.</summary>
    Dropped,
}
