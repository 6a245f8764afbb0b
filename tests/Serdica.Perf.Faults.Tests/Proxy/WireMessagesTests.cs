using System.Buffers.Binary;
using FsCheck;
using FsCheck.Fluent;

namespace Serdica.Perf.Faults.Tests.Proxy;

public sealed class WireMessagesTests
{
    /// <summary>TCP keeps the order of bytes and nothing of the pieces in which they were sent.</summary>
    [Fact]
    public void Messages_are_the_same_however_their_bytes_are_cut() =>
        Prop.ForAll<(byte Type, NonNull<string> Body)[], PositiveInt>(
                (sent, piece) =>
                {
                    var messages = sent.Select(message => (Type: (char)message.Type, Body: message.Body.Get)).ToList();
                    var read = new List<(char, string)>();
                    var wire = new WireMessages((type, body) => read.Add((type, Encoding.UTF32.GetString(body))));

                    foreach (var bytes in messages.SelectMany(message => Message(message.Type, message.Body)).Chunk(piece.Get))
                        wire.Read(bytes);

                    Assert.Equal(messages, read);
                }
            )
            .QuickCheckThrowOnFailure();

    private static byte[] Message(char type, string text)
    {
        var body = Encoding.UTF32.GetBytes(text);
        var bytes = new byte[5 + body.Length];
        bytes[0] = (byte)type;
        BinaryPrimitives.WriteInt32BigEndian(bytes.AsSpan(1), 4 + body.Length);
        body.CopyTo(bytes, 5);
        return bytes;
    }
}
