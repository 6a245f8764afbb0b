using System.Reflection;
using PublicApiGenerator;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>
/// What users of the packages compile against: a change of it is a promise that is made or broken, so it is made on purpose. Run this
/// test with <c>SERDICA_PERF_ACCEPT_GOLDEN=1</c>, and review the difference.
/// </summary>
public sealed partial class PublicApiTests
{
    private const string Folder = "tests/Serdica.Perf.Delivery.Tests/PublicApi";
    private const string Tool = "serdica-perf";

    /// <summary>Rooms that users reach by way of others: what they have is for those.</summary>
    private static readonly string[] Closed =
    [
        "Serdica.Perf.Analysis",
        "Serdica.Perf.Databases",
        "Serdica.Perf.Faults",
        "Serdica.Perf.Reports",
        Tool,
    ];

    /// <summary>Its types are the documents that docs/schemas describes, and SchemaDocumentsTests holds those.</summary>
    private const string Documents = "Serdica.Perf.Results";

    private static readonly ApiGeneratorOptions Options = new() { IncludeAssemblyAttributes = false };

    public static TheoryData<string> Open =>
        [
            .. Directory
                .GetFiles(Repository.PathOf("src"), "*.csproj", SearchOption.AllDirectories)
                .Select(Path.GetFileNameWithoutExtension)
                .OfType<string>()
                .Where(name => name is not ("Serdica.Perf.Cli" or Documents) && !Closed.Contains(name))
                .Order(StringComparer.Ordinal),
        ];

    public static TheoryData<string> Shut => [.. Closed];

    [Theory]
    [MemberData(nameof(Open))]
    public void Public_types_and_members_are_those_of_the_file(string library)
    {
        var path = Repository.PathOf($"{Folder}/{library}.txt");
        var api = WithoutRepeats(Brief(Assembly.Load(library).GeneratePublicApi(Options).ReplaceLineEndings("\n").TrimEnd('\n') + "\n"));
        if (Environment.GetEnvironmentVariable("SERDICA_PERF_ACCEPT_GOLDEN") == "1")
            File.WriteAllText(path, api);

        var listed = File.ReadAllText(path).ReplaceLineEndings("\n");

        Assert.True(
            listed == api,
            $"Public and not in {Folder}/{library}.txt: {Only(api, listed)}. In the file and not public: {Only(listed, api)}."
        );
    }

    [Theory]
    [MemberData(nameof(Shut))]
    public void Room_without_users_of_its_own_has_no_public_type(string library) => Assert.Empty(Assembly.Load(library).GetExportedTypes());

    [Fact]
    public void Each_file_belongs_to_a_library() =>
        Assert.Equal(
            Open.Select(row => row.Data),
            Directory.GetFiles(Repository.PathOf(Folder)).Select(Path.GetFileNameWithoutExtension).Order(StringComparer.Ordinal)
        );

    /// <summary>
    /// Without the namespaces of types in signatures, what every record has, indentation, braces, empty bodies, and words that go
    /// without saying: what is not protected is public, and a property that can be set can be read.
    /// </summary>
    private static string Brief(string api) =>
        Public()
            .Replace(Equatable().Replace(Namespace().Replace(Indentation().Replace(api, ""), ""), ""), "")
            .Replace("{ get; init; }", "init")
            .Replace("{ get; set; }", "set")
            .Replace("{ get; }", "get")
            .Replace(" { }", ";")
            .Replace("\n{\n", "\n")
            .Replace("\n}", "");

    /// <summary>Properties that the constructor of a record names are left out: it makes them.</summary>
    private static string WithoutRepeats(string api)
    {
        string[] made = [];
        var kept = new List<string>();
        foreach (var line in api.Split('\n'))
        {
            if (Constructor().Match(line) is { Success: true } constructor)
                made = Default().Replace(constructor.Groups[1].Value, "").Split(", ");
            if (!(line.EndsWith(" init") && made.Contains(line[..^5])))
                kept.Add(line);
        }

        return string.Join('\n', kept);
    }

    [GeneratedRegex(@"^[A-Z]\w*\((.+)\);$")]
    private static partial Regex Constructor();

    [GeneratedRegex(" = [^,]*")]
    private static partial Regex Default();

    [GeneratedRegex("^public ", RegexOptions.Multiline)]
    private static partial Regex Public();

    [GeneratedRegex(@"(?<!namespace )\b(?:System|Serdica\.Perf|Microsoft)(?:\.[A-Z]\w*)*\.(?=[A-Z])")]
    private static partial Regex Namespace();

    [GeneratedRegex("(?: :|,) IEquatable<[^>\n]*>")]
    private static partial Regex Equatable();

    [GeneratedRegex("^ +", RegexOptions.Multiline)]
    private static partial Regex Indentation();

    private static string Only(string these, string those) =>
        string.Join("; ", these.Split('\n').Except(those.Split('\n')).Select(line => line.Trim()));
}
