namespace Serdica.Perf.Results.Folders;

/// <summary>Reads the result of a load test.</summary>
internal static class LoadResultReader
{
    /// <exception cref="LoadProfileException">The file does not exist, or cannot be read.</exception>
    /// <param name="path">A run folder, or its <c>load.json</c>, which may be compressed.</param>
    public static LoadTestResult Read(string path)
    {
        try
        {
            var file = JsonFile.At(path, RunFolder.LoadFile);
            return File.Exists(file)
                ? Parse(file)
                : throw new LoadProfileException($"There is no load test at '{file}'; name the run folder of 'serdica-perf load'.");
        }
        catch (BaselineException e)
        {
            throw new LoadProfileException(e.Message, e);
        }
    }

    /// <exception cref="BaselineException">The file cannot be read.</exception>
    internal static LoadTestResult Parse(string file) =>
        JsonFile.Read(file, "load test", LoadTestResult.CurrentSchemaVersion, static json =>
            JsonSerializer.Deserialize<LoadTestResult>(json, MeasurementJson.Artifacts)
        );
}
