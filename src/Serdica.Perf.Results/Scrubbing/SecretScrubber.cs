namespace Serdica.Perf.Results.Scrubbing;

/// <summary>
/// Removes text that looks like a secret, and the users that servers quote in their messages. It is the last guard for logs and
/// published files, whose parts should contain no secret in the first place. <see cref="ConnectionStringRedactor"/> is for text that
/// is known to be a connection string.
/// </summary>
/// <remarks>Where the end of a secret is uncertain, it removes more rather than less.</remarks>
internal static partial class SecretScrubber
{
    private const string Replacement = "(secret)";

    /// <summary>The text without secrets; scrubbed text stays unchanged.</summary>
    public static string Scrub(string text)
    {
        text = Assignment().Replace(text, $"${{key}}{Replacement}");
        text = UserInfo().Replace(text, $"{Replacement}@");
        text = OracleLogin().Replace(text, $"{Replacement}@");
        return QuotedUser().Replace(text, "(user)");
    }

    /// <summary>Whether a field of this name holds a secret, whatever its value looks like.</summary>
    public static bool IsSecret(string name) => SecretName().IsMatch(name);

    // Values in quotes (escaped quotes in JSON, doubled quotes inside the value), then bare values: up to the next pair of a
    // connection string, to the end of the line after an earlier pair, to the next option of a URL, or to the next blank.
    [GeneratedRegex(
        """
            (?<key>(?:(?<![\w.-])--[\w-]*(?:password|passwd|pwd|secret|token)(?:\s+|=)
                |[\w.-]*(?:password|passwd|pwd|passphrase|secret|token)(?:[_-]?key)?(?:\\*["']|\\+u002[27])?\s*[=:]\s*
                |\b(?:user[\ _]?(?:name|id)|uid)\s*=\s*))
            (?!\(secret\))
            (?:(?<quote>\\+(?:"|u0022|u0027))(?:\k<quote>\k<quote>|(?!\k<quote>).)*\k<quote>
              |"(?:""|\\.|[^"])*"
              |'(?:''|[^'])*'
              |(?<![?&][^=&\s]*=)[^;\r\n]+(?=;\s*[A-Za-z][\w\ ]*=)
              |(?<=;[^;=]*=\s*)(?:(?!\\*"\s*(?:[,}\]]|$))[^;\r\n])+
              |(?<=[?&][^=&\s]*=)[^\s&"';]+
              |[^\s;]+?(?=,?(?:\s|;|$)|\\*["'](?:[,;.:\s}\])]|$)))
            """,
        RegexOptions.IgnoreCase | RegexOptions.IgnorePatternWhitespace | RegexOptions.Singleline
    )]
    private static partial Regex Assignment();

    // Up to the last @ of the word: a password may contain unescaped / and @. A name alone may be a token.
    [GeneratedRegex("""(?<=://)(?!\(secret\)@)(?:[^\s"@/]*:(?:[^\s"]|"(?!\s*[,}\]]))*|[^\s"'@/:?#]+)@""")]
    private static partial Regex UserInfo();

    // The forms of Oracle's programs: user/password@//host, user/password@host:port and user/password@host/service.
    [GeneratedRegex(
        """(?<![\w/:.@\\-])"?[\w$#.\[\]-]+"?/(?:\\*"[^"\r\n]*"|\\+u0022[^\r\n]*?\\+u0022|[^\s"']+)@(?=//|[\w.-]+(?::\d{1,5}\b|/\w))"""
    )]
    private static partial Regex OracleLogin();

    [GeneratedRegex(
        """(?<=\b(?:user|username|user name|role|login)\s*[:=]?\s*\\*["'])(?!\(user\))[^"'\\\r\n]+(?=\\*["'])|"""
            + """(?<=\buser )(?!\(user\))\S+(?= lacks )""",
        RegexOptions.IgnoreCase
    )]
    private static partial Regex QuotedUser();

    // Blanks after the name make it no less secret.
    [GeneratedRegex(@"(?:password|passwd|pwd|passphrase|secret|token)(?:[_-]?key)?\s*\z", RegexOptions.IgnoreCase)]
    private static partial Regex SecretName();
}
