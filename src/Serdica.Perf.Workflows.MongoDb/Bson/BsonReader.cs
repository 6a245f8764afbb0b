using System.Buffers.Binary;
using System.Text;

namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>Walks over the elements of one BSON document or array without copying it.</summary>
public ref struct BsonReader
{
    private ReadOnlySpan<byte> _rest;
    private ReadOnlySpan<byte> _value;

    /// <exception cref="InvalidDataException">The bytes are no BSON document.</exception>
    public BsonReader(ReadOnlySpan<byte> document)
    {
        if (document.Length < 5 || BinaryPrimitives.ReadInt32LittleEndian(document) is var length && (length < 5 || length > document.Length))
            throw new InvalidDataException($"A reply of {document.Length} bytes is no BSON document.");
        _rest = document[4..length];
    }

    public BsonType Type { get; private set; }

    public ReadOnlySpan<byte> Name { get; private set; }

    public bool Next()
    {
        if (_rest[0] == 0)
            return false;
        Type = (BsonType)_rest[0];
        var nameLength = _rest[1..].IndexOf((byte)0);
        Name = _rest.Slice(1, nameLength);
        _rest = _rest[(nameLength + 2)..];
        var size = Type switch
        {
            BsonType.Double or BsonType.DateTime or BsonType.Int64 or BsonType.Timestamp => 8,
            BsonType.String => 4 + BinaryPrimitives.ReadInt32LittleEndian(_rest),
            BsonType.Document or BsonType.Array => BinaryPrimitives.ReadInt32LittleEndian(_rest),
            BsonType.Binary => 5 + BinaryPrimitives.ReadInt32LittleEndian(_rest),
            BsonType.ObjectId => 12,
            BsonType.Boolean => 1,
            BsonType.Null => 0,
            BsonType.Int32 => 4,
            BsonType.Decimal128 => 16,
            _ => throw new InvalidDataException($"BSON type 0x{(byte)Type:x2} of '{Encoding.UTF8.GetString(Name)}' is not expected in a reply."),
        };
        _value = _rest[..size];
        _rest = _rest[size..];
        return true;
    }

    /// <summary>Steps to the first element of this name from here on.</summary>
    public bool Find(ReadOnlySpan<byte> name)
    {
        while (Next())
        {
            if (Name.SequenceEqual(name))
                return true;
        }

        return false;
    }

    /// <summary>Any number: servers answer counts as int32, int64 or double, as it suits them.</summary>
    public readonly double Number() => Type switch
    {
        BsonType.Int32 => BinaryPrimitives.ReadInt32LittleEndian(_value),
        BsonType.Double => BinaryPrimitives.ReadDoubleLittleEndian(_value),
        BsonType.Boolean => _value[0],
        _ => BinaryPrimitives.ReadInt64LittleEndian(_value),
    };

    public readonly int Int32() => (int)Int64();

    public readonly long Int64() => Type is BsonType.Int64 or BsonType.DateTime
        ? BinaryPrimitives.ReadInt64LittleEndian(_value)
        : (long)Number();

    /// <summary>Seconds since 1970 in the upper half, a count within the second in the lower.</summary>
    public readonly long Timestamp() => BinaryPrimitives.ReadInt64LittleEndian(_value);

    public readonly DateTimeOffset Time() => DateTimeOffset.FromUnixTimeMilliseconds(Int64());

    public readonly string String() => Encoding.UTF8.GetString(_value[4..^1]);

    public readonly Guid Guid() => new(Binary(), bigEndian: true);

    public readonly DueKey DueKey() => MongoDb.DueKey.Read(Binary());

    public readonly ReadOnlySpan<byte> Binary() => _value[5..];

    /// <summary>The bytes of an embedded document or array.</summary>
    public readonly ReadOnlySpan<byte> Document() => _value;
}
