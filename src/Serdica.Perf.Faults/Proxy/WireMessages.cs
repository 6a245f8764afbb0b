using System.Buffers.Binary;

namespace Serdica.Perf.Faults.Proxy;

/// <summary>
/// Splits one direction of PostgreSQL's protocol into messages, however the bytes are cut into pieces. Of each message it keeps the
/// first part, which is enough for statements and tags.
/// </summary>
/// <param name="onMessage">Gets the type, 0 for one without, and the first part of the body.</param>
internal sealed class WireMessages(WireMessages.OnMessage onMessage)
{
    private const int MaxKept = 16 << 10;
    private const int LengthBytes = 4;

    private readonly byte[] _kept = new byte[MaxKept];
    private readonly byte[] _header = new byte[1 + LengthBytes];
    private int _headerBytes;
    private int _keptBytes;
    private int _left;
    private bool _inBody;

    public delegate void OnMessage(char type, ReadOnlySpan<byte> body);

    /// <value>Whether messages have a type; the first ones of a client have none.</value>
    public bool IsTyped { get; set; } = true;

    /// <value>How many single bytes, which are no messages, come first.</value>
    public int SingleBytes { get; set; }

    /// <value>Gets each of the single bytes.</value>
    public Action<char>? OnSingleByte { get; init; }

    public void Read(ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            if (SingleBytes > 0 && !_inBody && _headerBytes == 0)
            {
                SingleBytes--;
                OnSingleByte?.Invoke((char)bytes[0]);
                bytes = bytes[1..];
            }
            else
            {
                bytes = _inBody ? ReadBody(bytes) : ReadHeader(bytes);
            }
        }
    }

    private ReadOnlySpan<byte> ReadHeader(ReadOnlySpan<byte> bytes)
    {
        var wanted = IsTyped ? _header.Length : LengthBytes;
        var count = Math.Min(wanted - _headerBytes, bytes.Length);
        bytes[..count].CopyTo(_header.AsSpan(_headerBytes));
        _headerBytes += count;
        if (_headerBytes == wanted)
        {
            _left = BinaryPrimitives.ReadInt32BigEndian(_header.AsSpan(wanted - LengthBytes)) - LengthBytes;
            _inBody = true;
            EndIfComplete();
        }

        return bytes[count..];
    }

    private ReadOnlySpan<byte> ReadBody(ReadOnlySpan<byte> bytes)
    {
        var count = Math.Min(_left, bytes.Length);
        var kept = Math.Min(count, MaxKept - _keptBytes);
        bytes[..kept].CopyTo(_kept.AsSpan(_keptBytes));
        _keptBytes += kept;
        _left -= count;
        EndIfComplete();
        return bytes[count..];
    }

    private void EndIfComplete()
    {
        if (_left > 0)
            return;
        var body = _kept.AsSpan(0, _keptBytes);
        var type = IsTyped ? (char)_header[0] : '\0';
        (_inBody, _headerBytes, _keptBytes) = (false, 0, 0);
        onMessage(type, body);
    }
}
