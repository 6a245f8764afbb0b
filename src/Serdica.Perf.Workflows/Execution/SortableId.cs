using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Serdica.Perf.Workflows;

/// <summary>
/// UUIDv7 whose order is the order of creation within a process: <see cref="Guid.CreateVersion7()"/> is random
/// within a millisecond, and signals of one publisher must not change places.
/// </summary>
/// <remarks>
/// <para>RFC 9562, section 6.2, method 1: a 12-bit counter in <c>rand_a</c>, carried into the time when it runs over.</para>
/// <para>
/// 16 of its random bits are its slot. A store that is divided keeps instances of one slot together: instances with one business
/// key, and an instance with all that it has started, have one slot.
/// </para>
/// </remarks>
public static class SortableId
{
    /// <summary>The slot lies behind the variant and before the bytes in which a family of ids counts.</summary>
    private const int SlotPlace = 9;

    private static long _last;

    /// <summary>The next id. Thread-safe and without locks.</summary>
    public static Guid Next(DateTimeOffset now) => Next(now, slot: null);

    /// <summary>The next id, for an instance with a business key.</summary>
    public static Guid NextFor(DateTimeOffset now, string businessKey) => Next(now, SlotOf(businessKey));

    /// <summary>The next id, for an instance that another one starts.</summary>
    public static Guid NextBeside(DateTimeOffset now, Guid starter) => Next(now, SlotOf(starter));

    /// <summary>The slot of an instance.</summary>
    public static int SlotOf(Guid instanceId)
    {
        Span<byte> bytes = stackalloc byte[16];
        instanceId.TryWriteBytes(bytes, bigEndian: true, out _);
        return BinaryPrimitives.ReadUInt16BigEndian(bytes[SlotPlace..]);
    }

    /// <summary>The slot of the instance with a business key: FNV-1a over its UTF-16 code units, folded. It never changes.</summary>
    public static int SlotOf(string businessKey)
    {
        ArgumentNullException.ThrowIfNull(businessKey);
        var hash = 2_166_136_261u;
        foreach (var unit in businessKey)
            hash = unchecked((hash ^ unit) * 16_777_619u);
        return (int)((hash >> 16) ^ (hash & 0xFFFF));
    }

    private static Guid Next(DateTimeOffset now, int? slot)
    {
        var floor = now.ToUnixTimeMilliseconds() << 12;
        long last,
            next;
        do
        {
            last = Volatile.Read(ref _last);
            next = Math.Max(last + 1, floor);
        } while (Interlocked.CompareExchange(ref _last, next, last) != last);

        Span<byte> bytes = stackalloc byte[16];
        RandomSource.Fill(bytes[8..]);
        BinaryPrimitives.WriteInt64BigEndian(bytes, (next >> 12 << 16) | 0x7000 | (next & 0xFFF));
        bytes[8] = (byte)((bytes[8] & 0x3F) | 0x80);
        if (slot is { } given)
            BinaryPrimitives.WriteUInt16BigEndian(bytes[SlotPlace..], (ushort)given);
        return new Guid(bytes, bigEndian: true);
    }

    /// <summary>One of a family of ids: it differs from the first in its last 32 bits, by its place.</summary>
    internal static Guid Offset(Guid first, int place)
    {
        Span<byte> bytes = stackalloc byte[16];
        first.TryWriteBytes(bytes, bigEndian: true, out _);
        var tail = bytes[12..];
        BinaryPrimitives.WriteUInt32BigEndian(tail, unchecked(BinaryPrimitives.ReadUInt32BigEndian(tail) + (uint)place));
        return new Guid(bytes, bigEndian: true);
    }

    /// <summary>The place of an id in the family of the first; whatever is of no family has any place.</summary>
    internal static int PlaceOf(Guid first, Guid id) => unchecked((int)(TailOf(id) - TailOf(first)));

    private static uint TailOf(Guid id)
    {
        Span<byte> bytes = stackalloc byte[16];
        id.TryWriteBytes(bytes, bigEndian: true, out _);
        return BinaryPrimitives.ReadUInt32BigEndian(bytes[12..]);
    }

    /// <summary>Cryptographic random bytes, fetched in blocks: one call for each id costs more than the id.</summary>
    private static class RandomSource
    {
        [ThreadStatic]
        private static byte[]? _block;

        [ThreadStatic]
        private static int _used;

        public static void Fill(Span<byte> target)
        {
            var block = _block;
            if (block is null || _used + target.Length > block.Length)
            {
                block = _block ??= new byte[1024];
                RandomNumberGenerator.Fill(block);
                _used = 0;
            }

            block.AsSpan(_used, target.Length).CopyTo(target);
            _used += target.Length;
        }
    }
}
