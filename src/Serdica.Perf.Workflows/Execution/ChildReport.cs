using System.Text.Json;

namespace Serdica.Perf.Workflows;

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
    public static ChildReport Of(Guid child, InstanceRecord closed) => new()
    {
        Child = child,
        Status = closed.Status,
        Error = closed.Error,
        State = closed.State,
    };

    public static ChildReport Read(byte[] bytes) =>
        JsonSerializer.Deserialize(bytes, EngineJson.Default.ChildReport)!;

    public byte[] Write() => JsonSerializer.SerializeToUtf8Bytes(this, EngineJson.Default.ChildReport);
}
