namespace Serdica.Perf.Workflows;

/// <summary>Text of errors and reasons, which users' code makes, as every backend can store it.</summary>
internal static class StoredText
{
    private const int MaxLength = 4_000;

    /// <summary>Replaces NUL and halves of surrogate pairs, which poison a whole batch on some databases, and cuts the length.</summary>
    public static string Clean(string text)
    {
        if (text.Length <= MaxLength && !text.Contains('\0') && !text.AsSpan().ContainsAnyInRange('\uD800', '\uDFFF'))
            return text;
        var clean = new StringBuilder(Math.Min(text.Length, MaxLength));
        foreach (var rune in text.EnumerateRunes())
        {
            if (clean.Length + rune.Utf16SequenceLength > MaxLength)
                break;
            clean.Append((rune.Value == 0 ? Rune.ReplacementChar : rune).ToString());
        }

        return clean.ToString();
    }
}
