namespace Serdica.Perf.Workflows;

/// <summary>
/// The engine's notes on an open instance, stored beside the user's state. Immutable, so that a failed handler is
/// undone by forgetting what it noted; lists are replaced, never changed.
/// </summary>
internal sealed record Progress
{
    /// <summary>Nothing to note.</summary>
    public static Progress None { get; } = new();

    /// <summary>Signals that came before their wait, or whose handler failed, in order.</summary>
    public List<BufferedSignal>? Inbox { get; init; }

    /// <summary>The timer of the present step.</summary>
    public Guid? TimerId { get; init; }

    public PendingActivity? Activity { get; init; }

    public ChildFamily? Children { get; init; }

    /// <summary>The retry signal that has been sent for the inbox and has not come yet.</summary>
    public Guid? RetryId { get; init; }

    /// <summary>The instance that this one was continued with.</summary>
    public Guid? ContinuedAs { get; init; }

    /// <summary>The instance that this one continues: it is purged first.</summary>
    public Guid? ContinuedFrom { get; init; }

    /// <summary>The child that the parent knows, when this instance continues it.</summary>
    public Guid? ReportsAs { get; init; }

    public static Progress Read(byte[]? bytes) => bytes is null ? None : JsonSerializer.Deserialize(bytes, EngineJson.Default.Progress)!;

    /// <summary>The stored form; <see langword="null"/> when there is nothing to note.</summary>
    public byte[]? Write()
    {
        if (this == None)
            return null;
        return JsonSerializer.SerializeToUtf8Bytes(this, EngineJson.Default.Progress);
    }
}

/// <summary>The engine's own documents, without reflection.</summary>
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault
)]
[JsonSerializable(typeof(Progress))]
[JsonSerializable(typeof(ActivityReport))]
[JsonSerializable(typeof(ChildReport))]
internal sealed partial class EngineJson : JsonSerializerContext;
