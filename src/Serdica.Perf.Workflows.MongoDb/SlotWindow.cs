namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Signals and messages are dealt out to slots: several processes look at different ones, so that they need not all
/// reach for the same first document.
/// </summary>
internal static class Slots
{
    /// <summary>Stored with the documents: never change it.</summary>
    public const int Count = 16;

    public static int[] All { get; } = [.. Enumerable.Range(0, Count)];

    /// <summary>All signals of an instance are in one slot; the last byte of a UUIDv7 is random.</summary>
    public static int Of(Guid id)
    {
        Span<byte> bytes = stackalloc byte[16];
        id.TryWriteBytes(bytes, bigEndian: true, out _);
        return bytes[15] % Count;
    }
}

/// <summary>
/// Which slots the next look covers: all, until other processes turn out to reach for the same documents; then fewer,
/// and others each time. Not thread-safe.
/// </summary>
internal sealed class SlotWindow(int largest)
{
    private readonly int _largest = largest;
    private int _size = largest;
    private int _start = Random.Shared.Next(Slots.Count);

    public int[]? Next()
    {
        if (_size == Slots.Count)
            return null;
        var slots = new int[_size];
        for (var i = 0; i < _size; i++)
            slots[i] = (_start + i) % Slots.Count;
        _start = (_start + _size) % Slots.Count;
        return slots;
    }

    /// <summary>Much of what was found is somebody else's.</summary>
    public void Narrow() => _size = Math.Max(1, _size / 2);

    /// <summary>There was less than could be taken.</summary>
    public void Widen() => _size = Math.Min(_largest, _size * 2);
}
