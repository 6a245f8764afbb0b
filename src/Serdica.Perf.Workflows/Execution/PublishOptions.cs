namespace Serdica.Perf.Workflows;

/// <summary>What is unusual about one signal.</summary>
public sealed record PublishOptions
{
    /// <value>Due so long after the write, by the database's clock; default at once.</value>
    public TimeSpan Delay { get; init; }

    /// <value>An instance accepts one signal with this key, ever; default none. Makes a repeat after an error safe.</value>
    public string? DedupKey { get; init; }
}
