using Serdica.Perf.Results.LoadTests;
using Serdica.Perf.Results.Profiles;

namespace Serdica.Perf.Results.Folders;

/// <summary>Reads the result of a load test.</summary>
internal static class LoadResultReader
{
    /// <param name="path">A run folder, or its <c>load.json</c>, which may be compressed.</param>
    /// <exception cref="LoadProfileException">The file does not exist, or cannot be read.</exception>
    public static LoadTestResult Read(string path)
    {
        try
        {
            using var json = new MemoryStream(JsonFile.Read(JsonFile.At(path, RunFolder.LoadFile)));
            var result =
                JsonSerializer.Deserialize<LoadTestResult>(json, MeasurementJson.Artifacts)
                ?? throw new LoadProfileException($"'{path}' is empty.");
            return result.SchemaVersion == LoadTestResult.CurrentSchemaVersion
                ? result
                : throw new LoadProfileException(
                    $"'{path}' has version {result.SchemaVersion}; this program reads version {LoadTestResult.CurrentSchemaVersion}."
                );
        }
        catch (BaselineException e)
        {
            throw new LoadProfileException(e.Message, e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or JsonException or InvalidDataException)
        {
            var reason = e is JsonException json ? $"{JsonMistake.Words(json)}." : e.Message;
            throw new LoadProfileException(
                $"'{path}' is not a load test that can be read; name the run folder of 'serdica-perf load': {reason}",
                e
            );
        }
    }
}
