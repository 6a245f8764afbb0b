namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>Closes as payloads of notifications: base64 of records of one length.</summary>
internal static class ClosePayload
{
    private const int IdBytes = 16;

    /// <summary>The id, the status, and the id of the continuation, or zeros.</summary>
    private const int RecordBytes = IdBytes + 1 + IdBytes;

    /// <summary>A payload must be shorter than 8,000 bytes.</summary>
    private const int MostRecords = 7_999 / 4 * 3 / RecordBytes;

    public static IEnumerable<string> Write(IReadOnlyList<ClosedInstance> closed) =>
        closed
            .Chunk(MostRecords)
            .Select(static part =>
            {
                var bytes = new byte[part.Length * RecordBytes];
                for (var i = 0; i < part.Length; i++)
                {
                    var record = bytes.AsSpan(i * RecordBytes, RecordBytes);
                    part[i].Id.TryWriteBytes(record);
                    record[IdBytes] = (byte)part[i].Status;
                    part[i].ContinuedAs.GetValueOrDefault().TryWriteBytes(record[(IdBytes + 1)..]);
                }

                return Convert.ToBase64String(bytes);
            });

    /// <summary>Nothing, when it is no such payload: anyone may notify.</summary>
    public static IReadOnlyList<ClosedInstance> Read(string payload)
    {
        var bytes = new byte[payload.Length];
        if (!Convert.TryFromBase64String(payload, bytes, out var length) || length % RecordBytes != 0)
            return [];
        var closed = new ClosedInstance[length / RecordBytes];
        for (var i = 0; i < closed.Length; i++)
        {
            var record = bytes.AsSpan(i * RecordBytes, RecordBytes);
            var continuedAs = new Guid(record[(IdBytes + 1)..]);
            closed[i] = new ClosedInstance(
                new Guid(record[..IdBytes]),
                (InstanceStatus)record[IdBytes],
                continuedAs == Guid.Empty ? null : continuedAs
            );
        }

        return closed;
    }
}
