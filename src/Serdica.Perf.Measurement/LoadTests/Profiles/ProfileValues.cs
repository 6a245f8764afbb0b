namespace Serdica.Perf.Measurement.LoadTests.Profiles;

/// <summary>Parses single values; null where no value was given. An error names the place, the key and what would be valid.</summary>
/// <param name="place">The place of the value, for messages; null for the command line.</param>
internal sealed class ProfileValues(string? place)
{
    private static readonly Dictionary<string, int> Payloads = new(StringComparer.OrdinalIgnoreCase)
    {
        ["small"] = 256,
        ["medium"] = 4 << 10,
        ["large"] = 64 << 10,
    };

    public LoadProfileException Error(string problem) => new($"{(place is null ? "" : place + ": ")}{problem}.");

    public int? Count(string key, string? text) =>
        text is null ? null
        : Quantity.Number(text) is { } number && number == Math.Floor(number) && number <= 100_000_000 ? (int)number
        : throw Error($"{key} is '{text}'; it must be a whole number from 0 to 100,000,000");

    public double? Number(string key, string? text) =>
        text is null ? null : Quantity.Number(text) ?? throw Error($"{key} is '{text}'; it must be a number, for instance 100 or 0.5");

    public TimeSpan? Duration(string key, string? text) =>
        text is null
            ? null
            : Quantity.Duration(text)
                ?? throw Error(
                    $"{key} is '{text}'; it must be a number followed by ms, s, m or h, for instance 250ms, 30s or 5m, and at most 240h"
                );

    public double? Share(string key, string? text) =>
        text is null ? null
        : Quantity.Share(text) is { } share and <= 1 ? share
        : throw Error($"{key} is '{text}'; it must be a share from 0% to 100%, or from 0 to 1");

    public int? Backlog(string key, string? text) =>
        Count(key, text) is 0 ? throw Error($"{key} is 0, so nothing would be measured; it must be 1 or more") : Count(key, text);

    /// <summary>Refuses what has a meaning only beside something that is missing.</summary>
    public void RefuseWithout(string owner, bool hasOwner, params (string Key, string? Text)[] parts)
    {
        if (!hasOwner && parts.FirstOrDefault(part => part.Text is not null).Key is { } key)
            throw Error($"{key} belongs to {owner}; add {owner}, or leave {key} out");
    }

    public long? Bytes64(string key, string? text) =>
        text is null
            ? null
            : Quantity.Bytes(text)
                ?? throw Error($"{key} is '{text}'; it must be a size, for instance 512, 1kb (1,000), 4KiB (4,096) or 100GB");

    public int? Bytes(string key, string? text) =>
        Bytes64(key, text) is { } bytes
            ? bytes <= 1 << 30
                ? (int)bytes
                : throw Error($"{key} is '{text}'; it must be at most 1GiB")
            : null;

    /// <summary>A size in bytes, or a keyword for a size.</summary>
    public int? Payload(string key, string? text)
    {
        if (text is null)
            return null;
        if (Payloads.TryGetValue(text, out var bytes))
            return bytes;
        return Quantity.Bytes(text) is null
            ? throw Error(
                $"{key} is '{text}'; it must be small (256 bytes), medium (4 KiB), large (64 KiB), or a size such as 512, 1kb or 4KiB"
            )
            : Bytes(key, text);
    }

    public bool Truth(string key, string? text) =>
        text switch
        {
            null or "false" => false,
            "true" => true,
            _ => throw Error($"{key} is '{text}'; it must be true or false"),
        };

    public T? Word<T>(string key, string? text)
        where T : struct, Enum =>
        text is null ? null
        : Enum.TryParse<T>(text, ignoreCase: true, out var value) && Enum.IsDefined(value) && !char.IsDigit(text[0]) ? value
        : throw Error(
            $"{key} is '{text}'; it must be one of {string.Join(", ", Enum.GetNames<T>().Select(name => name.ToLowerInvariant()))}"
        );

    /// <summary>The three short forms of thresholds.</summary>
    public IReadOnlyList<Threshold> Thresholds(TimeSpan? p99, double? errorRate, double? lateness) =>
        [
            .. p99 is { } limit ? [Threshold.P99(limit)] : Array.Empty<Threshold>(),
            .. errorRate is { } failed ? [Threshold.ErrorRate(failed)] : Array.Empty<Threshold>(),
            .. lateness is { } late ? [Threshold.Lateness(late)] : Array.Empty<Threshold>(),
        ];

    /// <summary>Thresholds as they are typed.</summary>
    public IReadOnlyList<Threshold> Thresholds(IReadOnlyList<string>? texts) =>
        Placed(() => (IReadOnlyList<Threshold>)[.. (texts ?? []).Select(Threshold.Parse)]);

    /// <summary>Kinds of operations with their weights.</summary>
    public IReadOnlyList<MixPart> Mix(IReadOnlyDictionary<string, string?>? parts) =>
        parts is null ? [] : Placed(() => OperationMix.Checked(parts.Select(part => (part.Key, part.Value))));

    private T Placed<T>(Func<T> read)
    {
        try
        {
            return read();
        }
        catch (LoadProfileException problem) when (place is not null)
        {
            throw new LoadProfileException($"{place}: {problem.Message}", problem);
        }
    }

    /// <summary>A rate per second where no maximum is measured that it could be a share of.</summary>
    public double? PerSecond(string key, string? text) =>
        text is null ? null
        : Quantity.Number(text) is { } value and > 0 ? value
        : throw Error($"{key} is '{text}'; it must be a number per second above 0");

    /// <summary>A rate per second, or a share of the measured maximum.</summary>
    public (double? PerSecond, double? ShareOfMaximum)? Rate(string key, string? text)
    {
        if (text is null)
            return null;
        var isShare = text.TrimEnd().EndsWith('%');
        return (isShare ? Quantity.Share(text) : Quantity.Number(text)) is { } value and > 0
            ? isShare
                ? (null, value)
                : (value, null)
            : throw Error($"{key} is '{text}'; it must be a number per second above 0, or a share of the measured maximum such as 70%");
    }

    /// <summary><c>20</c>, or <c>5..20</c>.</summary>
    public (int Min, int Max)? Range(string key, string? text)
    {
        if (text is null)
            return null;
        var parts = text.Split("..");
        return parts.Length <= 2 && Whole(parts[0]) is { } min && Whole(parts[^1]) is { } max && max >= min
            ? (min, max)
            : throw Error(
                $"{key} is '{text}'; it must be a whole number from 1 to 1,000,000, or two such as 5..20, of which the second is not the "
                    + "smaller one"
            );

        static int? Whole(string text) =>
            Quantity.Number(text) is { } number and >= 1 and <= 1_000_000 && number == Math.Floor(number) ? (int)number : null;
    }
}
