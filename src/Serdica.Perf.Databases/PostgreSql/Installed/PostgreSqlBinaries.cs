namespace Serdica.Perf.Databases.PostgreSql.Installed;

/// <summary>The programs of one installed PostgreSQL server.</summary>
internal sealed record PostgreSqlBinaries(string Folder, Version Version)
{
    private static readonly string[] LibrarySuffixes = [".so", ".dylib", ".dll"];

    public string InitDb => PathOf("initdb");

    public string PgCtl => PathOf("pg_ctl");

    /// <summary>Whether a folder holds all programs that a throw-away server needs.</summary>
    public static bool AreIn(string folder) =>
        File.Exists(Path.Combine(folder, Executable("postgres")))
        && File.Exists(Path.Combine(folder, Executable("initdb")))
        && File.Exists(Path.Combine(folder, Executable("pg_ctl")));

    public static string Executable(string name) => OperatingSystem.IsWindows() ? name + ".exe" : name;

    /// <summary>
    /// Whether a library for <c>shared_preload_libraries</c> is installed: a server that has to load a missing one
    /// refuses to start. The search covers the places that packagers use, relative to the programs, because <c>pg_config</c>
    /// often belongs to a development package.
    /// </summary>
    public bool HasLibrary(string name)
    {
        string[] folders = ["../lib", "../lib/postgresql", "../lib64", "../lib64/pgsql", $"../lib/postgresql/{Version.Major}/lib"];

        return folders.Any(folder => Array.Exists(LibrarySuffixes, suffix => File.Exists(Path.Combine(Folder, folder, name + suffix))));
    }

    private string PathOf(string name) => Path.Combine(Folder, Executable(name));
}
