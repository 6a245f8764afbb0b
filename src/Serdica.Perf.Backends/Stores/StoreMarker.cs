namespace Serdica.Perf.Backends.Stores;

/// <summary>What a store on a server says of itself, so that a store whose run was killed can be recognised. It holds no secret.</summary>
/// <param name="MadeAt">When the store was made, by the clock of that machine.</param>
/// <param name="SeenAt">When the run last renewed the marker; a run does that every <see cref="HeldStore.Renewal"/>.</param>
internal sealed record StoreMarker(string Run, string Host, int ProcessId, DateTimeOffset MadeAt, DateTimeOffset SeenAt)
{
    private const string Suite = "Serdica.Perf";

    private static readonly JsonSerializerOptions Options = new(JsonSerializerDefaults.Web)
    {
        RespectNullableAnnotations = true,
        RespectRequiredConstructorParameters = true,
    };

    /// <summary>Whose marker it is; any other name is not ours.</summary>
    public string MadeBy { get; init; } = Suite;

    /// <summary>The marker of a store that this process makes.</summary>
    public static StoreMarker Of(string run, DateTimeOffset now) => new(run, Environment.MachineName, Environment.ProcessId, now, now);

    /// <summary>Reads what <see cref="ToString"/> wrote; <see langword="null"/> when it is something else.</summary>
    public static StoreMarker? Parse(string? text)
    {
        try
        {
            return text is not null && JsonSerializer.Deserialize<StoreMarker>(text, Options) is { MadeBy: Suite } marker ? marker : null;
        }
        catch (JsonException)
        {
            return null;
        }
    }

    /// <summary>One line of JSON.</summary>
    public override string ToString() => JsonSerializer.Serialize(this, Options);
}
