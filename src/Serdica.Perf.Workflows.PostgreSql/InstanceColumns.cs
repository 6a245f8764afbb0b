namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>The columns of an instance in the order in which every statement returns them.</summary>
internal static class InstanceColumns
{
    /// <summary>How many there are, without the id.</summary>
    public const int Count = 12;

    /// <summary>Where the state stands, counted from the first of them.</summary>
    public const int State = 9;

    public static InstanceRecord Read(DbDataReader reader, Guid id, int first) =>
        new()
        {
            Id = id,
            ParentId = reader.IsDBNull(first) ? null : reader.GetGuid(first),
            Version = reader.GetInt64(first + 1),
            CreatedAt = new DateTimeOffset(reader.GetDateTime(first + 2)),
            DefinitionVersion = reader.GetInt32(first + 3),
            Status = (InstanceStatus)reader.GetInt16(first + 4),
            Waits = (WaitKinds)reader.GetInt16(first + 5),
            Definition = reader.GetString(first + 6),
            Step = reader.GetString(first + 7),
            BusinessKey = reader.IsDBNull(first + 8) ? null : reader.GetString(first + 8),
            State = reader.GetFieldValue<byte[]>(first + State),
            Progress = reader.IsDBNull(first + 10) ? null : reader.GetFieldValue<byte[]>(first + 10),
            Error = reader.IsDBNull(first + 11) ? null : reader.GetString(first + 11),
        };
}
