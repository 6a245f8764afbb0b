namespace Serdica.Perf.Workflows.Oracle.Tests.Parsing;

/// <summary>A folder that only this user may enter.</summary>
internal static class PrivateFolder
{
    private const UnixFileMode OnlyOwner = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    /// <summary>Makes the folder, or finds it as this user would have made it.</summary>
    /// <exception cref="InvalidOperationException">It is somebody else's, a link, or open to others.</exception>
    public static void Demand(string path)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);

        // A folder of Windows' local application data is the user's own.
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(path);
            return;
        }

        Directory.CreateDirectory(path, OnlyOwner);
        if (new DirectoryInfo(path).LinkTarget is not null || File.GetUnixFileMode(path) != OnlyOwner || !IsOwn(path))
        {
            throw new InvalidOperationException(
                $"The folder '{path}' is a link, belongs to somebody else, or can be entered by others; what lies in it would be run. "
                    + $"Remove it."
            );
        }
    }

    private static bool IsOwn(string path)
    {
        using var test = Process.Start("/bin/sh", ["-c", """[ -O "$1" ]""", "test", path]);
        test.WaitForExit();
        return test.ExitCode == 0;
    }
}
