using System.Buffers.Binary;

namespace Serdica.Perf.Measurement.Queues;

/// <summary>The payload of a bare message: the number of its operation, and zeros up to the length that was asked for.</summary>
internal static class MessagePayload
{
    public static byte[] Of(int operation, int bytes)
    {
        var payload = new byte[Length(bytes)];
        BinaryPrimitives.WriteInt32LittleEndian(payload, operation);
        return payload;
    }

    /// <summary>Reads the number; null when the payload is not as it was sent. The scan is vectorised.</summary>
    public static int? OperationOf(byte[] payload, int bytes) =>
        payload.Length == Length(bytes) && !payload.AsSpan(sizeof(int)).ContainsAnyExcept((byte)0)
            ? BinaryPrimitives.ReadInt32LittleEndian(payload)
            : null;

    private static int Length(int bytes) => Math.Max(sizeof(int), bytes);
}
