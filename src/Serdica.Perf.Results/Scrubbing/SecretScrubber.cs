using System.Text.RegularExpressions;

namespace Serdica.Perf.Results.Scrubbing;

/// <summary>
/// Takes out of free text what looks like a secret: the last guard for logs and published files, whose parts should hold
/// none in the first place. <see cref="ConnectionStringRedactor"/> is for text that is known to be a connection string.
/// </summary>
public static partial class SecretScrubber
{
    private const string Replacement = "(secret)";

    /// <summary>The same for a text that was already scrubbed.</summary>
    public static string Scrub(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return UserInfo().Replace(Assignment().Replace(text, $"$1{Replacement}"), $"{Replacement}@");
    }

    // The value may be quoted, and the quotes escaped because the text is JSON.
    [GeneratedRegex("""\b((?:password|passwd|pwd|passphrase|secret|token)\s*[=:]\s*)(?!\(secret\))(?:\\"[^"\\]*\\"|"[^"]*"|'[^']*'|[^\s;,"'&]+)""", RegexOptions.IgnoreCase)]
    private static partial Regex Assignment();

    // To the last @ of the word: a password may hold unescaped / and @.
    [GeneratedRegex("""(?<=://)(?!\(secret\)@)[^\s"@/]*:[^\s"]*@""")]
    private static partial Regex UserInfo();
}
