
namespace Serdica.Perf.Testing;

/// <summary>
/// Why tests may skip. A skip is expected where the machine lacks what its reason names; where the machine has it, and for a
/// reason that is not in the list, a skip is a failure: a test that quietly does not run is one that quietly finds nothing.
/// </summary>
/// <param name="Has">Whether this machine should run such tests.</param>
internal sealed record ExpectedSkip(string Name, string Reason, Func<bool> Has)
{
    private static readonly Func<bool> Never = () => false;

    public static IReadOnlyList<ExpectedSkip> On(TestMachine machine) =>
        [
            new("oracle", "^The Oracle driver is not in this build", () => !machine.LacksPackage("WithOracleDriver")),
            new("oracle", "No Oracle server is named", () => machine.Names("SERDICA_PERF_ORACLE")),
            new("ivorysql", "^IvorySQL is not installed", machine.HasIvorySql),
            new("mongodb", "No MongoDB server is named", () => machine.Names("SERDICA_PERF_MONGODB")),
            new("containers", "container engine", machine.HasContainers),
            new("documentdb", "DocumentDB|documentdb", machine.HasDocumentDb),
            new("citus", "^Citus is not installed", machine.HasCitus),
            new("postgresql", "PostgreSQL (server programs|[0-9., ]+ is installed)|^There is no PostgreSQL", machine.HasPostgreSql),
            new("chromium", "^No Chromium was found", machine.HasChromium),
            new("charts", "^This build has no page with charts", () => machine.HasProgram("npm") && machine.HasProgram("node")),
            new("node", "^Node is not installed", () => machine.HasProgram("node")),
            new("node", "^npm could not install", Never),
            new("git", "^There is no git on this machine", () => machine.HasProgram("git")),
            new("shells", "^zsh is not installed", () => machine.HasProgram("zsh")),
            new("shells", "^PowerShell is not installed", () => machine.HasProgram("pwsh")),
            new("history", "^This clone is shallow", Never),
            new("mounts", "this process may not mount one", Never),
            new("platform", "Windows|by 'kill'|a Unix program|shell script", () => !machine.IsWindows),
            new("platform", "Only Linux|Elsewhere a machine is known", () => machine.IsLinux),
            new("platform", "^This machine has no /", () => machine.IsLinux),
            new("root", "^Only root can", () => machine.IsRoot && !machine.IsWindows),
            new("user", "^Nothing is forbidden to this user", () => !machine.IsRoot),
            new("processors", "machine with one processor", () => machine.Processors > 1),
            new("server", "^Before version 15|^This server has not loaded", Never),
            new(
                "complement",
                "^Backend '[a-z-]+' (hears of no other process|has no bare queue)|^This backend does not filter definitions",
                Never
            ),
            new("long", "^It takes minutes and 10 GB of disk", Never),
            new(
                "complement",
                "^The driver is in this build|has the extension|^Whoever started the tests ignores interrupts"
                    + "|^This cluster is somebody else's",
                Never
            ),
        ];

    /// <summary>Why a skip is a failure on this machine; null when it is expected.</summary>
    /// <param name="allowed">Names of which skips are expected at all; null means every one of the list.</param>
    public static string? Fault(string reason, IReadOnlyList<ExpectedSkip> expected, IReadOnlyCollection<string>? allowed)
    {
        var matching = expected.Where(skip => Regex.IsMatch(reason, skip.Reason)).ToArray();
        if (matching.Length == 0)
            return "no skip is expected for this reason: see eng/Testing/ExpectedSkips.cs";
        if (matching.FirstOrDefault(skip => skip.Has != Never && allowed?.Contains(skip.Name) == false) is { } refused)
            return $"--may-skip does not name '{refused.Name}'";
        return Array.TrueForAll(matching, skip => skip.Has()) ? $"this machine has what '{matching[0].Name}' needs" : null;
    }
}

/// <summary>What a machine has that tests need.</summary>
/// <param name="variable">Reads a variable of the environment; null for that of this process.</param>
internal class TestMachine(string root, Func<string, string?>? variable = null)
{
    private readonly Func<string, string?> _variable = variable ?? Environment.GetEnvironmentVariable;

    private static readonly string[] Servers =
    [
        "/usr/lib/postgresql",
        "/usr/local/pgsql/bin",
        "/usr/local/opt",
        "/opt/homebrew/opt",
        "/Library/PostgreSQL",
        "/Applications/Postgres.app/Contents/Versions",
        @"C:\Program Files\PostgreSQL",
    ];

    private static readonly string[] Browsers =
    [
        "/usr/bin/chromium-headless-shell",
        "/usr/bin/chromium",
        "/usr/bin/chromium-browser",
        "/usr/bin/google-chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        @"C:\Program Files\Google\Chrome\Application\chrome.exe",
    ];

    public virtual bool IsLinux => OperatingSystem.IsLinux();

    public virtual bool IsWindows => OperatingSystem.IsWindows();

    public virtual bool IsRoot => Environment.IsPrivilegedProcess;

    public virtual int Processors => Environment.ProcessorCount;

    /// <summary>As <c>eng/setup.cs</c> has found out, or, before it has run, as a fresh clone is built.</summary>
    public virtual bool LacksPackage(string property) =>
        new[] { "drivers.props", "Directory.Build.props" }
            .Select(file => Path.Combine(root, file))
            .Where(File.Exists)
            .Select(file => Regex.Match(File.ReadAllText(file), $"<{property}>(true|false)</", RegexOptions.IgnoreCase))
            .FirstOrDefault(match => match.Success)
            is not { } match
        || match.Groups[1].Value.Equals("false", OrdinalIgnoreCase);

    public virtual bool Names(string variable) => !string.IsNullOrWhiteSpace(_variable(variable));

    public virtual bool HasPostgreSql() =>
        Names("SERDICA_PERF_POSTGRESQL")
        || HasProgram("initdb")
        || Servers.Where(Directory.Exists).Any(folder => Directory.EnumerateFiles(folder, "initdb*", Nested).Any());

    public virtual bool HasDocumentDb()
    {
        var home = Environment.GetFolderPath(Environment.SpecialFolder.UserProfile);
        var named = _variable("SERDICA_PERF_CACHE");
        string?[] caches = [named, Path.Combine(home, ".cache", "serdica-perf"), "/var/cache/serdica-perf"];
        return Names("SERDICA_PERF_DOCUMENTDB")
            || caches.OfType<string>().Any(cache => File.Exists(Path.Combine(cache, "documentdb", "prepared")));
    }

    public virtual bool HasIvorySql() =>
        Names("SERDICA_PERF_IVORYSQL")
        || new[] { ("/opt", "ivorysql*"), ("/usr", "ivory-*"), ("/usr/local", "ivorysql*") }
            .Where(place => Directory.Exists(place.Item1))
            .SelectMany(place => Directory.EnumerateDirectories(place.Item1, place.Item2))
            .Any(folder => File.Exists(Path.Combine(folder, "bin", "initdb")));

    public virtual bool HasCitus() =>
        Names("SERDICA_PERF_CITUS")
        || Servers.Where(Directory.Exists).Any(folder => Directory.EnumerateFiles(folder, "citus.so", Nested).Any());

    public virtual bool HasChromium() => Names("SERDICA_PERF_CHROMIUM") || Browsers.Any(File.Exists);

    public virtual bool HasProgram(string name) => Find(name) is not null;

    /// <summary>A client alone is no engine: one must answer.</summary>
    public virtual bool HasContainers()
    {
        if (Find("docker") is not { } client)
            return false;
        var version = new ProcessStartInfo(client, ["version", "--format", "{{.Server.Version}}"])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using var docker = Process.Start(version)!;
        docker.StandardOutput.ReadToEnd();
        docker.WaitForExit();
        return docker.ExitCode == 0;
    }

    private string? Find(string program) =>
        (_variable("PATH") ?? "")
            .Split(Path.PathSeparator, StringSplitOptions.RemoveEmptyEntries)
            .SelectMany(folder => new[] { "", ".exe", ".cmd" }.Select(extension => Path.Combine(folder, program + extension)))
            .FirstOrDefault(File.Exists);

    private static EnumerationOptions Nested => new() { RecurseSubdirectories = true, MaxRecursionDepth = 4, IgnoreInaccessible = true };
}
