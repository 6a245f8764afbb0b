using System.Text.Json;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Results.Folders;

/// <summary>Reads the summary that <see cref="RunFolder"/> has written.</summary>
public static class BaselineReader
{
    /// <param name="path">A <c>summary.json</c>, or the run folder that contains one.</param>
    /// <exception cref="BaselineException">The file does not exist, or is not a baseline that this program can read.</exception>
    public static RunResult Read(string path)
    {
        var file = Directory.Exists(path) ? Path.Combine(path, RunFolder.SummaryFile) : path;
        if (!File.Exists(file))
            throw new BaselineException(
                $"There is no baseline at '{file}'. Name a run folder or the {RunFolder.SummaryFile} in it.");

        try
        {
            var json = File.ReadAllBytes(file);
            CheckVersion(file, json);
            return JsonSerializer.Deserialize<RunResult>(json, MeasurementJson.Artifacts)
                ?? throw new BaselineException($"'{file}' contains only null.");
        }
        catch (JsonException error)
        {
            throw new BaselineException($"'{file}' is not a baseline: {error.Message}", error);
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
        if (document.RootElement.ValueKind != JsonValueKind.Object
            || !document.RootElement.TryGetProperty("schemaVersion", out var version))
            throw new BaselineException($"'{file}' is JSON but not a baseline: it has no schemaVersion.");
        if (version.ValueKind != JsonValueKind.Number || !version.TryGetInt32(out var number) || number != RunResult.CurrentSchemaVersion)
            throw new BaselineException(
                $"'{file}' has schema version {version.GetRawText()}; this program reads version {RunResult.CurrentSchemaVersion}. " +
                "Use the version of serdica-perf that wrote it, or measure again.");
    }
}

/// <summary>A baseline cannot be read. The message names the file, the problem and what would be valid.</summary>
public sealed class BaselineException(string message, Exception? inner = null) : Exception(message, inner);
