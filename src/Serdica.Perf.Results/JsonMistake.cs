namespace Serdica.Perf.Results;

/// <summary>Says what is wrong with a JSON file to somebody who does not know the types of this program.</summary>
internal static class JsonMistake
{
    private const string Missing = "was missing required properties including: ";
    private const string Unknown = "could not be mapped to any .NET member";
    private const string Twice = "Duplicate property '";
    private const string Null = " is null";

    /// <summary>The message of an exception for a list.</summary>
    public const string NullElement = $"an element{Null}";

    /// <summary>The message of an exception for a value of a dictionary.</summary>
    public static string NullOf(object key) => $"'{key}'{Null}";

    /// <summary>A clause for a sentence, such as <c>it has no 'seed', 'hosts'</c>; it names the place where that is known.</summary>
    public static string Words(JsonException error)
    {
        var message = error.Message;
        if (message.IndexOf(Missing, Ordinal) is var at and >= 0)
            return $"it has no {message[(at + Missing.Length)..].TrimEnd('.')}{Path(error)}";
        if (message.Contains(Unknown, Ordinal) && message.Split('\'') is [_, var name, ..])
            return $"'{name}'{Line(error)} is unknown";
        if (message.StartsWith(Twice, Ordinal))
            return $"it has {message.Split('\'')[1]} twice{Line(error)}";
        if (message.EndsWith(Null, Ordinal) && error.Path is not null)
            return $"{message[..^Null.Length]}{Path(error)}{Line(error)}{Null}";

        // The reader of the syntax knows no path; with a path of the document alone, the syntax is right and a value has the wrong type.
        return error.InnerException is JsonException || (error.Path is null && error.LineNumber is not null)
                ? $"it is not JSON{Line(error)}"
            : error.Path is null ? message
            : $"{(error.Path == "$" ? "it" : $"'{error.Path[2..]}'")}{Line(error)} does not have a valid value";
    }

    private static string Path(JsonException error) => error.Path is { Length: > 2 } path ? $" in '{path[2..]}'" : "";

    private static string Line(JsonException error) => error.LineNumber is { } line ? Invariant($" (line {line + 1})") : "";
}
