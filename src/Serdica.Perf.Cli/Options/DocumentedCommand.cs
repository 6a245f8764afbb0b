using System.CommandLine;

namespace Serdica.Perf.Cli.Options;

/// <summary>A command with the examples and exit codes that its help ends with.</summary>
/// <param name="name">As it is typed.</param>
/// <param name="description">One sentence.</param>
/// <param name="examples">Lines of at most 80 columns.</param>
internal sealed class DocumentedCommand(string name, string description, string examples) : Command(name, description)
{
    public string Examples => examples;
}
