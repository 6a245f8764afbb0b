namespace Serdica.Perf.Results.Scrubbing;

/// <summary>Removes absolute paths from free text, because they reveal details of the machine and its users; relative paths stay.</summary>
internal static partial class PathScrubber
{
    private const string Replacement = "(path)";

    public static string Scrub(string text) => AbsolutePath().Replace(Quoted().Replace(text, Replacement), Replacement);

    // A path in quotes may contain blanks.
    [GeneratedRegex("""(?<=")(?:~?/\w|[A-Za-z]:[\\/])[^"]*(?=")|(?<=')(?:~?/\w|[A-Za-z]:[\\/])[^']*(?=')""")]
    private static partial Regex Quoted();

    // At least two parts, or one of the usual roots, so that "12 /s" stays.
    [GeneratedRegex(
        """(?:(?<=^|[\s"'=(,;:\[])|(?<=file://))~?/(?:[\w.+@%-]+/[\w.+@%/-]*|(?:home|root|tmp|var|usr|etc|opt|mnt|srv|data|Users)\b)|"""
            + """\b[A-Za-z]:[\\/][^\s"'<>|;,]*|\\\\[\w.-]+\\[^\s"'<>|;,]*"""
    )]
    private static partial Regex AbsolutePath();
}
