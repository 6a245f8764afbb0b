namespace Serdica.Perf.Faults.History;

/// <summary>
/// Reads the file of one process line by line, in bounded memory. The last line of a process that was killed may be torn: it is
/// left out, and <see cref="IsTorn"/> says so. Anything else that is no record is an error.
/// </summary>
internal sealed class HistoryReader : IDisposable
{
    private readonly FileStream _file;
    private byte[] _buffer = new byte[256 * 1024];
    private int _start;
    private int _end;
    private long _number;
    private bool _atEnd;

    public HistoryReader(string path)
    {
        Path = path;
        _file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, bufferSize: 0, FileOptions.SequentialScan);
        Process = System.IO.Path.GetFileNameWithoutExtension(path);
    }

    public string Path { get; }

    /// <summary>The process that wrote the file.</summary>
    public string Process { get; }

    /// <summary>Whether the last line had no end, as a killed process leaves it; known when the last line has been read.</summary>
    public bool IsTorn { get; private set; }

    /// <returns>The next line; <see langword="null"/> at the end.</returns>
    /// <exception cref="InvalidDataException">A line is no record; the message has file, line and reason.</exception>
    public HistoryLine? Read()
    {
        if (NextLine() is not { } text)
            return null;
        _number++;
        try
        {
            var record = Parse(text.Span);
            if (_number == 1 && record.Kind != HistoryKind.Process)
                throw new InvalidDataException($"{Path}:1 is not the line of a process: it cannot be placed in time.");
            return new HistoryLine(Process, _number, record, text);
        }
        catch (JsonException e)
        {
            throw new InvalidDataException(
                $"{Path}:{_number} is no record of a history, because {JsonMistake.Words(e)}: {Shorten(text)}",
                e
            );
        }
    }

    public void Dispose() => _file.Dispose();

    /// <exception cref="JsonException">The line is no record.</exception>
    internal static HistoryRecord Parse(ReadOnlySpan<byte> line) =>
        JsonSerializer.Deserialize(line, HistoryJson.Default.HistoryRecord) ?? throw new JsonException("The line is null.");

    private ReadOnlyMemory<byte>? NextLine()
    {
        var searched = 0;
        while (true)
        {
            var length = _buffer.AsSpan(_start + searched, _end - _start - searched).IndexOf((byte)'\n');
            if (length >= 0)
            {
                var line = _buffer.AsMemory(_start, searched + length);
                _start += searched + length + 1;
                return line;
            }

            searched = _end - _start;
            if (_atEnd)
            {
                IsTorn = searched > 0;
                return null;
            }

            Fill();
        }
    }

    private void Fill()
    {
        _buffer.AsSpan(_start, _end - _start).CopyTo(_buffer);
        _end -= _start;
        _start = 0;
        if (_end == _buffer.Length)
            Array.Resize(ref _buffer, _buffer.Length * 2);
        var read = _file.Read(_buffer.AsSpan(_end));
        _atEnd = read == 0;
        _end += read;
    }

    private static string Shorten(ReadOnlyMemory<byte> text) =>
        Encoding.UTF8.GetString(text.Span[..Math.Min(text.Length, 200)]) + (text.Length > 200 ? " …" : "");
}
