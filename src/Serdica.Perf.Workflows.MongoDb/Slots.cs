namespace Serdica.Perf.Workflows.MongoDb;

/// <summary>
/// Signals and messages are dealt out to slots: several processes look at different ones, so that they need not all
/// reach for the same first document, and a sharded cluster can be asked for one shard's.
/// </summary>
internal static class Slots
{
    /// <summary>Stored with the documents: never change it.</summary>
    public const int Count = 16;

    /// <summary>All signals of an instance are in one slot; the last byte of a UUIDv7 is random.</summary>
    public static int Of(Guid id)
    {
        Span<byte> bytes = stackalloc byte[16];
        id.TryWriteBytes(bytes, bigEndian: true, out _);
        return bytes[15] % Count;
    }
}
