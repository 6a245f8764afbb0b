namespace Serdica.Perf.Workflows;

/// <summary>A signal that the engine keeps for its instance.</summary>
internal readonly record struct BufferedSignal
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

    /// <summary>Keeps a signal that has come.</summary>
    public static BufferedSignal Of(Signal signal) =>
        new() { Id = signal.Id, Kind = signal.Kind, Name = signal.Name, Payload = signal.Payload, Token = signal.Attempt };

    /// <summary>The signal as it goes among the dead letters.</summary>
    public Signal ToSignal(Guid instanceId, int failures) =>
        new() { Id = Id, InstanceId = instanceId, Kind = Kind, Name = Name, Payload = Payload, Attempt = failures };
}
