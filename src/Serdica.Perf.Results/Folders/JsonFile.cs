using System.IO.Compression;

namespace Serdica.Perf.Results.Folders;

/// <summary>
/// A JSON file of a run folder. It may be compressed, as those of kept runs are: <c>summary.json.gz</c> in place of
/// <c>summary.json</c>. This class alone decides which of the two is read.
/// </summary>
internal static class JsonFile
{
    /// <summary>What follows the name of a file that is compressed.</summary>
    public const string CompressedSuffix = ".gz";

    /// <summary>Whether a folder has the file, compressed or not.</summary>
    public static bool Exists(string folder, string name) => Forms(folder, name).Count > 0;

    /// <summary>The paths of all forms in which a folder has the file: none, one, or two, which no reader accepts.</summary>
    public static IReadOnlyList<string> Forms(string folder, string name) =>
        [.. new[] { name, name + CompressedSuffix }.Select(form => Path.Combine(folder, form)).Where(File.Exists)];

    /// <summary>The path of the file in a folder; null when there is none.</summary>
    /// <exception cref="BaselineException">There are two, and they may differ.</exception>
    public static string? In(string folder, string name) =>
        Forms(folder, name) switch
        {
            [] => null,
            [var only] => only,
            _ => throw new BaselineException(
                $"'{folder}' has both {name} and {name}{CompressedSuffix}; remove the one that does not belong to this run."
            ),
        };

    /// <summary>The file that somebody named: the path itself, or the file of this name in the folder at the path.</summary>
    /// <returns>A path at which there may be no file.</returns>
    /// <exception cref="BaselineException">The folder has two such files.</exception>
    public static string At(string path, string name) => Directory.Exists(path) ? In(path, name) ?? Path.Combine(path, name) : path;

    /// <summary>The document of a folder from elsewhere; null when it cannot be read, however it is damaged.</summary>
    public static T? TryRead<T>(string path)
        where T : class
    {
        try
        {
            using var json = new MemoryStream(Read(path));
            return JsonSerializer.Deserialize<T>(json, MeasurementJson.Artifacts);
        }
        catch (Exception)
        {
            // Nobody knows in how many ways a file can be damaged, and its readers do without it.
            return null;
        }
    }

    /// <summary>A document with a schema version, which is checked first: a later version may lack a required property.</summary>
    /// <exception cref="BaselineException">It cannot be read.</exception>
    public static T Read<T>(string file, string what, int version, Func<byte[], T?> parse)
        where T : class
    {
        try
        {
            var json = Read(file);
            CheckVersion(file, what, version, json);
            return parse(json) ?? throw new BaselineException($"'{file}' contains only null.");
        }
        catch (JsonException error)
        {
            throw new BaselineException($"'{file}' is not a {what} that can be read: {JsonMistake.Words(error)}.", error);
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

    private static void CheckVersion(string file, string what, int version, byte[] json)
    {
        using var document = JsonDocument.Parse(json);
        if (document.RootElement.ValueKind != JsonValueKind.Object || !document.RootElement.TryGetProperty("schemaVersion", out var found))
            throw new BaselineException($"'{file}' is JSON but no {what}: it has no schemaVersion.");
        if (found.ValueKind != JsonValueKind.Number || !found.TryGetInt32(out var number) || number != version)
            throw new BaselineException(
                $"'{file}' has schema version {found.GetRawText()}; this program reads version {version}. Use the version of serdica-perf "
                    + "that wrote it, or measure again."
            );
    }

    /// <summary>The content of a gzip file, which is known by its first two bytes; that of any other file as it is.</summary>
    /// <exception cref="InvalidDataException">The file begins as a gzip file and is none.</exception>
    public static byte[] Read(string path)
    {
        var file = File.ReadAllBytes(path);
        if (file is not [0x1F, 0x8B, ..])
            return file;

        using var zip = new GZipStream(new MemoryStream(file), CompressionMode.Decompress);
        using var json = new MemoryStream();
        zip.CopyTo(json);
        return json.ToArray();
    }
}
