using System.Collections.Frozen;
using System.Reflection;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>The embedded SQL, with the schema filled in. A missing file fails here, at the start.</summary>
internal sealed class PostgreSqlScripts
{
    private const string Prefix = "Serdica.Perf.Workflows.PostgreSql.Scripts.";
    private const string Filter = "--filter";

    private readonly FrozenDictionary<string, string> _texts;

    public PostgreSqlScripts(string schema)
    {
        var assembly = Assembly.GetExecutingAssembly();
        _texts = assembly.GetManifestResourceNames()
            .Where(name => name.StartsWith(Prefix, StringComparison.Ordinal))
            .ToFrozenDictionary(
                name => name[Prefix.Length..^".sql".Length],
                name => Read(assembly, name).Replace("{schema}", schema, StringComparison.Ordinal));
        FilteredClaim = Read(assembly, $"{Prefix}claim.sql", filtered: true).Replace("{schema}", schema, StringComparison.Ordinal);
        Migrations = [.. _texts
            .Where(text => text.Key.StartsWith("migration-", StringComparison.Ordinal))
            .OrderBy(text => text.Key, StringComparer.Ordinal)
            .Select(text => text.Value)];
    }

    /// <summary>In their order; the first brings the schema from version 0 to 1.</summary>
    public IReadOnlyList<string> Migrations { get; }

    /// <summary>The claim that leaves activities or definitions alone.</summary>
    public string FilteredClaim { get; }

    public string this[string name] => _texts[name];

    private static string Read(Assembly assembly, string name, bool filtered = false)
    {
        using var stream = assembly.GetManifestResourceStream(name)!;
        using var reader = new StreamReader(stream);

        // The comments are for readers of the files; the driver would carry and hash them with every execution.
        var text = filtered ? reader.ReadToEnd().Replace(Filter, "", StringComparison.Ordinal) : reader.ReadToEnd();
        var lines = text.Split('\n').Where(line => !line.TrimStart().StartsWith("--", StringComparison.Ordinal));
        return string.Join('\n', lines).Trim();
    }
}
