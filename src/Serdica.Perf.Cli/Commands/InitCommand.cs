using System.Reflection;

namespace Serdica.Perf.Cli.Commands;

/// <summary>`init`: writes a test project with a workflow of the user's own, the scenario that measures it, and its nightly gate.</summary>
internal sealed partial class InitCommand
{
    private const string Examples = """
        Examples:
          serdica-perf init orders
            Writes a test project into the folder 'orders', with a gate and pipelines,
            and prints the next commands.
          serdica-perf init orders --packages ~/serdica-perf/artifacts/packages
            The same with the packages from a folder, as 'dotnet pack' writes them, in
            the version that was packed last.

        Exit codes:
          0  written
          1  the folder cannot be written; the output says what to do
          2  the folder exists and is not empty, or --packages is not a feed;
             nothing was written
        """;

    private const string Template = "Templates/";

    /// <summary>The package that the project refers to.</summary>
    private const string Library = "Serdica.Perf.Testing";

    /// <summary>The name in the templates, which the project's own name replaces.</summary>
    private const string TemplateName = "MyWorkflows";

    /// <summary>Keywords of C#, and types that the templates use, which a namespace of that name would hide.</summary>
    private const string Taken =
        " abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum event "
        + "explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long namespace new "
        + "null object operator out override params private protected public readonly ref return sbyte sealed short sizeof stackalloc "
        + "static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using virtual void volatile while "
        + "System Task Scenario Workflow WorkflowDefinition WorkflowScenario PerfRun ";

    private readonly TextWriter _output;
    private readonly TextWriter _error;
    private readonly Argument<string> _folder = new("DIR")
    {
        Description = "A folder that does not exist yet or is empty. The project gets its name.",
    };

    private readonly Option<string?> _packages = new("--packages")
    {
        HelpName = "FEED",
        Description = "A folder or address with the packages of Serdica.Perf, if your feed does not have them.",
    };

    public InitCommand(TextWriter output, TextWriter error)
    {
        (_output, _error) = (output, error);
        Command = new DocumentedCommand(
            "init",
            "Writes a test project that measures a workflow of your own, with a gate and pipelines for every night.",
            Examples
        )
        {
            _folder,
            _packages,
        };
        Command.SetAction(parsed => Write(parsed.GetValue(_folder)!, parsed.GetValue(_packages)));
    }

    public Command Command { get; }

    private int Write(string folder, string? packages)
    {
        var path = Path.GetFullPath(folder);
        if (File.Exists(path) || (Directory.Exists(path) && Directory.EnumerateFileSystemEntries(path).Any(IsNotGit)))
        {
            throw new UsageException(
                $"'{folder}' exists and is not empty; name a folder that does not exist yet. Nothing was overwritten."
            );
        }

        // A folder that was misspelt would be taken for the address of a feed, and fail in the build.
        if (packages is not null && !Directory.Exists(packages) && !Uri.IsWellFormedUriString(packages, UriKind.Absolute))
            throw new UsageException($"--packages is '{packages}', which is neither a folder that exists nor the address of a feed.");

        var name = Identifier(Path.GetFileName(Path.TrimEndingDirectorySeparator(path)));
        var version = VersionIn(packages) ?? VersionOf(typeof(InitCommand).Assembly);
        try
        {
            WriteProject(path, name, version);
            if (packages is not null)
                WriteFeed(path, packages);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            _error.WriteLine(
                $"The project cannot be written into '{folder}' ({error.Message.TrimEnd('.')}): name a folder in a place where you may "
                    + "write."
            );
            return ExitCodes.Failed;
        }

        var place = folder.Contains(' ', Ordinal) ? $"\"{folder}\"" : folder;
        _output.WriteLine(
            $"""
            Wrote {place}. The workflow is in OrderWorkflow.cs, its scenario in OrderScenario.cs, the rest in README.md. To measure it:
              cd {place}
              dotnet tool restore
              dotnet test -c Release
              dotnet serdica-perf run --assembly bin/Release/net10.0/{name}.dll --backend in-memory
            """
        );
        if (packages is null)
        {
            _output.WriteLine(
                "Your feed must have the packages of Serdica.Perf. If it does not, write them with 'dotnet pack -c Release -o "
                    + "artifacts/packages' in a checkout, and name that folder in --packages."
            );
        }

        return ExitCodes.Success;
    }

    private static void WriteProject(string path, string name, string version)
    {
        Directory.CreateDirectory(path);
        var assembly = typeof(InitCommand).Assembly;
        foreach (
            var resource in assembly.GetManifestResourceNames().Where(resource => resource.StartsWith(Template, Ordinal))
        )
        {
            using var text = new StreamReader(assembly.GetManifestResourceStream(resource)!);
            var file = Path.Combine(path, resource[Template.Length..].Replace(TemplateName, name, Ordinal));
            Directory.CreateDirectory(Path.GetDirectoryName(file)!);
            File.WriteAllText(file, Filled(text.ReadToEnd(), name, version, assembly));
        }
    }

    private static bool IsNotGit(string entry) => Path.GetFileName(entry) != ".git";

    private static string Filled(string template, string name, string version, Assembly assembly)
    {
        var text = template.Replace(TemplateName, name, Ordinal).Replace("{version}", version, Ordinal);
        foreach (var package in assembly.GetCustomAttributes<AssemblyMetadataAttribute>())
            text = text.Replace($"{{{package.Key}}}", package.Value, Ordinal);
        return text;
    }

    private static void WriteFeed(string path, string packages)
    {
        var feed = Directory.Exists(packages) ? Path.GetFullPath(packages) : packages;
        File.WriteAllText(
            Path.Combine(path, "nuget.config"),
            $"""
            <configuration>
              <packageSources>
                <add key="Serdica.Perf" value="{System.Security.SecurityElement.Escape(feed)}" />
              </packageSources>
            </configuration>

            """
        );
    }

    /// <summary>Turns a name into one that a namespace may have.</summary>
    private static string Identifier(string name)
    {
        var letters = NoPartOfAName().Replace(name, "_");
        return letters.Length > 0 && char.IsAsciiDigit(letters[0]) ? "_" + letters
            : Taken.Contains($" {letters} ", Ordinal) ? letters + "_"
            : letters;
    }

    /// <summary>The version that was packed last into a folder; null of an address, and of a folder that has none.</summary>
    private static string? VersionIn(string? packages)
    {
        const string Extension = ".nupkg";
        if (!Directory.Exists(packages))
            return null;
        return new DirectoryInfo(packages)
            .EnumerateFiles($"{Library}.*{Extension}")
            .OrderByDescending(file => file.LastWriteTimeUtc)
            .Select(file => file.Name[(Library.Length + 1)..^Extension.Length])
            .FirstOrDefault();
    }

    /// <summary>The version of the packages that were made together with this program.</summary>
    private static string VersionOf(Assembly assembly) =>
        assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()!.InformationalVersion.Split('+')[0];

    [GeneratedRegex("[^A-Za-z0-9_]")]
    private static partial Regex NoPartOfAName();
}
