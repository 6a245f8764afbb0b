namespace Serdica.Perf.Databases;

/// <summary>What kind of storage a folder lies on.</summary>
internal static class FileSystems
{
    /// <summary>
    /// Name of the file system that holds the folder, for example <c>ext4</c>; <see langword="null"/> when the system does not say.
    /// </summary>
    public static string? Of(string folder)
    {
        try
        {
            return new DriveInfo(folder).DriveFormat;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or ArgumentException)
        {
            return null;
        }
    }

    /// <summary>Whether the file system keeps its files in memory only.</summary>
    public static bool IsInMemory(string? fileSystem) => fileSystem is "tmpfs" or "ramfs";
}
