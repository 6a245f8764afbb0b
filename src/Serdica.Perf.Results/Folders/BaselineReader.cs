using System.Text.Json.Nodes;

namespace Serdica.Perf.Results.Folders;

/// <summary>Reads the summary that <see cref="RunFolder"/> has written, or a published baseline.</summary>
internal static class BaselineReader
{
    /// <summary>The extension of a published baseline: a summary with its raw data, compressed.</summary>
    internal const string CompressedExtension = ".json" + JsonFile.CompressedSuffix;

    /// <param name="path">A <c>summary.json</c>, the run folder that contains one, or either of them compressed.</param>
    /// <exception cref="BaselineException">The file does not exist, or is not a baseline that this program can read.</exception>
    public static RunResult Read(string path) =>
        Read(path, static json => JsonSerializer.Deserialize<RunResult>(json, MeasurementJson.Artifacts));

    /// <summary>The document as it stands in the file, with the figures that reading computes again.</summary>
    /// <exception cref="BaselineException">The file does not exist, or is not a baseline that this program can read.</exception>
    internal static JsonNode ReadDocument(string path) => Read(path, static json => JsonNode.Parse(json));

    /// <summary>The file that a path means, in full and without links, so that equal files have equal names.</summary>
    internal static string FileOf(string path) =>
        Target(new FileInfo(JsonFile.At(Target(new DirectoryInfo(Path.TrimEndingDirectorySeparator(path))), RunFolder.SummaryFile)));

    private static string Target(FileSystemInfo place) =>
        (place.Exists ? place.ResolveLinkTarget(returnFinalTarget: true) : null)?.FullName ?? place.FullName;

    private static T Read<T>(string path, Func<byte[], T?> parse)
        where T : class
    {
        var file = JsonFile.At(path, RunFolder.SummaryFile);
        if (!File.Exists(file))
            throw new BaselineException(
                $"There is no run at '{file}'; name a run folder, the {RunFolder.SummaryFile} in it, or the .json.gz of a published "
                    + "baseline."
            );
        return JsonFile.Read(file, "run", RunResult.CurrentSchemaVersion, parse);
    }
}

/// <summary>A baseline cannot be read. The message names the file, the problem and what would be valid.</summary>
internal sealed class BaselineException(string message, Exception? inner = null) : Exception(message, inner);
