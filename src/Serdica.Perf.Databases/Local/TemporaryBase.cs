namespace Serdica.Perf.Databases.Local;

/// <summary>The folder that holds the folders of throw-away servers.</summary>
/// <param name="FileSystem">Name of its file system, if the system says.</param>
internal sealed record TemporaryBase(string Folder, string? FileSystem)
{
    private const string DiskBackedFolder = "/var/tmp";

    /// <summary>
    /// Takes the folder asked for, else the temporary folder of the system, else <c>/var/tmp</c> when that one lies in
    /// memory: a commit in memory would make every number meaningless.
    /// </summary>
    public static TemporaryBase Choose(string? requested) => Choose(requested, Path.GetTempPath(), FileSystems.Of);

    internal static TemporaryBase Choose(string? requested, string systemFolder, Func<string, string?> fileSystemOf)
    {
        if (requested is not null)
        {
            Directory.CreateDirectory(requested);
            return At(requested, fileSystemOf);
        }

        var system = At(systemFolder, fileSystemOf);

        if (!FileSystems.IsInMemory(system.FileSystem) || !Directory.Exists(DiskBackedFolder))
            return system;

        var disk = At(DiskBackedFolder, fileSystemOf);
        return FileSystems.IsInMemory(disk.FileSystem) ? system : disk;
    }

    private static TemporaryBase At(string folder, Func<string, string?> fileSystemOf)
    {
        var full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(folder));
        return new TemporaryBase(full, fileSystemOf(full));
    }
}
