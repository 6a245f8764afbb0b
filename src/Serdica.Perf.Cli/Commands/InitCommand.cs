using System.CommandLine;
using System.Reflection;
using System.Text.RegularExpressions;
using Serdica.Perf.Cli.Options;

namespace Serdica.Perf.Cli.Commands;

/// <summary>`init`: writes a small project with a workflow of the user's own and a scenario that measures it.</summary>
internal sealed partial class InitCommand
{
    private const string Examples = """
        Examples:
          serdica-perf init orders
            Writes a project into the folder 'orders' and prints the next commands.

        Exit codes:
          0  written
          2  the folder exists and is not empty; nothing was written
        """;

    private const string Template = "Templates/";

    /// <summary>The name in the templates, which the project's own name replaces.</summary>
    private const string TemplateName = "MyWorkflows";

    private readonly TextWriter _output;
    private readonly Argument<string> _folder = new("DIR")
    {
        Description = "A folder that does not exist yet or is empty. The project gets its name.",
    };

    private readonly Option<string?> _packages = new("--packages")
    {
        HelpName = "FEED",
        Description = "A folder or address with the packages of Serdica.Perf, if your feed does not have them.",
    };

    public InitCommand(TextWriter output)
    {
        _output = output;
        Command = new DocumentedCommand(
            "init",
            "Writes a small project with a workflow of your own and a scenario that measures it.",
            Examples) { _folder, _packages };
        Command.SetAction(parsed => Write(parsed.GetValue(_folder)!, parsed.GetValue(_packages)));
    }

    public Command Command { get; }

    private int Write(string folder, string? packages)
    {
        var path = Path.GetFullPath(folder);
        if (File.Exists(path) || (Directory.Exists(path) && Directory.EnumerateFileSystemEntries(path).Any()))
        {
            throw new UsageException(
                $"'{folder}' exists and is not empty; name a folder that does not exist yet. Nothing was overwritten.");
        }

        var name = Identifier(Path.GetFileName(Path.TrimEndingDirectorySeparator(path)));
        Directory.CreateDirectory(path);
        var assembly = typeof(InitCommand).Assembly;
        foreach (var resource in assembly.GetManifestResourceNames().Where(resource => resource.StartsWith(Template, StringComparison.Ordinal)))
        {
            using var text = new StreamReader(assembly.GetManifestResourceStream(resource)!);
            var file = resource[Template.Length..].Replace(TemplateName, name, StringComparison.Ordinal);
            File.WriteAllText(
                Path.Combine(path, file),
                text.ReadToEnd().Replace(TemplateName, name, StringComparison.Ordinal).Replace("{version}", Version(assembly), StringComparison.Ordinal));
        }

        if (packages is not null)
            WriteFeed(path, packages);
        _output.WriteLine($"""
            Wrote {folder}. The workflow is in OrderWorkflow.cs, its scenario in OrderScenario.cs. To measure it:
              cd {folder}
              dotnet build -c Release
              serdica-perf run --assembly bin/Release/net10.0/{name}.dll --backend in-memory
            """);
        return ExitCodes.Success;
    }

    private static void WriteFeed(string path, string packages)
    {
        var feed = Directory.Exists(packages) ? Path.GetFullPath(packages) : packages;
        File.WriteAllText(Path.Combine(path, "nuget.config"), $"""
            <configuration>
              <packageSources>
                <add key="Serdica.Perf" value="{System.Security.SecurityElement.Escape(feed)}" />
              </packageSources>
            </configuration>

            """);
    }

    /// <summary>Turns a name into one that a namespace may have.</summary>
    private static string Identifier(string name)
    {
        var letters = NoPartOfAName().Replace(name, "_");
        return letters.Length > 0 && char.IsAsciiDigit(letters[0]) ? "_" + letters : letters;
    }

    /// <summary>The version of the packages, which are built together with this program.</summary>
    private static string Version(Assembly assembly) =>
        assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];

    [GeneratedRegex("[^A-Za-z0-9_]")]
    private static partial Regex NoPartOfAName();
}
