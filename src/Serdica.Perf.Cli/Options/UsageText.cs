using System.CommandLine;

namespace Serdica.Perf.Cli.Options;

/// <summary>One sentence for a command line that cannot be parsed.</summary>
internal static class UsageText
{
    public static string Sentence(ParseResult parsed)
    {
        var command = parsed.CommandResult.Command;
        if (parsed.UnmatchedTokens is [var token, ..])
            return token.StartsWith('-')
                ? $"There is no option '{token}'; {Name(command)} has {Join(command.Options.Select(option => option.Name))}."
                : $"'{token}' is unknown; {Name(command)} has "
                    + $"{Join(command.Subcommands.Select(sub => sub.Name).Concat(command.Options.Select(option => option.Name)))}.";
        if (command.Subcommands.Count > 0)
            return $"A command is missing; there {(command.Subcommands.Count == 1 ? "is" : "are")} {Join(command.Subcommands.Select(sub => sub.Name))}.";
        return parsed.Errors[0].Message;
    }

    private static string Name(Command command) => command is RootCommand ? "serdica-perf" : $"'{command.Name}'";

    private static string Join(IEnumerable<string> names) => string.Join(", ", names.Where(name => name != "--version"));
}

/// <summary>The user typed an unknown name or an invalid value; the message is one sentence that lists the valid ones.</summary>
internal sealed class UsageException(string message) : Exception(message);
