namespace Serdica.Perf.Delivery.Tests;

/// <summary>
/// At the end of a pattern, <c>$</c> accepts a line feed behind the text, so that a name with one gets through a check of names.
/// </summary>
public sealed partial class PatternEndTests
{
    [Fact]
    public void No_pattern_for_a_whole_text_accepts_a_line_feed_behind_it()
    {
        var patterns = Repository
            .FilesOf("src", [".cs"])
            .SelectMany(file => Declaration().Matches(File.ReadAllText(Repository.PathOf(file))).Select(match => (File: file, match.Value)))
            .ToList();

        var open = patterns.Where(pattern =>
            DollarAtTheEnd().IsMatch(pattern.Value) && !pattern.Value.Contains(nameof(RegexOptions.Multiline))
        );

        Assert.NotEmpty(patterns);
        Assert.Empty(open.Select(pattern => $"{pattern.File}: {pattern.Value}"));
    }

    [Theory]
    [InlineData("[GeneratedRegex(\"^[a-z]+$\")]", true)]
    [InlineData("[GeneratedRegex(\"\"\"^[a-z]+$\"\"\")]", true)]
    [InlineData("[GeneratedRegex(\"^[a-z]+$\", RegexOptions.IgnoreCase)]", true)]
    [InlineData("[GeneratedRegex(@\"^[a-z]+\\z\")]", false)]
    [InlineData("[GeneratedRegex(\"^[a-z]+($|,)\")]", false)]
    public void Dollar_is_found_at_the_end_of_a_pattern(string declaration, bool isFound) =>
        Assert.Equal(isFound, DollarAtTheEnd().IsMatch(Declaration().Match(declaration).Value));

    /// <summary>The attribute with all its arguments.</summary>
    [GeneratedRegex(@"\[GeneratedRegex\(.*?\)\]\r?$", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Declaration();

    [GeneratedRegex("""\$"+\s*(,|\)\])""")]
    private static partial Regex DollarAtTheEnd();
}
