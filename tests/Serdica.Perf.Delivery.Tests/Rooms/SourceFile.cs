namespace Serdica.Perf.Delivery.Tests.Rooms;

/// <summary>What a source file says about its place in the house: its namespace, what it declares and what it names.</summary>
/// <param name="Name">Without its folder.</param>
/// <param name="Namespace">Of all that is in it.</param>
/// <param name="Names">Words of its code that may be types.</param>
internal sealed partial record SourceFile(
    string Name,
    string Namespace,
    IReadOnlySet<string> Imports,
    IReadOnlySet<string> Types,
    IReadOnlySet<string> Names
)
{
    /// <summary>Null for a file without a namespace, such as <c>Program.cs</c>.</summary>
    public static SourceFile? Read(string path)
    {
        var code = NotCode().Replace(File.ReadAllText(path), match => match.Value.StartsWith('/') ? "" : Holes(match.Value));
        if (NamespaceOf().Match(code) is not { Success: true } own)
            return null;

        return new(
            Path.GetFileName(path),
            own.Groups[1].Value,
            Import()
                .Matches(code)
                .Select(match => match.Groups[1].Success ? Enclosing(match.Groups[2].Value) : match.Groups[2].Value)
                .ToHashSet(),
            Declaration().Matches(code).Select(match => match.Groups[1].Value).ToHashSet(),
            Word().Matches(code).Select(match => match.Value).ToHashSet()
        );
    }

    /// <summary>Whether the types of a namespace need no import here.</summary>
    public bool IsInside(string other) => Namespace.StartsWith(other + ".");

    /// <summary>The namespace of a type that <c>using static</c> or an alias names.</summary>
    private static string Enclosing(string type) => type.Contains('.') ? type[..type.LastIndexOf('.')] : type;

    /// <summary>The expressions in an interpolated text are code, its words are not.</summary>
    private static string Holes(string text) => string.Join(' ', Hole().Matches(text).Select(match => match.Value));

    [GeneratedRegex(
        """//[^\n]*|/\*.*?\*/|"{3,}.*?"{3,}|@"(?:[^"]|"")*"|'(?:\\.[^']*|[^'\\])'|"(?:\\.|[^"\\\n])*["]""",
        RegexOptions.Singleline
    )]
    private static partial Regex NotCode();

    [GeneratedRegex(@"\{[^{}]*\}")]
    private static partial Regex Hole();

    [GeneratedRegex(@"^namespace ([\w.]+)", RegexOptions.Multiline)]
    private static partial Regex NamespaceOf();

    [GeneratedRegex(@"^(?:global )?using (static |\w+ = )?([\w.]+)", RegexOptions.Multiline)]
    private static partial Regex Import();

    // From the first column: nested types are no names of the namespace.
    [GeneratedRegex(@"^(?:[a-z]+ )*(?:class|record struct|record|struct|interface|enum) +(\w+)", RegexOptions.Multiline)]
    private static partial Regex Declaration();

    [GeneratedRegex(@"(?<![.\w])[A-Z]\w*")]
    private static partial Regex Word();
}
