namespace Serdica.Perf.Delivery.Tests;

/// <summary>Whoever looks up a commit that a document names finds it, and finds there what the document says.</summary>
public sealed partial class NamedCommitTests
{
    /// <summary>The words for a commit that a manifest names and whose history was not kept.</summary>
    private const string NotHere = "this repository does not have";

    [Fact]
    public async Task Each_commit_is_in_the_history_unless_its_sentence_says_that_it_is_not()
    {
        await GitHistory.RequireAsync();

        var (named, wrong) = (Named().ToArray(), new List<string>());
        foreach (var (document, sentence, commit) in named)
        {
            var isHere = (await Git.RunAsync("merge-base", "--is-ancestor", commit, "HEAD")).ExitCode == 0;
            if (isHere == sentence.Contains(NotHere))
                wrong.Add($"{document}: the history has {(isHere ? "" : "no ")}commit {commit}. {sentence}");
        }

        Assert.NotEmpty(named);
        Assert.Empty(wrong);
    }

    [Fact]
    public async Task Each_folder_that_a_sentence_places_in_the_history_is_there()
    {
        await GitHistory.RequireAsync();

        var places = Named().SelectMany(named => Folder().Matches(named.Sentence).Select(match => $"{named.Commit}:{match.Groups[1]}"));
        var (all, missing) = (places.ToArray(), new List<string>());
        foreach (var place in all)
        {
            if ((await Git.RunAsync("cat-file", "-e", place)).ExitCode != 0)
                missing.Add(place);
        }

        Assert.NotEmpty(all);
        Assert.Empty(missing);
    }

    private static IEnumerable<(string Document, string Sentence, string Commit)> Named() =>
        from document in new[] { "README.md", "CHANGELOG.md", "docs", "TestResults/baselines/README.md" }.SelectMany(Markdown)
        from line in File.ReadLines(Repository.PathOf(document))
        from sentence in SentenceEnd().Split(line)
        from Match commit in Commit().Matches(sentence)
        select (document, sentence, commit.Groups[1].Value);

    private static IEnumerable<string> Markdown(string place) => Repository.FilesOf(place, [".md"]);

    [GeneratedRegex(@"(?<=\.)\s+(?=[A-Z`])")]
    private static partial Regex SentenceEnd();

    [GeneratedRegex("`([0-9a-f]{7,40})`")]
    private static partial Regex Commit();

    [GeneratedRegex("`(TestResults/[^`]+)`")]
    private static partial Regex Folder();
}
