namespace Serdica.Perf.Measurement.Tests;

/// <summary>
/// Holds a text against a file of the repository. Run the tests with <c>SERDICA_PERF_ACCEPT_GOLDEN=1</c> to write what the
/// code produces now, then read the difference in version control before you keep it. Tables are kept without their padding, and JSON
/// without its indentation, a quarter of these files; MarkdownTableTests has the padding. A page is kept without its style sheet.
/// </summary>
internal static partial class Golden
{
    private const string AcceptVariable = "SERDICA_PERF_ACCEPT_GOLDEN";

    public static void Matches(string file, string actual)
    {
        var path = Path.Combine(RepositoryRoot.Folder, file);
        if (Path.GetExtension(file) == ".md")
            actual = Rule().Replace(Padding().Replace(actual, " "), "---");
        else if (Path.GetExtension(file) == ".json")
            actual = Indentation().Replace(actual, "");
        else if (Path.GetExtension(file) == ".html")
            actual = StyleSheet().Replace(actual, "<style></style>");
        if (Environment.GetEnvironmentVariable(AcceptVariable) == "1")
        {
            File.WriteAllText(path, actual);
            return;
        }

        // A checkout may have turned the line ends.
        var expected = File.Exists(path) ? File.ReadAllText(path).ReplaceLineEndings("\n") : "";
        if (expected != actual)
            Assert.Fail(
                $"{file} is not what the code produces. If the change is meant, run the tests with "
                    + $"{AcceptVariable}=1.\n{Difference(expected, actual)}"
            );
    }

    [GeneratedRegex(@"(?<=^\|.*) {2,}(?=\|)|(?<=^(\|.*)?\|) {2,}(?=\S)", RegexOptions.Multiline)]
    private static partial Regex Padding();

    [GeneratedRegex(@"(?<=^\|[-:| ]*)-{4,}(?=[-:| ]*\|$)", RegexOptions.Multiline)]
    private static partial Regex Rule();

    [GeneratedRegex("^ +", RegexOptions.Multiline)]
    private static partial Regex Indentation();

    [GeneratedRegex("<style>.*?</style>", RegexOptions.Singleline)]
    private static partial Regex StyleSheet();

    private static string Difference(string expected, string actual)
    {
        var (before, after) = (expected.Split('\n'), actual.Split('\n'));
        var first = before.Zip(after).TakeWhile(pair => pair.First == pair.Second).Count();
        var text = new StringBuilder().Append(null, $"First difference in line {first + 1}:\n");
        foreach (var line in before.Skip(first).Take(3))
            text.Append(null, $"  - {line}\n");
        foreach (var line in after.Skip(first).Take(3))
            text.Append(null, $"  + {line}\n");
        return text.ToString();
    }
}
