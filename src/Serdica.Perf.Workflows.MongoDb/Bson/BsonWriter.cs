using System.Buffers;
using System.Buffers.Binary;
using System.Buffers.Text;
using System.Text;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Writes one BSON document into a pooled buffer, elements in the order of the calls. Within an array the name of an
/// element is left empty: the writer counts. Not thread-safe.
/// </summary>
public sealed class BsonWriter : IDisposable
{
    private const int NotAnArray = -1;

    private readonly Stack<(int Start, int NextItem)> _open = new();
    private byte[] _buffer = ArrayPool<byte>.Shared.Rent(1024);
    private int _nextItem = NotAnArray;

    public BsonWriter() => Begin(NotAnArray);

    /// <summary>Bytes so far.</summary>
    public int Length { get; private set; }

    public void BeginDocument(ReadOnlySpan<byte> name = default)
    {
        Element(BsonType.Document, name);
        Begin(NotAnArray);
    }

    public void BeginArray(ReadOnlySpan<byte> name = default)
    {
        Element(BsonType.Array, name);
        Begin(0);
    }

    /// <summary>Ends the innermost document or array.</summary>
    public void End()
    {
        Reserve(1)[0] = 0;
        Length++;
        var (start, nextItem) = _open.Pop();
        BinaryPrimitives.WriteInt32LittleEndian(_buffer.AsSpan(start), Length - start);
        _nextItem = nextItem;
    }

    /// <summary>Ends the document itself; the bytes are valid until the writer is disposed.</summary>
    public ReadOnlyMemory<byte> Finish()
    {
        End();
        return _buffer.AsMemory(0, Length);
    }

    public void Write(ReadOnlySpan<byte> name, int value)
    {
        Element(BsonType.Int32, name);
        BinaryPrimitives.WriteInt32LittleEndian(Reserve(4), value);
        Length += 4;
    }

    public void Write(ReadOnlySpan<byte> name, long value)
    {
        Element(BsonType.Int64, name);
        BinaryPrimitives.WriteInt64LittleEndian(Reserve(8), value);
        Length += 8;
    }

    public void Write(ReadOnlySpan<byte> name, bool value)
    {
        Element(BsonType.Boolean, name);
        Reserve(1)[0] = value ? (byte)1 : (byte)0;
        Length++;
    }

    public void Write(ReadOnlySpan<byte> name, DateTimeOffset value)
    {
        Element(BsonType.DateTime, name);
        BinaryPrimitives.WriteInt64LittleEndian(Reserve(8), value.ToUnixTimeMilliseconds());
        Length += 8;
    }

    public void Write(ReadOnlySpan<byte> name, string value)
    {
        Element(BsonType.String, name);
        var bytes = Reserve(4 + Encoding.UTF8.GetMaxByteCount(value.Length) + 1);
        var count = Encoding.UTF8.GetBytes(value, bytes[4..]);
        BinaryPrimitives.WriteInt32LittleEndian(bytes, count + 1);
        bytes[4 + count] = 0;
        Length += 4 + count + 1;
    }

    public void Write(ReadOnlySpan<byte> name, ReadOnlySpan<byte> ascii)
    {
        Element(BsonType.String, name);
        var bytes = Reserve(4 + ascii.Length + 1);
        BinaryPrimitives.WriteInt32LittleEndian(bytes, ascii.Length + 1);
        ascii.CopyTo(bytes[4..]);
        bytes[4 + ascii.Length] = 0;
        Length += 4 + ascii.Length + 1;
    }

    /// <summary>As binary of subtype 4, in network order: the order of the bytes is that of UUIDv7.</summary>
    public void Write(ReadOnlySpan<byte> name, Guid value) =>
        value.TryWriteBytes(Binary(name, subtype: 4, 16), bigEndian: true, out _);

    public void Write(ReadOnlySpan<byte> name, DueKey value) => value.Write(Binary(name, subtype: 0, DueKey.Size));

    public void WriteBinary(ReadOnlySpan<byte> name, ReadOnlySpan<byte> value) =>
        value.CopyTo(Binary(name, subtype: 0, value.Length));

    public void WriteNull(ReadOnlySpan<byte> name) => Element(BsonType.Null, name);

    public void Dispose()
    {
        if (_buffer.Length > 0)
            ArrayPool<byte>.Shared.Return(_buffer);
        _buffer = [];
    }

    private Span<byte> Binary(ReadOnlySpan<byte> name, byte subtype, int length)
    {
        Element(BsonType.Binary, name);
        var bytes = Reserve(5 + length);
        BinaryPrimitives.WriteInt32LittleEndian(bytes, length);
        bytes[4] = subtype;
        Length += 5 + length;
        return bytes.Slice(5, length);
    }

    private void Begin(int nextItem)
    {
        _open.Push((Length, _nextItem));
        Reserve(4);
        Length += 4;
        _nextItem = nextItem;
    }

    private void Element(BsonType type, scoped ReadOnlySpan<byte> name)
    {
        Span<byte> digits = stackalloc byte[10];
        if (_nextItem != NotAnArray)
        {
            Utf8Formatter.TryFormat(_nextItem++, digits, out var count);
            name = digits[..count];
        }

        var bytes = Reserve(name.Length + 2);
        bytes[0] = (byte)type;
        name.CopyTo(bytes[1..]);
        bytes[name.Length + 1] = 0;
        Length += name.Length + 2;
    }

    private Span<byte> Reserve(int count)
    {
        if (_buffer.Length - Length < count)
        {
            var larger = ArrayPool<byte>.Shared.Rent(Math.Max(_buffer.Length * 2, Length + count));
            _buffer.AsSpan(0, Length).CopyTo(larger);
            ArrayPool<byte>.Shared.Return(_buffer);
            _buffer = larger;
        }

        return _buffer.AsSpan(Length, _buffer.Length - Length);
    }
}
