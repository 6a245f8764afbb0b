namespace Serdica.Perf.Delivery.Tests;

/// <summary>The files of this repository, by their path from its root.</summary>
internal static class Repository
{
    public static string Root => RepositoryRoot.Folder;

    public static string PathOf(string relative) => Path.Combine(Root, relative);

    /// <summary>
    /// Files of a folder, or the file itself, by their paths from the root; without what builds and installs leave there.
    /// </summary>
    public static IEnumerable<string> FilesOf(string place, IReadOnlyCollection<string> extensions) =>
        File.Exists(PathOf(place))
            ? [place]
            : Directory
                .EnumerateFiles(PathOf(place), "*", SearchOption.AllDirectories)
                .Select(file => Path.GetRelativePath(Root, file).Replace('\\', '/'))
                .Where(file => extensions.Contains(Path.GetExtension(file)))
                .Where(file =>
                    !file.Contains("/bin/")
                    && !file.Contains("/obj/")
                    && !file.Contains("/dist/")
                    && !file.Contains("/node_modules/")
                );
}
