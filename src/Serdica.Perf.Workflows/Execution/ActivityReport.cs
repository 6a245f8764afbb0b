using System.Text.Json;

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

    public static ActivityReport Read(byte[] bytes) =>
        JsonSerializer.Deserialize(bytes, EngineJson.Default.ActivityReport)!;

    public byte[] Write() => JsonSerializer.SerializeToUtf8Bytes(this, EngineJson.Default.ActivityReport);

    /// <summary>Type and message, without the stack: it is stored with the instance.</summary>
    public static string Describe(Exception error) => $"{error.GetType().Name}: {error.Message}";
}
