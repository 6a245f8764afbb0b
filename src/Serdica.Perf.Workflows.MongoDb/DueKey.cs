using System.Buffers.Binary;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// A key whose order is that of due time, then id: 24 bytes, big-endian, the time with its sign bit turned. The
/// index that every collection has on <c>_id</c> so serves claims in order, and needs neither a second index nor a
/// sort.
/// </summary>
/// <param name="Milliseconds">Since 1970: the resolution of a date in BSON.</param>
/// <param name="Id">The id of the signal, message or dead letter.</param>
internal readonly record struct DueKey(long Milliseconds, Guid Id)
{
    private const int Size = 24;

    private const ulong Sign = 1UL << 63;

    /// <summary>Rounded up: nothing becomes due early.</summary>
    public static DueKey At(DateTimeOffset time, Guid id)
    {
        var milliseconds = time.ToUnixTimeMilliseconds();
        return new(time.Ticks % TimeSpan.TicksPerMillisecond == 0 ? milliseconds : milliseconds + 1, id);
    }

    /// <summary>Below all keys of this time.</summary>
    public static DueKey First(long milliseconds) => new(milliseconds, Guid.Empty);

    /// <summary>Above all keys of this time.</summary>
    public static DueKey After(DateTimeOffset time) => First(time.ToUnixTimeMilliseconds() + 1);

    /// <summary>Above all keys.</summary>
    public static DueKey Last => First(long.MaxValue);

    public DateTimeOffset Time => DateTimeOffset.FromUnixTimeMilliseconds(Milliseconds);

    public static DueKey Read(ReadOnlySpan<byte> bytes) =>
        new((long)(BinaryPrimitives.ReadUInt64BigEndian(bytes) ^ Sign), new Guid(bytes.Slice(8, 16), bigEndian: true));

    public BsonBinaryData ToBson()
    {
        var bytes = new byte[Size];
        BinaryPrimitives.WriteUInt64BigEndian(bytes, (ulong)Milliseconds ^ Sign);
        Id.TryWriteBytes(bytes.AsSpan(8), bigEndian: true, out _);
        return new(bytes);
    }
}
