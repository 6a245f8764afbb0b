namespace Serdica.Perf.Workflows.Tests;

/// <summary>What the documents quote and point at is there.</summary>
public sealed partial class ReadmeTests
{
    private static readonly string Root = RepositoryRoot.Folder;

    public static TheoryData<string> Documents =>
        [
            .. new[] { "README.md", "CHANGELOG.md", "TestResults/baselines/README.md" }
                .Concat(
                    Directory
                        .EnumerateFiles(Path.Combine(Root, "docs"), "*.md", SearchOption.AllDirectories)
                        .Select(file => Path.GetRelativePath(Root, file).Replace('\\', '/'))
                )
                .Order(StringComparer.Ordinal),
        ];

    [Fact]
    public void First_workflow_in_the_README_is_the_sample_that_compiles()
    {
        var sample = Read("docs/samples/first-workflow.cs").Split('\n').Where(line => !line.StartsWith("#:"));

        var quoted = CodeBlock().Matches(Read("README.md")).Select(block => block.Groups["code"].Value.Trim());

        Assert.Contains(string.Join('\n', sample).Trim(), quoted);
    }

    [Theory]
    [MemberData(nameof(Documents))]
    public void Relative_links_lead_to_a_file_and_a_heading(string document)
    {
        var folder = Path.GetDirectoryName(Path.Combine(Root, document))!;

        var broken = Link()
            .Matches(CodeBlock().Replace(Read(document), ""))
            .Select(link => link.Groups["target"].Value)
            .Where(target => !target.Contains("://"))
            .Where(target => !LeadsSomewhere(folder, Path.Combine(Root, document), target));

        Assert.Empty(broken);
    }

    private static bool LeadsSomewhere(string folder, string document, string target)
    {
        var parts = target.Split('#', 2);
        var file = parts[0].Length == 0 ? document : Path.GetFullPath(Path.Combine(folder, parts[0]));
        if (parts.Length == 1)
            return File.Exists(file) || Directory.Exists(file);
        return File.Exists(file)
            && Heading().Matches(File.ReadAllText(file)).Any(heading => Anchor(heading.Groups["text"].Value) == parts[1]);
    }

    /// <summary>The anchor that a heading gets: lower case, no punctuation, hyphens for spaces.</summary>
    private static string Anchor(string heading) =>
        string.Concat(heading.Trim().ToLowerInvariant().Where(c => char.IsLetterOrDigit(c) || c is ' ' or '-' or '_')).Replace(' ', '-');

    private static string Read(string file) => File.ReadAllText(Path.Combine(Root, file)).ReplaceLineEndings("\n");

    [GeneratedRegex("^```[a-z]*\n(?<code>.*?)^```$", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex CodeBlock();

    [GeneratedRegex(@"\[[^\]]*\]\((?<target>[^)\s]+)\)")]
    private static partial Regex Link();

    [GeneratedRegex("^#+ (?<text>.+)$", RegexOptions.Multiline)]
    private static partial Regex Heading();
}
