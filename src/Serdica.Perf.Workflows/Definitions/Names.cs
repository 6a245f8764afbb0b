namespace Serdica.Perf.Workflows;

/// <summary>What may be stored as a name or a key, on every backend.</summary>
internal static class Names
{
    public const int MaxLength = 200;

    /// <exception cref="ArgumentException">Empty, too long, with control characters, or no valid Unicode text.</exception>
    public static void Check([NotNull] string? value, string what)
    {
        if (string.IsNullOrWhiteSpace(value))
            throw new ArgumentException($"The {what} is empty.");
        if (value.Length > MaxLength)
            throw new ArgumentException($"The {what} has {value.Length} characters; at most {MaxLength} are allowed.");
        foreach (var character in value)
        {
            if (char.IsControl(character))
                throw new ArgumentException($"The {what} has a control character (U+{(int)character:X4}).");
        }

        foreach (var rune in value.EnumerateRunes())
        {
            if (rune == Rune.ReplacementChar)
                throw new ArgumentException($"The {what} is no valid Unicode text: it has half a surrogate pair, or U+FFFD in its place.");
        }
    }
}
