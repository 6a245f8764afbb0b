using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Serdica.Perf.Workflows;

/// <summary>
/// UUIDv7 whose order is the order of creation within a process: <see cref="Guid.CreateVersion7()"/> is random
/// within a millisecond, and signals of one publisher must not change places.
/// </summary>
/// <remarks>RFC 9562, section 6.2, method 1: a 12-bit counter in <c>rand_a</c>, carried into the time when it runs over.</remarks>
public static class SortableId
{
    private static long _last;

    /// <summary>The next id. Thread-safe and without locks.</summary>
    public static Guid Next(DateTimeOffset now)
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
