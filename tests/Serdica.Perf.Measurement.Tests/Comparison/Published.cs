namespace Serdica.Perf.Measurement.Tests.Comparison;

/// <summary>Holds a figure that a test has counted against the row of a document that publishes it.</summary>
internal static class Published
{
    private const string Document = "docs/statistics.md";

    /// <summary>The row must stand in the document as it is here; the message has the right one.</summary>
    public static void Row(params string[] cells)
    {
        var row = $"| {string.Join(" | ", cells)} |";
        var text = File.ReadAllText(Path.Combine(RepositoryRoot.Folder, Document));
        Assert.True(text.ReplaceLineEndings("\n").Split('\n').Contains(row), $"{Document} does not have this row:\n{row}");
    }

    public static string Share(int count, int of) => Invariant($"{count} of {of:#,0}");

    public static string Percent(double share) => Invariant($"{share * 100:0.#} %");
}
