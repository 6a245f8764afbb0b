namespace Serdica.Perf.Databases.PostgreSql.Installed;

/// <summary>
/// Where <c>eng/documentdb.cs</c> puts the programs of DocumentDB: a folder with a PostgreSQL and all its libraries,
/// which runs where it lies and leaves the machine's own packages alone.
/// </summary>
internal static class PreparedDocumentDb
{
    private const string CacheName = "serdica-perf";

    // Root prepares it here: the user that servers run as may not enter root's own folders.
    private const string MachineCache = "/var/cache/" + CacheName;

    /// <summary>The folders to look in: the one asked for, else the user's, then the machine's.</summary>
    public static IReadOnlyList<string> FoldersFor(string? requestedCache) =>
        FoldersFor(requestedCache, Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), Environment.IsPrivilegedProcess);

    internal static IReadOnlyList<string> FoldersFor(string? requestedCache, string home, bool isRoot)
    {
        string[] caches =
            requestedCache is not null ? [Path.GetFullPath(requestedCache)]
            : isRoot ? [MachineCache]
            : [Path.Combine(home, ".cache", CacheName), MachineCache];

        return [.. caches.Select(cache => Path.Combine(cache, "documentdb"))];
    }

    /// <summary>Pattern of the folder with the programs, as Debian names it.</summary>
    public static string ProgramsIn(string folder) => Path.Combine(folder, "usr/lib/postgresql/*/bin");
}
