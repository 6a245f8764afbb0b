namespace Serdica.Perf.Results.Profiles;

/// <summary>Parses durations, sizes, shares and rates in the form that people write.</summary>
internal static class Quantity
{
    private static readonly (string Unit, double Seconds)[] Times = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3_600)];

    private static readonly (string Unit, double Bytes)[] Sizes =
    [
        ("kib", 1024),
        ("mib", 1024 * 1024),
        ("gib", 1024d * 1024 * 1024),
        ("kb", 1e3),
        ("mb", 1e6),
        ("gb", 1e9),
        ("tb", 1e12),
        ("b", 1),
    ];

    /// <summary><c>250ms</c>, <c>30s</c>, <c>1.5m</c>, <c>2h</c>, <c>0s</c>; null when it is invalid.</summary>
    public static TimeSpan? Duration(string text) =>
        WithUnit(text, Times) is { } seconds and <= 864_000 ? FromSeconds(seconds) : null;

    /// <summary>A duration in the largest unit that it is a multiple of; seconds may have a fraction.</summary>
    public static string Text(TimeSpan duration) =>
        duration switch
        {
            _ when duration == TimeSpan.Zero || duration.Ticks % TimeSpan.TicksPerSecond != 0 => Invariant(
                $"{duration.TotalSeconds:0.###}s"
            ),
            { Minutes: 0, Seconds: 0 } => Invariant($"{duration.TotalHours:0}h"),
            { Seconds: 0 } => Invariant($"{duration.TotalMinutes:0}m"),
            _ => Invariant($"{duration.TotalSeconds:0}s"),
        };

    /// <summary><c>512</c>, <c>1kb</c> (1,000), <c>4KiB</c> (4,096), <c>100GB</c>; null when it is invalid.</summary>
    public static long? Bytes(string text) =>
        Number(text) is { } plain ? (long)plain
        : WithUnit(text, Sizes) is { } bytes ? (long)bytes
        : null;

    /// <summary><c>50%</c> or <c>0.5</c>; null when it is invalid.</summary>
    public static double? Share(string text) => text.TrimEnd().EndsWith('%') ? Number(text.TrimEnd()[..^1]) / 100 : Number(text);

    /// <summary>A finite number that is not negative; null when it is invalid.</summary>
    public static double? Number(string text) =>
        double.TryParse(
            text,
            NumberStyles.AllowDecimalPoint | NumberStyles.AllowLeadingWhite | NumberStyles.AllowTrailingWhite,
            CultureInfo.InvariantCulture,
            out var number
        ) && double.IsFinite(number)
            ? number
            : null;

    /// <param name="units">Units in lower case; the text may use any case.</param>
    internal static double? WithUnit(string text, (string Unit, double Factor)[] units)
    {
        var lower = text.Trim().ToLowerInvariant();
        foreach (var (unit, factor) in units)
        {
            // Longer units come first, so that text that ends in 'ms' is not read as seconds.
            if (lower.EndsWith(unit, Ordinal) && Number(lower[..^unit.Length]) is { } number)
                return number * factor;
        }

        return null;
    }
}
