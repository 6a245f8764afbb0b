namespace Serdica.Perf.Faults.Checking.Grouping;

/// <summary>
/// Distributes the lines of a history over files, so that all lines of a group are in one file and each file fits into memory. A line
/// is <c>group TAB process TAB number TAB json</c>. Its folder is removed with it.
/// </summary>
internal sealed class Partitions : IDisposable
{
    private readonly string _folder;
    private readonly FileStream[] _files;

    /// <param name="folder">A new folder is made here; it needs about as much room as the history.</param>
    public Partitions(string folder, int count)
    {
        _folder = Path.Combine(folder, $"check-{Guid.CreateVersion7():N}");
        OwnFolder.Create(_folder);
        _files = [.. Enumerable.Range(0, count).Select(Create)];
    }

    public int Count => _files.Length;

    public void Add(string group, HistoryLine line)
    {
        // Keys of a history may be anything; the fields of a line end at these.
        if (group.AsSpan().IndexOfAny('\t', '\n') >= 0)
            group = Uri.EscapeDataString(group);
        var file = _files[(int)(Hash(group) % (uint)_files.Length)];
        file.Write(Encoding.UTF8.GetBytes(Invariant($"{group}\t{line.Process}\t{line.Number}\t")));
        file.Write(line.Text.Span);
        file.WriteByte((byte)'\n');
    }

    /// <summary>Reads one file; its groups in the order of their first lines.</summary>
    public IEnumerable<(string Group, List<HistoryLine> Lines)> Read(int index)
    {
        var file = _files[index];
        var bytes = new byte[file.Length];
        file.Position = 0;
        file.ReadExactly(bytes);
        var groups = new Dictionary<string, List<HistoryLine>>(StringComparer.Ordinal);
        for (var start = 0; start < bytes.Length;)
        {
            var length = bytes.AsSpan(start).IndexOf((byte)'\n');
            var (group, line) = Parse(bytes.AsMemory(start, length));
            if (!groups.TryGetValue(group, out var lines))
                groups[group] = lines = [];
            lines.Add(line);
            start += length + 1;
        }

        return groups.Select(group => (group.Key, group.Value));
    }

    public void Dispose()
    {
        foreach (var file in _files)
            file.Dispose();
        OwnFolder.Delete(_folder);
    }

    private FileStream Create(int index) =>
        new(
            Path.Combine(_folder, Invariant($"{index}.tsv")),
            FileMode.CreateNew,
            FileAccess.ReadWrite,
            FileShare.None,
            bufferSize: 64 * 1024
        );

    private static (string Group, HistoryLine Line) Parse(ReadOnlyMemory<byte> text)
    {
        var group = Field(ref text);
        var process = string.Intern(Field(ref text));
        var number = long.Parse(Field(ref text), CultureInfo.InvariantCulture);
        return (group, new HistoryLine(process, number, HistoryReader.Parse(text.Span), text));
    }

    private static string Field(ref ReadOnlyMemory<byte> text)
    {
        var length = text.Span.IndexOf((byte)'\t');
        var field = Encoding.UTF8.GetString(text.Span[..length]);
        text = text[(length + 1)..];
        return field;
    }

    /// <summary>FNV-1a: the same in every process, so that a check can be repeated.</summary>
    private static uint Hash(string group)
    {
        var hash = 2166136261u;
        foreach (var character in group)
            hash = (hash ^ character) * 16777619u;
        return hash;
    }
}
