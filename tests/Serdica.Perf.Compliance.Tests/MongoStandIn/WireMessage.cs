using System.Buffers.Binary;

namespace Serdica.Perf.Compliance;

/// <summary>
/// One request by MongoDB's wire protocol: OP_MSG, and OP_QUERY for the very first greeting. Sections of documents are
/// folded into the command, as the server does.
/// </summary>
/// <param name="Id">What the answer refers to.</param>
/// <param name="WantsNoReply">The flag moreToCome.</param>
internal sealed record WireMessage(int Id, bool IsGreeting, bool WantsNoReply, byte[] Command)
{
    private const int HeaderSize = 16;
    private const int Message = 2013;
    private const int Query = 2004;
    private const int Reply = 1;
    private const int MoreToCome = 2;

    /// <summary>Null when the other side has hung up.</summary>
    public static async Task<WireMessage?> ReadAsync(Stream stream, CancellationToken cancellationToken)
    {
        var header = new byte[HeaderSize];
        if (await stream.ReadAtLeastAsync(header, HeaderSize, throwOnEndOfStream: false, cancellationToken) < HeaderSize)
            return null;
        var body = new byte[BinaryPrimitives.ReadInt32LittleEndian(header) - HeaderSize];
        await stream.ReadExactlyAsync(body, cancellationToken);
        var id = BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(4));
        return BinaryPrimitives.ReadInt32LittleEndian(header.AsSpan(12)) switch
        {
            Message => new(id, false, (BinaryPrimitives.ReadInt32LittleEndian(body) & MoreToCome) != 0, Fold(body.AsSpan(4))),
            Query => new(id, true, false, AfterName(body, 4, 8)),
            var code => throw new InvalidDataException($"Operation {code} is not spoken here."),
        };
    }

    public async Task AnswerAsync(Stream stream, ReadOnlyMemory<byte> reply, CancellationToken cancellationToken)
    {
        byte[] prefix = IsGreeting ? [8, 0, 0, 0, .. new byte[12], 1, 0, 0, 0] : new byte[5];
        var bytes = new byte[HeaderSize + prefix.Length + reply.Length];
        BinaryPrimitives.WriteInt32LittleEndian(bytes, bytes.Length);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(8), Id);
        BinaryPrimitives.WriteInt32LittleEndian(bytes.AsSpan(12), IsGreeting ? Reply : Message);
        prefix.CopyTo(bytes, HeaderSize);
        reply.CopyTo(bytes.AsMemory(HeaderSize + prefix.Length));
        await stream.WriteAsync(bytes, cancellationToken);
    }

    private static byte[] AfterName(byte[] body, int start, int gap) => body[(Array.IndexOf(body, (byte)0, start) + 1 + gap)..];

    private static byte[] Fold(ReadOnlySpan<byte> sections)
    {
        byte[] command = [];
        var arrays = new MemoryStream();
        while (sections.Length > 0)
        {
            var kind = sections[0];
            var size = BinaryPrimitives.ReadInt32LittleEndian(sections[1..]);
            var section = sections.Slice(1, size);
            sections = sections[(1 + size)..];
            if (kind == 0)
                command = section.ToArray();
            else
                AppendArray(arrays, section[4..]);
        }

        if (arrays.Length == 0)
            return command;
        byte[] folded = [.. command.AsSpan(0, command.Length - 1), .. arrays.ToArray(), 0];
        BinaryPrimitives.WriteInt32LittleEndian(folded, folded.Length);
        return folded;
    }

    private static void AppendArray(MemoryStream elements, ReadOnlySpan<byte> sequence)
    {
        var end = sequence.IndexOf((byte)0) + 1;
        var items = new MemoryStream();
        var rest = sequence[end..];
        for (var index = 0; rest.Length > 0; index++)
        {
            var size = BinaryPrimitives.ReadInt32LittleEndian(rest);
            items.WriteByte(3);
            items.Write(Encoding.ASCII.GetBytes(index.ToString(CultureInfo.InvariantCulture)));
            items.WriteByte(0);
            items.Write(rest[..size]);
            rest = rest[size..];
        }

        elements.WriteByte(4);
        elements.Write(sequence[..end]);
        elements.Write(BitConverter.GetBytes((int)items.Length + 5));
        elements.Write(items.ToArray());
        elements.WriteByte(0);
    }
}
