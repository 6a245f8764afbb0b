namespace Serdica.Perf.Workflows;

/// <summary>What a host reports of one attempt of an activity.</summary>
internal sealed record ActivityReport
{
    public required Guid Activity { get; init; }

    /// <summary>The result as JSON, when there is no error.</summary>
    public byte[] Result { get; init; } = [];

    public string? Error { get; init; }

    /// <summary>No further attempt can mend the error.</summary>
    public bool Final { get; init; }

    public static ActivityReport Read(byte[] bytes) => JsonSerializer.Deserialize(bytes, EngineJson.Default.ActivityReport)!;

    public byte[] Write() => JsonSerializer.SerializeToUtf8Bytes(this, EngineJson.Default.ActivityReport);

    /// <summary>Type and message, without the stack: it is stored with the instance.</summary>
    public static string Describe(Exception error)
    {
        try
        {
            return StoredText.Clean($"{error.GetType().Name}: {error.Message}");
        }
        catch (Exception e)
        {
            // The message is users' code too.
            return $"{error.GetType().Name}, whose message cannot be read ({e.GetType().Name})";
        }
    }
}

/// <summary>What a closing child reports to its parent.</summary>
internal sealed record ChildReport
{
    public required Guid Child { get; init; }

    /// <summary>The instance that closed, where the child was continued.</summary>
    public Guid? Last { get; init; }

    public InstanceStatus Status { get; init; }

    public string? Error { get; init; }

    public required byte[] State { get; init; }

    /// <summary>What the closed instance itself tells.</summary>
    public static ChildReport Of(Guid child, InstanceRecord closed) =>
        new() { Child = child, Status = closed.Status, Error = closed.Error, State = closed.State };

    public static ChildReport Read(byte[] bytes) => JsonSerializer.Deserialize(bytes, EngineJson.Default.ChildReport)!;

    public byte[] Write() => JsonSerializer.SerializeToUtf8Bytes(this, EngineJson.Default.ChildReport);
}

/// <summary>The payload of a cancel signal: the reason as plain UTF-8.</summary>
internal static class CancelReason
{
    public static Signal Signal(Guid id, Guid instanceId, string reason) =>
        new()
        {
            Id = id,
            InstanceId = instanceId,
            Kind = SignalKind.Cancel,
            Name = "cancel",
            Payload = Encoding.UTF8.GetBytes(StoredText.Clean(reason)),
        };

    public static string Read(byte[] payload) => Encoding.UTF8.GetString(payload);
}
