namespace Serdica.Perf.Cli.Options;

/// <summary>
/// Declares options: each is added to its command where it is declared, so that an option stands in one place with its
/// description, and beside the code that reads it.
/// </summary>
internal static class OptionDeclarations
{
    /// <summary>Begins a group: options that are declared from now on stand under its heading in the help.</summary>
    /// <returns>This command.</returns>
    public static Command Group(this Command command, string heading)
    {
        (command as DocumentedCommand)?.BeginGroup(heading);
        return command;
    }

    public static T Declare<T>(this Command command, T option)
        where T : Option
    {
        command.Options.Add(option);
        return option;
    }

    /// <summary>An option with one value, which is read at once.</summary>
    /// <param name="read">Reads what was typed; null when it is invalid.</param>
    public static Option<T> Read<T>(
        string name,
        string helpName,
        string description,
        Func<string, T> read,
        Func<string, string> mistake
    ) =>
        new(name)
        {
            HelpName = helpName,
            Description = description,
            CustomParser = result =>
            {
                var text = result.Tokens[0].Value;
                var value = read(text);
                if (value is null)
                    result.AddError(mistake(text));
                return value;
            },
        };

    /// <summary>An option with one value, which is read later by the rules of its kind.</summary>
    public static Option<string?> Text(this Command command, string name, string helpName, string description, params string[] aliases) =>
        command.Declare(new Option<string?>(name, aliases) { HelpName = helpName, Description = description });

    /// <summary>An option without a value.</summary>
    public static Option<bool> Switch(this Command command, string name, string description) =>
        command.Declare(new Option<bool>(name) { Description = description });

    /// <summary>A whole number within limits.</summary>
    public static Option<int?> Number(this Command command, string name, string description, int least, int most) =>
        command.Declare(NumberOption.Create(name, description, least, most));

    /// <summary>Names, comma-separated or by repeating the option: see <see cref="Split"/>.</summary>
    public static Option<string[]> Names(this Command command, string name, string helpName, string description) =>
        command.Declare(
            new Option<string[]>(name) { HelpName = helpName, Description = description, Arity = ArgumentArity.OneOrMore }
        );

    /// <summary>An option with a fixed set of words as values; the error message lists them.</summary>
    public static Option<T?> Word<T>(this Command command, string name, string description, params T[] values)
        where T : struct, Enum
    {
        var words = values.Select(value => value.ToString().ToLowerInvariant()).ToArray();
        return command.Declare(
            Read<T?>(
                name,
                string.Join('|', words),
                description,
                text => words.Contains(text.ToLowerInvariant()) ? Enum.Parse<T>(text, ignoreCase: true) : null,
                text => $"{name} is '{text}'; it must be one of {string.Join(", ", words)}."
            )
        );
    }

    /// <summary>How many times something is measured.</summary>
    public static Option<int?> Repeat(this Command command, string description) => command.Number("--repeat", description, 1, 1_000);

    /// <summary>Names that were given by comma, by repeating the option, or both.</summary>
    public static List<string> Split(string[]? values) =>
        [
            .. (values ?? [])
                .SelectMany(value => value.Split(',', TrimEntries | RemoveEmptyEntries))
                .Distinct(),
        ];
}
