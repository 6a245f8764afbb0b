namespace Serdica.Perf.Analysis.History;

/// <summary>
/// The file <c>history.ndjson</c>: one line for each scenario, backend and commit. It is kept in git and only appended to.
/// </summary>
internal static class HistoryFile
{
    /// <summary>The path relative to the root of the repository.</summary>
    public static readonly string DefaultPath = Path.Combine("TestResults", "baselines", "history.ndjson");

    /// <summary>The lines in order; none when the file does not exist.</summary>
    /// <param name="path">The file; null for <see cref="DefaultPath"/>.</param>
    /// <exception cref="HistoryException">The file cannot be read, or a line is invalid.</exception>
    public static IReadOnlyList<HistoryLine> Read(string? path = null)
    {
        path ??= DefaultPath;
        if (!File.Exists(path))
            return [];

        try
        {
            return
            [
                .. File.ReadLines(path)
                    .Index()
                    .Where(line => !string.IsNullOrWhiteSpace(line.Item))
                    .Select(line => Parse(line.Item, path, line.Index + 1)),
            ];
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new HistoryException($"The history '{path}' cannot be read: {error.Message}", error);
        }
    }

    /// <summary>
    /// Adds the lines that are missing. A scenario is added once for each commit, and the runs of several backends contain the
    /// same in-memory measurements.
    /// </summary>
    /// <returns>The added lines.</returns>
    /// <exception cref="HistoryException">All lines exist already.</exception>
    /// <exception cref="IOException">The file cannot be written, or another process adds to it at this moment.</exception>
    public static IReadOnlyList<HistoryLine> Append(string path, IReadOnlyList<HistoryLine> lines)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Path.GetFullPath(path))!);

        // What another process adds between the reading and the writing would be lost.
        using var alone = new FileStream(path + ".lock", new FileStreamOptions
        {
            Mode = FileMode.OpenOrCreate,
            Access = FileAccess.Write,
            Share = FileShare.None,
            Options = FileOptions.DeleteOnClose,
        });
        var there = Read(path).ToLookup(line => (line.Series, line.Commit));
        var added = lines.Where(line => !there.Contains((line.Series, line.Commit))).ToArray();
        if (added.Length == 0)
            throw new HistoryException(
                $"The history '{path}' already has {string.Join(", ", lines.Select(line => line.Name))} of commit "
                    + $"{lines[0].Commit[..12]}, from the run {there[(lines[0].Series, lines[0].Commit)].First().Run}. "
                    + "A commit is added once; nothing was added."
            );

        var text = string.Concat(added.Select(line => JsonSerializer.Serialize(line, MeasurementJson.Compact) + "\n"));

        // Whoever merged the file by hand may have left its last line without an end.
        var before = File.Exists(path) ? File.ReadAllText(path) : "";
        WholeFile.Write(path, before + (before.Length == 0 || before.EndsWith('\n') ? "" : "\n") + text);
        return added;
    }

    private static HistoryLine Parse(string text, string path, int number)
    {
        try
        {
            var line = JsonSerializer.Deserialize<HistoryLine>(text, MeasurementJson.Compact) ?? throw new JsonException("It is null.");
            return line.SchemaVersion == 1
                ? line
                : throw new JsonException($"Its schemaVersion is {line.SchemaVersion}, and this program reads 1.");
        }
        catch (JsonException error)
        {
            throw new HistoryException(
                $"Line {number} of the history '{path}' is not understood; correct or remove it: {error.Message}",
                error
            );
        }
    }
}

/// <summary>A history cannot be read or added to. The message says which file or run, and what is wrong.</summary>
internal sealed class HistoryException(string message, Exception? inner = null) : Exception(message, inner);
