namespace Serdica.Perf.Workflows;

/// <summary>What is unusual about one signal.</summary>
public sealed record PublishOptions
{
    /// <value>The time from the write until the signal is due, by the database's clock. Default: due at once.</value>
    public TimeSpan Delay { get; init; }

    /// <value>An instance accepts one signal with this key, ever; default none. Makes a repeat after an error safe.</value>
    public string? DedupKey { get; init; }
}
