namespace Serdica.Perf.Cli.Options;

internal static class UsageText
{
    /// <summary>One sentence for a command line that cannot be parsed, or has a value without text; null for any other.</summary>
    public static string? Sentence(ParseResult parsed)
    {
        // A variable of the shell that is not set must not choose the default.
        var children = parsed.CommandResult.Children;
        if (children.FirstOrDefault(child => child.Tokens.Any(token => token.Value.Trim(' ', ',').Length == 0)) is { } empty)
            return $"{(empty is OptionResult option ? option.Option.Name : ((ArgumentResult)empty).Argument.Name)} is empty; "
                + $"'serdica-perf {Path(parsed.CommandResult)} --help' shows what it takes.";
        if (parsed.Errors.Count == 0)
            return null;

        var command = parsed.CommandResult.Command;
        if (parsed.UnmatchedTokens is [var token, ..])
        {
            var isOption = token.StartsWith('-');
            var problem =
                isOption ? $"There is no option '{token}'"
                : command.Arguments.Count > 0 ? $"'{token}' is one too many"
                : $"'{token}' is unknown";
            var others = isOption ? [] : command.Subcommands.Select(sub => sub.Name).Concat(command.Arguments.Select(own => own.Name));
            var options = command.Options.Where(option => !option.Hidden).Select(option => option.Name);
            string[] names = [.. others.Concat(options).Where(IsShown)];
            return $"{problem}; {Name(command)} has {(names.Length == 0 ? "none" : string.Join(", ", names))}."
                + ClosestName.Question(token, names);
        }

        if (command.Subcommands.Count > 0)
            return $"A command is missing; there {(command.Subcommands.Count == 1 ? "is" : "are")} "
                + $"{string.Join(", ", command.Subcommands.Select(sub => sub.Name))}.";
        string[] missing = [.. Missing(parsed)];
        return missing.Length > 0
            ? $"{Name(command)} needs {string.Join(" and ", missing)}; 'serdica-perf {Path(parsed.CommandResult)} --help' shows how."
            : parsed.Errors[0].Message;
    }

    /// <summary>What the command cannot do without and was not typed.</summary>
    private static IEnumerable<string> Missing(ParseResult parsed)
    {
        var command = parsed.CommandResult.Command;
        foreach (var argument in command.Arguments)
        {
            if (argument.Arity.MinimumNumberOfValues > 0 && parsed.GetResult(argument) is not { Tokens.Count: > 0 })
                yield return argument.Name;
        }

        foreach (var option in command.Options)
        {
            var result = parsed.GetResult(option);
            if (option.Required && result?.IdentifierToken is null)
                yield return option.Name;
            else if (option.Arity.MinimumNumberOfValues > 0 && result is { Implicit: false, Tokens.Count: 0 })
                yield return $"a value for {option.Name}";
        }
    }

    /// <summary>The names that lead to a command, as they are typed.</summary>
    private static string Path(CommandResult command) =>
        command.Parent is CommandResult { Command: not RootCommand } parent
            ? $"{Path(parent)} {command.Command.Name}"
            : command.Command.Name;

    private static string Name(Command command) => command is RootCommand ? "serdica-perf" : $"'{command.Name}'";

    private static bool IsShown(string name) => name != "--version";
}

/// <summary>The user typed an unknown name or an invalid value; the message is one sentence that lists the valid ones.</summary>
internal sealed class UsageException(string message) : Exception(message);
