namespace Serdica.Perf.Cli.Options;

/// <summary>A command whose help has headings over groups of options, and ends with examples and exit codes.</summary>
/// <param name="examples">Lines of at most 80 columns.</param>
internal sealed class DocumentedCommand(string name, string description, string examples) : Command(name, description)
{
    private readonly List<(string Heading, int First)> _groups = [];

    public string Examples => examples;

    /// <summary>Headings of the help, by the name of the first option below each; empty for a command without groups.</summary>
    public IReadOnlyDictionary<string, string> Headings =>
        _groups.Count == 0
            ? new Dictionary<string, string>()
            : new Dictionary<string, string>(
                _groups.Select(group => KeyValuePair.Create(Options[group.First].Name, group.Heading)).Append(new("--help", "Help"))
            );

    /// <summary>Options that are declared from now on stand under this heading.</summary>
    public void BeginGroup(string heading) => _groups.Add((heading, Options.Count));
}
