using System.Buffers;

namespace Serdica.Perf.Faults.History;

/// <summary>
/// Writes the history of one process: a line of JSON for each record, in the order of the calls. Safe for concurrent use.
/// </summary>
/// <remarks>
/// What says that something is about to happen (an invocation, a turn, the run of an activity and its effect) is handed to the
/// operating system before <see cref="Write"/> returns, with everything before it, so that a killed process cannot have done what its
/// file does not name. Other lines wait in memory for the next of those: one that is lost makes an answer unknown, which the checker
/// never takes for a failure. A power failure of the machine is not covered.
/// </remarks>
internal sealed class HistoryWriter : IAsyncDisposable
{
    private const int MaxBuffered = 64 * 1024;

    private readonly Lock _gate = new();
    private readonly ArrayBufferWriter<byte> _buffer = new(MaxBuffered);
    private readonly Utf8JsonWriter _json;
    private readonly FileStream _file;
    private readonly TimeProvider _time;
    private readonly long _zero;
    private long _operation;
    private bool _disposed;

    /// <param name="process">Name of the process in the run, and of its file. A file of that name must not be there.</param>
    /// <param name="time">The clock; that of the system by default.</param>
    /// <exception cref="IOException">The file is there already, or cannot be written.</exception>
    public HistoryWriter(string folder, string process, string role, TimeProvider? time = null)
    {
        Directory.CreateDirectory(folder);
        _time = time ?? TimeProvider.System;
        Process = process;
        _file = new FileStream(HistoryFolder.FileOf(folder, process), FileMode.CreateNew, FileAccess.Write, FileShare.Read, bufferSize: 0);
        _json = new Utf8JsonWriter(_buffer);
        _zero = _time.GetTimestamp();
        Write(
            new HistoryRecord
            {
                Kind = HistoryKind.Process,
                Process = process,
                Role = role,
                Time = _time.GetUtcNow(),
            }
        );
    }

    /// <summary>Name of the process.</summary>
    public string Process { get; }

    /// <summary>A number that no other operation of this process has.</summary>
    public long NextOperation() => Interlocked.Increment(ref _operation);

    /// <summary>Writes one record with the time of now.</summary>
    /// <exception cref="IOException">The file cannot be written; the run is worth nothing without it.</exception>
    public void Write(HistoryRecord record) => WriteAll([record]);

    /// <summary>Writes several records, with one call of the operating system at most.</summary>
    /// <inheritdoc cref="Write"/>
    public void WriteAll(IReadOnlyList<HistoryRecord> records)
    {
        lock (_gate)
        {
            ObjectDisposedException.ThrowIf(_disposed, this);
            foreach (var record in records)
                Append(record);
            if (records.Any(IsIntent) || _buffer.WrittenCount >= MaxBuffered)
                Flush();
        }
    }

    public async ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            if (_disposed)
                return;
            Flush();
            _disposed = true;
        }

        await _json.DisposeAsync();
        await _file.DisposeAsync();
    }

    private static bool IsIntent(HistoryRecord record) =>
        record.Kind
            is HistoryKind.Process
                or HistoryKind.Invoke
                or HistoryKind.Turn
                or HistoryKind.Started
                or HistoryKind.TimerArmed
                or HistoryKind.Effect
                or HistoryKind.Fault;

    /// <summary>Under the lock, so that times do not go back within a file.</summary>
    private void Append(HistoryRecord record)
    {
        var at = (long)_time.GetElapsedTime(_zero).TotalMicroseconds;
        JsonSerializer.Serialize(_json, record with { At = at }, HistoryJson.Default.HistoryRecord);
        _json.Reset(_buffer);
        _buffer.Write("\n"u8);
    }

    private void Flush()
    {
        _file.Write(_buffer.WrittenSpan);
        _buffer.ResetWrittenCount();
    }
}
