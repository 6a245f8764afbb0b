namespace Serdica.Perf.Databases;

/// <summary>What a server said that did not start.</summary>
internal static class KeptLog
{
    private const int LinesShown = 15;

    /// <summary>Keeps the output in a file, and makes the fault that quotes its end.</summary>
    public static DatabaseStartException Fault(string what, string output, string file)
    {
        var kept = Write(output, file);
        var end = string.Join(Environment.NewLine, output.Split('\n').TakeLast(LinesShown).Select(line => "  " + line.TrimEnd('\r')));

        return new DatabaseStartException($"{what}; its log is kept in {kept} and ends with:{Environment.NewLine}{end}");
    }

    /// <summary>In a new file for this user alone: the temporary folder is everybody's, and a link may wait there under the name.</summary>
    private static string Write(string output, string file)
    {
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;

        var path =
            File.Exists(file) || new FileInfo(file).LinkTarget is not null
                ? $"{file}.{RandomNumberGenerator.GetHexString(8, lowercase: true)}"
                : file;
        using var writer = new StreamWriter(path, options);
        writer.WriteLine(output);
        return path;
    }
}
