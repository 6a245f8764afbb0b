namespace Serdica.Perf.Cli.Options;

/// <summary>A command as it was typed.</summary>
internal static class CommandText
{
    /// <summary>What was typed; it holds no secret, since no option takes one.</summary>
    public static string Of(ParseResult parsed) =>
        $"serdica-perf "
        + $"{string.Join(' ', parsed.Tokens.Select(token => token.Value.Any(char.IsWhiteSpace) ? $"\"{token.Value}\"" : token.Value))}";
}
