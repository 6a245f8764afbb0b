using System.Buffers;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>The items of one call and their contents, within what a RAW holds on the way in and on the way out.</summary>
/// <param name="firstItem">Place of its first item in the batch.</param>
internal sealed class OracleDocument(int firstItem)
{
    private readonly ArrayBufferWriter<byte> _items = new(1_024);
    private readonly ArrayBufferWriter<byte> _contents = new(1_024);
    private int _results = 2;

    public int FirstItem => firstItem;

    public bool HasRoomFor(int item, int content, int result) =>
        _items.WrittenCount + item + 2 <= OracleBind.MaxRaw
        && _contents.WrittenCount + content <= OracleBind.MaxRaw
        && _results + result <= OracleBind.MaxRaw;

    public void Add(ReadOnlySpan<byte> item, byte[] content, byte[] detail, int result)
    {
        _items.Write(_items.WrittenCount == 0 ? "["u8 : ","u8);
        _items.Write(item);
        _contents.Write(content);
        _contents.Write(detail);
        _results += result;
    }

    /// <summary>Completes the document; called once.</summary>
    public byte[] Items()
    {
        _items.Write("]"u8);
        return _items.WrittenSpan.ToArray();
    }

    /// <summary>Null when there are none: no bytes are NULL to Oracle, and this says so.</summary>
    public byte[]? Contents() => _contents.WrittenCount == 0 ? null : _contents.WrittenSpan.ToArray();
}

/// <summary>What the database knows of an instance by itself, apart from its content.</summary>
internal sealed record OracleInstanceRow(
    Guid Id,
    Guid? ParentId,
    string? BusinessKey,
    long Version,
    InstanceStatus Status,
    WaitKinds Waits,
    DateTimeOffset CreatedAt,
    DateTimeOffset UpdatedAt
);
