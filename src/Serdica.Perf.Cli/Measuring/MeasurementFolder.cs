namespace Serdica.Perf.Cli.Measuring;

/// <summary>The folder of a measurement that consists of several runs: the run folders are below <c>runs</c>.</summary>
internal static class MeasurementFolder
{
    /// <summary>Makes <c>root/(utc time)-(name)</c>, with a number behind it when the name is taken.</summary>
    /// <returns>Its full path.</returns>
    /// <exception cref="UsageException">It cannot be created there.</exception>
    public static string Create(string root, DateTimeOffset startedAt, string name)
    {
        var wanted = $"{startedAt.UtcDateTime.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture)}-{name}";
        var path = Path.Combine(Path.GetFullPath(root), wanted);
        for (var attempt = 2; Directory.Exists(path); attempt++)
            path = Path.Combine(Path.GetFullPath(root), $"{wanted}-{attempt}");
        try
        {
            Directory.CreateDirectory(path);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new UsageException(
                $"A folder for the run cannot be created in '{Path.GetFullPath(root)}': {error.Message} Choose another place with --output."
            );
        }

        return path;
    }

    /// <summary>Where the run of a number, from 1, is kept; relative.</summary>
    public static string RunsOf(int number, string side) => Path.Combine("runs", Invariant($"{number:00}-{side}"));
}
