using System.Reflection;
using System.Security.Cryptography;

namespace Serdica.Perf.Workflows.PostgreSql;

/// <summary>The embedded SQL, with the schema filled in. A missing file fails here, at the start.</summary>
internal sealed partial class PostgreSqlScripts
{
    private const string Prefix = "Serdica.Perf.Workflows.PostgreSql.Scripts.";
    private const string Filter = "--filter";
    private const string Citus = "--citus";
    private const string Plain = "--plain";

    private readonly FrozenDictionary<string, string> _texts;

    /// <param name="schema">A checked identifier: it becomes part of the SQL.</param>
    /// <param name="buckets">By which Citus distributes the schema; null: it does not.</param>
    public PostgreSqlScripts(string schema, Buckets? buckets = null)
    {
        Buckets = buckets;
        var isDistributed = buckets is not null;
        var assembly = Assembly.GetExecutingAssembly();
        var texts = assembly
            .GetManifestResourceNames()
            .Where(name => name.StartsWith(Prefix, Ordinal))
            .ToDictionary(name => name[Prefix.Length..^".sql".Length], name => Read(assembly, name, isDistributed));
        _texts = texts.ToFrozenDictionary(text => text.Key, text => Fill(text.Value, schema));
        FilteredClaim = Fill(Read(assembly, $"{Prefix}claim.sql", isDistributed, filtered: true), schema);
        Migrations =
        [
            .. texts
                .Where(text => text.Key.StartsWith("migration-", Ordinal))
                .OrderBy(text => text.Key, StringComparer.Ordinal)
                .Select(text => new PostgreSqlMigration(
                    text.Key,
                    _texts[text.Key],
                    ChecksumOf(text.Value),
                    ChecksumOf(Read(assembly, $"{Prefix}{text.Key}.sql", !isDistributed))
                )),
        ];
    }

    /// <summary>The buckets that statements name, in their last parameter; null without.</summary>
    public Buckets? Buckets { get; }

    /// <summary>In their order; the first brings the schema from version 0 to 1.</summary>
    public IReadOnlyList<PostgreSqlMigration> Migrations { get; }

    /// <summary>The claim that leaves activities or definitions alone.</summary>
    public string FilteredClaim { get; }

    public string this[string name] => _texts[name];

    private string Fill(string text, string schema)
    {
        text = text.Replace("{schema}", schema, Ordinal);
        return Buckets is null
            ? text
            : text.Replace("{shards}", Invariant($"{Buckets.Count}"), Ordinal)
                .Replace("{buckets}", string.Join(',', Buckets.All), Ordinal);
    }

    /// <summary>The checksum of the statements, the same for every schema. Comments may change.</summary>
    private static string ChecksumOf(string text) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)));

    private static string Read(Assembly assembly, string name, bool distributed, bool filtered = false)
    {
        using var stream = assembly.GetManifestResourceStream(name)!;
        using var reader = new StreamReader(stream);

        // The comments are for readers of the files; the driver would carry and hash them with every execution.
        var text = reader.ReadToEnd().ReplaceLineEndings("\n");
        text = filtered ? text.Replace(Filter, "", Ordinal) : text;
        text = distributed
            ? string.Join('\n', text.Split('\n').Where(static line => !line.EndsWith(Plain, Ordinal)))
                .Replace(Citus, "", Ordinal)
            : text.Replace($" {Plain}", "", Ordinal);
        var lines = text.Split('\n').Where(line => !line.TrimStart().StartsWith("--", Ordinal));
        text = string.Join('\n', lines).Trim();
        return distributed ? WithBuckets(text) : OnBucket().Replace(text, "");
    }

    /// <summary>The parameter of the bucket follows all others.</summary>
    private static string WithBuckets(string text)
    {
        var last = Parameter().Matches(text).Select(static match => int.Parse(match.Groups[1].Value, CultureInfo.InvariantCulture));
        var parameter = Invariant($"${1 + last.DefaultIfEmpty().Max()}");
        return OnBucket()
            .Replace(text, match =>
                $" and {match.Groups[1]}.bucket = " + (match.Groups[2] is { Success: true } other ? $"{other}.bucket" : parameter)
            )
            .Replace("{bucket}", parameter, Ordinal);
    }

    [GeneratedRegex(@"\{and_bucket:([a-z]+)(?:=([a-z]+))?\}")]
    private static partial Regex OnBucket();

    [GeneratedRegex(@"\$(\d+)")]
    private static partial Regex Parameter();
}

/// <summary>A step of the schema from one version to the next.</summary>
/// <param name="Name">The file, without its ending.</param>
/// <param name="Checksum">Equal for all schemas, so that a change to an applied migration is found.</param>
/// <param name="OtherChecksum">Of schemas that Citus distributes, where it does not distribute this one, and the other way round.</param>
internal sealed record PostgreSqlMigration(string Name, string Sql, string Checksum, string OtherChecksum);
