namespace Serdica.Perf.Databases.PostgreSql.Installed;

/// <summary>Finds installed PostgreSQL servers: the one on PATH first, then those in the usual places, newest first.</summary>
internal sealed class PostgreSqlBinarySearch(
    IReadOnlyList<string> pathFolders,
    IReadOnlyList<string> usualPatterns,
    Func<string, Version?> versionOf
)
{
    private static readonly string[] UnixPatterns =
    [
        "/usr/lib/postgresql/*/bin",
        "/usr/pgsql-*/bin",
        "/usr/local/pgsql/bin",
        "/opt/homebrew/opt/postgresql*/bin",
        "/usr/local/opt/postgresql*/bin",
        "/home/linuxbrew/.linuxbrew/opt/postgresql*/bin",
        "/Library/PostgreSQL/*/bin",
        "/Applications/Postgres.app/Contents/Versions/*/bin",
        "/usr/libexec/postgresql*",
    ];

    private static readonly string[] WindowsPatterns = [@"C:\Program Files\PostgreSQL\*\bin"];

    /// <summary>The search on this machine, which counts <paramref name="furtherPatterns"/> among the usual places.</summary>
    public static PostgreSqlBinarySearch OnThisMachine(params IReadOnlyList<string> furtherPatterns) =>
        new(
            (Environment.GetEnvironmentVariable("PATH") ?? "").Split(Path.PathSeparator, RemoveEmptyEntries),
            [.. OperatingSystem.IsWindows() ? WindowsPatterns : UnixPatterns, .. furtherPatterns],
            PostgreSqlVersion.Of
        );

    /// <summary>All installations, the best first.</summary>
    public IEnumerable<PostgreSqlBinaries> Installed() => OnPath().Concat(InUsualPlaces().OrderByDescending(binaries => binaries.Version));

    /// <summary>A program that comes with PostgreSQL: the one on PATH, else that of the best installation that has it.</summary>
    public string? FindProgram(string name) =>
        pathFolders
            .Concat(Installed().Select(binaries => binaries.Folder))
            .Select(folder => Path.Combine(folder, PostgreSqlBinaries.Executable(name)))
            .FirstOrDefault(File.Exists);

    /// <summary>The best supported installation, or <see langword="null"/> with a clause on what to install.</summary>
    public (PostgreSqlBinaries? Binaries, string? Problem) Find()
    {
        var installed = Installed().ToList();
        var supported = installed.Find(binaries => binaries.Version.Major is >= PostgreSqlVersion.Oldest and <= PostgreSqlVersion.Newest);

        return supported is null ? (null, NothingUsable(installed)) : (supported, null);
    }

    private static string NothingUsable(List<PostgreSqlBinaries> installed)
    {
        var found =
            installed.Count == 0
                ? "No PostgreSQL server programs (postgres, initdb, pg_ctl) are on PATH or in the usual places"
                : $"Only PostgreSQL {string.Join(", ", installed.Select(binaries => binaries.Version).Distinct())} is installed";

        return $"{found}: install a PostgreSQL server of version {PostgreSqlVersion.Oldest} to {PostgreSqlVersion.Newest} "
            + "(Debian and Ubuntu: apt-get install postgresql; macOS: brew install postgresql@17; "
            + "Windows: winget install PostgreSQL.PostgreSQL.17)";
    }

    private IEnumerable<PostgreSqlBinaries> OnPath()
    {
        var program = PostgreSqlBinaries.Executable("postgres");

        // Distributions link single programs into PATH; the siblings are where the link leads.
        return pathFolders
            .Select(folder => new FileInfo(Path.Combine(folder, program)))
            .Where(file => file.Exists)
            .Select(file => Path.GetDirectoryName((file.ResolveLinkTarget(returnFinalTarget: true) ?? file).FullName)!)
            .SelectMany(Identify);
    }

    private IEnumerable<PostgreSqlBinaries> InUsualPlaces() => usualPatterns.SelectMany(Expand).SelectMany(Identify);

    private IEnumerable<PostgreSqlBinaries> Identify(string folder) =>
        PostgreSqlBinaries.AreIn(folder) && versionOf(folder) is { } version ? [new PostgreSqlBinaries(folder, version)] : [];

    /// <summary>Expands a pattern with at most one segment that holds a star.</summary>
    private static IEnumerable<string> Expand(string pattern)
    {
        var star = pattern.IndexOf('*', Ordinal);

        if (star < 0)
            return [pattern];

        var parent = Path.GetDirectoryName(pattern[..(star + 1)])!;
        var rest = pattern[parent.Length..].TrimStart('/', '\\').Split('/', '\\');

        return Directory.Exists(parent)
            ? Directory.EnumerateDirectories(parent, rest[0]).Select(folder => Path.Combine([folder, .. rest[1..]]))
            : [];
    }
}
