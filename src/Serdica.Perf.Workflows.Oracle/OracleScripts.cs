using System.Collections.Frozen;
using System.Reflection;

namespace Serdica.Perf.Workflows.Oracle;

/// <summary>The embedded SQL and PL/SQL, with the prefix filled in. A missing file fails here, at the start.</summary>
internal sealed class OracleScripts
{
    private const string Folder = "Serdica.Perf.Workflows.Oracle.Scripts.";

    private readonly FrozenDictionary<string, string> _texts;

    public OracleScripts(string prefix)
    {
        var assembly = Assembly.GetExecutingAssembly();
        _texts = assembly
            .GetManifestResourceNames()
            .Where(name => name.StartsWith(Folder, Ordinal))
            .ToFrozenDictionary(
                name => name[Folder.Length..^".sql".Length],
                name => Read(assembly, name).Replace("{wf}", prefix, Ordinal)
            );
        Migrations =
        [
            .. _texts
                .Where(text => text.Key.StartsWith("migration-", Ordinal))
                .OrderBy(text => text.Key, StringComparer.Ordinal)
                .Select(text => text.Value),
        ];
    }

    public IEnumerable<string> Names => _texts.Keys;

    /// <summary>In their order; the first brings the schema from version 0 to 1.</summary>
    public IReadOnlyList<string> Migrations { get; }

    public string this[string name] => _texts[name];

    private static string Read(Assembly assembly, string name)
    {
        using var stream = assembly.GetManifestResourceStream(name)!;
        using var reader = new StreamReader(stream);
        var text = reader.ReadToEnd().ReplaceLineEndings("\n").Trim();

        // The package keeps its comments, so that the lines of compile errors are those of the file. Elsewhere they
        // are for readers of the file only, and the driver would carry and hash them with every execution.
        return name.StartsWith($"{Folder}package-", Ordinal)
            ? text
            : string.Join('\n', text.Split('\n').Where(line => !line.TrimStart().StartsWith("--", Ordinal)));
    }
}
