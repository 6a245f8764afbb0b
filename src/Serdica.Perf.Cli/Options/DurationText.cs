namespace Serdica.Perf.Cli.Options;

/// <summary>Durations as users type them: a whole number with its unit, <c>90s</c>, <c>10m</c> or <c>1h</c>.</summary>
internal static class DurationText
{
    private static readonly TimeSpan Longest = FromHours(24);
    private static readonly TimeSpan LongestDelay = FromSeconds(10);

    public static Option<TimeSpan?> Option(string name, string description) =>
        OptionDeclarations.Read(
            name,
            "TIME",
            description,
            TryParse,
            text =>
                $"{name} is '{text}'; it must be a whole number with s, m or h, from 1s to {Quantity.Text(Longest)}: "
                + "for instance 90s, 10m or 1h."
        );

    /// <summary>A delay: a whole number of milliseconds or seconds, <c>1ms</c> or <c>2s</c>.</summary>
    public static Option<TimeSpan?> DelayOption(string name, string description) =>
        OptionDeclarations.Read(
            name,
            "TIME",
            description,
            TryParseDelay,
            text =>
                $"{name} is '{text}'; it must be a whole number with ms or s, from 1ms to {Quantity.Text(LongestDelay)}: "
                + "for instance 1ms."
        );

    private static TimeSpan? TryParseDelay(string text)
    {
        var isMilliseconds = text.EndsWith("ms", Ordinal);
        if (
            !isMilliseconds
            || !int.TryParse(text.AsSpan(0, text.Length - 2), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
        )
            return TryParse(text) is { } duration && duration <= LongestDelay ? duration : null;
        return number > 0 && FromMilliseconds(number) is var delay && delay <= LongestDelay ? delay : null;
    }

    private static TimeSpan? TryParse(string text)
    {
        if (
            text.Length < 2
            || !int.TryParse(text.AsSpan(0, text.Length - 1), NumberStyles.None, CultureInfo.InvariantCulture, out var number)
            || number is 0 or > 86_400
        )
            return null;

        TimeSpan? duration = text[^1] switch
        {
            's' => FromSeconds(number),
            'm' => FromMinutes(number),
            'h' => FromHours(number),
            _ => null,
        };
        return duration <= Longest ? duration : null;
    }
}
