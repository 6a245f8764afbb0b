namespace Serdica.Perf.Faults.History;

/// <summary>The history of a run: a file for each process.</summary>
internal static class HistoryFolder
{
    private const string Extension = ".ndjson";

    public static string FileOf(string folder, string process)
    {
        ArgumentException.ThrowIfNullOrEmpty(process);
        if (process.AsSpan().IndexOfAny(Path.GetInvalidFileNameChars()) >= 0)
            throw new ArgumentException($"The process name '{process}' cannot be the name of a file.", nameof(process));
        return Path.Combine(folder, process + Extension);
    }

    /// <summary>The files in the order of their names.</summary>
    /// <exception cref="DirectoryNotFoundException">There is no such folder.</exception>
    /// <exception cref="InvalidDataException">It has no history.</exception>
    public static IReadOnlyList<string> Files(string folder)
    {
        if (!Directory.Exists(folder))
            throw new DirectoryNotFoundException($"There is no folder '{folder}'. Give the folder of a run's history.");
        string[] files = [.. Directory.EnumerateFiles(folder, "*" + Extension).Order(StringComparer.Ordinal)];
        return files.Length > 0
            ? files
            : throw new InvalidDataException($"The folder '{folder}' has no history: there is no file *{Extension} in it.");
    }
}
