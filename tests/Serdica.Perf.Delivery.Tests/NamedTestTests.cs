namespace Serdica.Perf.Delivery.Tests;

/// <summary>A test that a document names as evidence can be found by its name.</summary>
public sealed partial class NamedTestTests
{
    private static readonly ILookup<string, (string File, string Text)> Classes = Repository
        .FilesOf("tests", [".cs"])
        .Select(file => (File: file, Text: File.ReadAllText(Repository.PathOf(file))))
        .SelectMany(source => Class().Matches(source.Text).Select(match => (Name: match.Groups[1].Value, Source: source)))
        .ToLookup(entry => entry.Name, entry => entry.Source);

    [Fact]
    public void Each_test_class_and_each_test_exists()
    {
        var named = new[] { "README.md", "CHANGELOG.md", "docs", "TestResults/baselines/README.md" }
            .SelectMany(place => Repository.FilesOf(place, [".md"]))
            .SelectMany(document => Name().Matches(File.ReadAllText(Repository.PathOf(document))).Select(name => (document, name)))
            .ToArray();

        var missing = named.Where(named => !Exists(named.name)).Select(named => $"{named.document}: {named.name.Value}");

        Assert.NotEmpty(named);
        Assert.Empty(missing);
    }

    private static bool Exists(Match name) =>
        Classes[name.Groups["class"].Value]
            .Any(source =>
                source.File.Contains($"/{name.Groups["folder"].Value}")
                && (!name.Groups["test"].Success || source.Text.Contains($" {name.Groups["test"].Value}("))
            );

    [GeneratedRegex(@"\bclass (\w+Tests)\b")]
    private static partial Regex Class();

    /// <summary><c>Folder/ClassTests.Test</c>, of which the folder and the test may be left out.</summary>
    [GeneratedRegex(@"`(?<folder>(\w+/)*)(?<class>[A-Z]\w*Tests)(\.(?<test>[A-Z]\w*))?`")]
    private static partial Regex Name();
}
