using System.Text.Json.Nodes;
using Serdica.Perf.Results.Runs;

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

    private static T Read<T>(string path, Func<byte[], T?> parse)
        where T : class
    {
        var file = JsonFile.At(path, RunFolder.SummaryFile);
        if (!File.Exists(file))
            throw new BaselineException(
                $"There is no run at '{file}'; name a run folder, the {RunFolder.SummaryFile} in it, or the .json.gz of a published "
                    + "baseline."
            );

        try
        {
            var json = JsonFile.Read(file);
            CheckVersion(file, json);
            return parse(json) ?? throw new BaselineException($"'{file}' contains only null.");
        }
        catch (JsonException error)
        {
            throw new BaselineException($"'{file}' is not a run that can be read: {JsonMistake.Words(error)}.", error);
        }
        catch (InvalidDataException error)
        {
            throw new BaselineException($"'{file}' is not a gzip file that can be read: {error.Message}", error);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new BaselineException($"'{file}' cannot be read: {error.Message}", error);
        }
    }

    // This is checked before the rest is read: a later version may lack a required property, and "missing property" would mislead.
    private static void CheckVersion(string file, byte[] json)
    {
        using var document = JsonDocument.Parse(json);
        if (
            document.RootElement.ValueKind != JsonValueKind.Object
            || !document.RootElement.TryGetProperty("schemaVersion", out var version)
        )
            throw new BaselineException($"'{file}' is JSON but no run: it has no schemaVersion.");
        if (version.ValueKind != JsonValueKind.Number || !version.TryGetInt32(out var number) || number != RunResult.CurrentSchemaVersion)
            throw new BaselineException(
                $"'{file}' has schema version {version.GetRawText()}; this program reads version {RunResult.CurrentSchemaVersion}. "
                    + "Use the version of serdica-perf that wrote it, or measure again."
            );
    }
}

/// <summary>A baseline cannot be read. The message names the file, the problem and what would be valid.</summary>
internal sealed class BaselineException(string message, Exception? inner = null) : Exception(message, inner);
