using System.Collections.Frozen;
using System.Reflection;
using System.Security.Cryptography;

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
        var texts = assembly
            .GetManifestResourceNames()
            .Where(name => name.StartsWith(Prefix, StringComparison.Ordinal))
            .ToDictionary(name => name[Prefix.Length..^".sql".Length], name => Read(assembly, name));
        _texts = texts.ToFrozenDictionary(text => text.Key, text => text.Value.Replace("{schema}", schema, StringComparison.Ordinal));
        FilteredClaim = Read(assembly, $"{Prefix}claim.sql", filtered: true).Replace("{schema}", schema, StringComparison.Ordinal);
        Migrations =
        [
            .. texts
                .Where(text => text.Key.StartsWith("migration-", StringComparison.Ordinal))
                .OrderBy(text => text.Key, StringComparer.Ordinal)
                .Select(text => new PostgreSqlMigration(text.Key, _texts[text.Key], ChecksumOf(text.Value))),
        ];
    }

    /// <summary>In their order; the first brings the schema from version 0 to 1.</summary>
    public IReadOnlyList<PostgreSqlMigration> Migrations { get; }

    /// <summary>The claim that leaves activities or definitions alone.</summary>
    public string FilteredClaim { get; }

    public string this[string name] => _texts[name];

    /// <summary>The checksum of the statements, the same for every schema. Comments may change.</summary>
    private static string ChecksumOf(string text) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    private static string Read(Assembly assembly, string name, bool filtered = false)
    {
        using var stream = assembly.GetManifestResourceStream(name)!;
        using var reader = new StreamReader(stream);

        // The comments are for readers of the files; the driver would carry and hash them with every execution.
        var text = reader.ReadToEnd().ReplaceLineEndings("\n");
        text = filtered ? text.Replace(Filter, "", StringComparison.Ordinal) : text;
        var lines = text.Split('\n').Where(line => !line.TrimStart().StartsWith("--", StringComparison.Ordinal));
        return string.Join('\n', lines).Trim();
    }
}

/// <summary>A step of the schema from one version to the next.</summary>
/// <param name="Name">The file, without its ending.</param>
/// <param name="Sql">For this schema.</param>
/// <param name="Checksum">Equal for all schemas, so that a change to an applied migration is found.</param>
internal sealed record PostgreSqlMigration(string Name, string Sql, string Checksum);
