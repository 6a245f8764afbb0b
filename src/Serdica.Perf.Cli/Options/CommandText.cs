namespace Serdica.Perf.Cli.Options;

/// <summary>A command as it was typed.</summary>
internal static partial class CommandText
{
    /// <summary>What was typed; it holds no secret, since no option takes one.</summary>
    public static string Of(ParseResult parsed) =>
        string.Join(' ', ["serdica-perf", .. parsed.Tokens.Select(token => Quoted(token.Value))]);

    private static string Quoted(string value) => Plain().IsMatch(value) ? value : $"\"{value}\"";

    /// <summary>Characters that mean nothing else to a shell.</summary>
    [GeneratedRegex(@"^[A-Za-z0-9_./:=,@%+-]+\z")]
    private static partial Regex Plain();
}
