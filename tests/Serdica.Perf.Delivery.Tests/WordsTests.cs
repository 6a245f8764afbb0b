namespace Serdica.Perf.Delivery.Tests;

/// <summary>Text for readers uses the terms of docs/glossary.md. What once made readers stop and guess does not come back.</summary>
public sealed partial class WordsTests
{
    /// <summary>What is checked: a file, or all files of a folder.</summary>
    private static readonly string[] Places = ["README.md", "CHANGELOG.md", "docs", "eng", "src", "tests"];

    /// <summary>Written by programs, which have their own goldens: published baselines and their reference.</summary>
    private static readonly string[] Generated = ["docs/baselines/", "docs/schemas/"];

    /// <summary>This file, which has to quote the phrases.</summary>
    private const string Quoting = "tests/Serdica.Perf.Delivery.Tests/WordsTests.cs";

    private static readonly string[] Extensions = [".md", ".cs", ".sql", ".ts", ".yml", ".yaml", ".props"];

    private static readonly (string Pattern, string Instead)[] Texts =
    [
        (@"\b(the|its|at|from) begin\b(?! to\b)", "start"),
        (@"\b[Ss]o (many|long|much)\b", "a figure, or 'this many'"),
        (@"\b(is|are|was|were|be) told\b", "is reported"),
        (@"\btold (to differ|apart)\b", "differ, distinguish"),
        (@"\bcan't be (had|told)\b", "is not available, inconclusive"),
        (@"\bcould not be had\b", "was not available"),
        (@"\bstops? to pay\b", "stops paying off"),
        (@"\bgo(es)? before\b", "overrides"),
        (@"\breckon(s|ed)?\b", "calculate"),
        (@"\b[Nn]ot measured alike\b", "different conditions"),
        (@"\b[Ss]lower or dearer\b", "slower or more expensive"),
        (@"\bcarr(y|ies|ied) (\d|[a-z ]+ a second|[a-z]+ load)", "sustain"),
        (@"(?<![.""])\brungs?\b(?![:""])", "level; only the JSON of results keeps the name"),
        (@"\bhopeless\b", "futile: 'futility stop'"),
        (@"\bbur(y|ies|ied)\b", "dead-letter"),
        (@"\bcry wolf|cries wolf\b", "raise a false alarm"),
        (@"^\s*///? (<summary>|<value>)?(Of|The same) ", "a noun that says what it is"),
    ];

    private static readonly (Regex Pattern, string Instead)[] Phrases = [.. Texts.Select(text => (new Regex(text.Pattern), text.Instead))];

    /// <summary>All of them at once: most files have none.</summary>
    private static readonly Regex Any = new(string.Join('|', Texts.Select(text => $"(?:{text.Pattern})")), RegexOptions.Multiline);

    public static TheoryData<string> Files =>
        [
            .. Places
                .SelectMany(place => Repository.FilesOf(place, Extensions))
                .Where(file => !Generated.Any(folder => file.StartsWith(folder)) && file != Quoting)
                .Order(StringComparer.Ordinal),
        ];

    [Theory]
    [MemberData(nameof(Files))]
    public void Text_uses_the_terms_of_the_field(string file)
    {
        var text = QuotedOutput().Replace(File.ReadAllText(Repository.PathOf(file)), Blank);
        if (!Any.IsMatch(text))
            return;

        var found = text.Split('\n').SelectMany(
            (line, index) =>
                Phrases
                    .Select(phrase => (Match: phrase.Pattern.Match(line), phrase.Instead))
                    .Where(phrase => phrase.Match.Success)
                    .Select(phrase => $"{file}:{index + 1}: '{phrase.Match.Value}', better: {phrase.Instead}")
        );

        Assert.Empty(found);
    }

    [Theory]
    [InlineData("at the begin of the run")]
    [InlineData("waits so long")]
    [InlineData("what is told of it")]
    [InlineData("a backend can't be had")]
    [InlineData("each rung of the ladder")]
    [InlineData("    /// <summary>Of the first step.</summary>")]
    public void Phrases_are_found_where_they_are(string text) => Assert.Contains(Phrases, phrase => phrase.Pattern.IsMatch(text));

    /// <summary>Keeps the numbers of the lines behind it.</summary>
    private static string Blank(Match block) => new('\n', block.Value.Count(character => character == '\n'));

    /// <summary>Blocks of code and of output in Markdown: output has the words of the program that wrote it.</summary>
    [GeneratedRegex("^```.*?^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex QuotedOutput();
}
