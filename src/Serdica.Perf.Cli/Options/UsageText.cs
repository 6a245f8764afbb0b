using System.CommandLine;
using Serdica.Perf.Results;

namespace Serdica.Perf.Cli.Options;

/// <summary>One sentence for a command line that cannot be parsed.</summary>
internal static class UsageText
{
    public static string Sentence(ParseResult parsed)
    {
        var command = parsed.CommandResult.Command;
        if (parsed.UnmatchedTokens is [var token, ..])
        {
            var isOption = token.StartsWith('-');
            var options = command.Options.Select(option => option.Name);
            string[] names = [.. (isOption ? options : command.Subcommands.Select(sub => sub.Name).Concat(options)).Where(IsShown)];
            return $"{(isOption ? $"There is no option '{token}'" : $"'{token}' is unknown")}; {Name(command)} has "
                + $"{string.Join(", ", names)}.{ClosestName.Question(token, names)}";
        }

        if (command.Subcommands.Count > 0)
            return $"A command is missing; there {(command.Subcommands.Count == 1 ? "is" : "are")} "
                + $"{string.Join(", ", command.Subcommands.Select(sub => sub.Name))}.";
        return parsed.Errors[0].Message;
    }

    private static string Name(Command command) => command is RootCommand ? "serdica-perf" : $"'{command.Name}'";

    private static bool IsShown(string name) => name != "--version";
}

/// <summary>The user typed an unknown name or an invalid value; the message is one sentence that lists the valid ones.</summary>
internal sealed class UsageException(string message) : Exception(message);
