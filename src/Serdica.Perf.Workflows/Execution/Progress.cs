using System.Text.Json;
using System.Text.Json.Serialization;

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

    public List<PendingChild>? Children { get; init; }

    /// <summary>The retry signal that has been sent for the inbox and has not come yet.</summary>
    public Guid? RetryId { get; init; }

    /// <summary>The instance that this one was continued with.</summary>
    public Guid? ContinuedAs { get; init; }

    /// <summary>The child that the parent knows, when this instance continues it.</summary>
    public Guid? ReportsAs { get; init; }

    public static Progress Read(byte[]? bytes) =>
        bytes is null ? None : JsonSerializer.Deserialize(bytes, EngineJson.Default.Progress)!;

    /// <summary>The stored form; <see langword="null"/> when there is nothing to note.</summary>
    public byte[]? Write()
    {
        if (this == None)
            return null;
        return JsonSerializer.SerializeToUtf8Bytes(this, EngineJson.Default.Progress);
    }
}

/// <summary>A signal that the engine keeps for its instance.</summary>
internal sealed record BufferedSignal
{
    public required Guid Id { get; init; }

    // External is the default value of its type, which the engine's documents leave out elsewhere.
    [JsonIgnore(Condition = JsonIgnoreCondition.Never)]
    public required SignalKind Kind { get; init; }

    public required string Name { get; init; }

    public required byte[] Payload { get; init; }

    /// <summary>The fencing token of an activity's result.</summary>
    public int Token { get; init; }

    /// <summary>How often its handler has failed.</summary>
    public int Failures { get; init; }

    /// <summary>Not to be tried before; by the database's clock.</summary>
    public DateTimeOffset? NotBefore { get; init; }

    [JsonIgnore]
    public DateTimeOffset DueAt { get; init; }
}

/// <summary>The activity that the instance stands at.</summary>
/// <param name="Id">Id of its signal; the same for all attempts.</param>
/// <param name="Attempt">The attempt that was leased last: the fencing token.</param>
internal sealed record PendingActivity(Guid Id, int Attempt);

/// <summary>A child that the instance waits for.</summary>
internal sealed record PendingChild
{
    public required Guid Id { get; init; }

    /// <summary>How it ended, once it has.</summary>
    public byte[]? Report { get; init; }
}
