namespace Serdica.Perf.Databases.Local;

/// <summary>
/// Folders that belong to the user of this process. In a folder that everybody may write to, such as the temporary one,
/// somebody else's may have any name and hold any file, a marker of ours and a pipe that never ends among them.
/// </summary>
internal static class OwnedFolders
{
    // POSIX: real folders alone, no links; those of the user who asks; not what is in them.
    private const string Find = """find "$1/." ! -name . -prune -type d -name "$2" -user "$(id -u)" 2>/dev/null""";

    /// <summary>The full paths of the folders in <paramref name="baseFolder"/> whose names match the pattern of a shell.</summary>
    public static IReadOnlyList<string> In(string baseFolder, string pattern)
    {
        // The temporary folder of Windows is the user's own.
        if (OperatingSystem.IsWindows())
            return [.. Directory.EnumerateDirectories(baseFolder, pattern).Where(path => new DirectoryInfo(path).LinkTarget is null)];

        using var find = Process.Start(
            new ProcessStartInfo("/bin/sh", ["-c", Find, "find", baseFolder, pattern]) { RedirectStandardOutput = true }
        )!;
        var lines = find.StandardOutput.ReadToEnd().Split('\n', RemoveEmptyEntries);
        find.WaitForExit();
        return [.. lines.Select(line => Path.Combine(baseFolder, Path.GetFileName(line)))];
    }
}
