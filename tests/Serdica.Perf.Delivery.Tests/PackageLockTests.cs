namespace Serdica.Perf.Delivery.Tests;

/// <summary>Projects restore exactly what their lock file says.</summary>
public sealed class PackageLockTests
{
    private const string LockFile = "packages.lock.json";
    private const string WithoutOracle = "packages.without-oracle.lock.json";

    /// <summary>Used by the command line only, or by it and the test package, whose lock files have all of their packages.</summary>
    private static readonly string[] LockedAbove = ["Serdica.Perf.Backends", "Serdica.Perf.Faults"];

    public static TheoryData<string> Projects => FilesOf("*.csproj");

    public static TheoryData<string> LockFiles => FilesOf("packages*.lock.json");

    [Theory]
    [MemberData(nameof(Projects))]
    public void Project_is_locked_and_one_with_an_optional_package_below_it_is_locked_without_that(string project)
    {
        var folder = Path.GetDirectoryName(Repository.PathOf(project))!;

        Assert.Equal(
            LockedAbove.Contains(Path.GetFileName(folder)) ? []
            : HasOptionalPackage(Repository.PathOf(project)) ? [WithoutOracle]
            : [LockFile],
            Directory.GetFiles(folder, "packages*.lock.json").Select(Path.GetFileName)
        );
    }

    [Fact]
    public void Packages_of_what_has_no_lock_file_are_in_that_of_the_command_line()
    {
        using var locked = JsonDocument.Parse(File.ReadAllText(Repository.PathOf($"src/Serdica.Perf.Cli/{WithoutOracle}")));
        var known = locked.RootElement.GetProperty("dependencies").EnumerateObject().Single().Value;

        Assert.All(LockedAbove, project =>
        {
            Assert.True(known.TryGetProperty(project.ToLowerInvariant(), out var entry), project);
            Assert.Equal("Project", entry.GetProperty("type").GetString());
        });
    }

    /// <summary>
    /// A difference between project and lock file is an error on CI, and updates the file elsewhere; and a build with the driver uses no
    /// lock of a build without it.
    /// </summary>
    [Fact]
    public async Task Restore_is_locked_on_ci_and_by_the_file_of_its_packages()
    {
        const string Oracle = "src/Serdica.Perf.Workflows.Oracle/Serdica.Perf.Workflows.Oracle.csproj";
        const string Engine = "src/Serdica.Perf.Workflows/Serdica.Perf.Workflows.csproj";
        const string PostgreSql = "src/Serdica.Perf.Workflows.PostgreSql/Serdica.Perf.Workflows.PostgreSql.csproj";
        (string Project, string Properties, string Locked)[] cases =
        [
            (Oracle, "CI=true;WithOracleDriver=false", $"true{WithoutOracle}"),
            (Oracle, "CI=true;WithOracleDriver=true", ""),
            (Engine, "CI=true;WithOracleDriver=false", "true"),
            (Engine, "CI=true;WithOracleDriver=true", "true"),
            (PostgreSql, "CI=true", "true"),
            (PostgreSql, "CI=false", ""),
        ];

        var locked = await Evaluation.AskAsync(
            "$(RestoreLockedMode)$([System.IO.Path]::GetFileName('$(NuGetLockFilePath)'))",
            cases.Select(asked => (Repository.PathOf(asked.Project), asked.Properties))
        );

        Assert.Equal(cases.Select(asked => asked.Locked), locked);
    }

    /// <summary>Each package has the version that was asked for and the hash of its content; where it came from is not in it.</summary>
    [Theory]
    [MemberData(nameof(LockFiles))]
    public void Lock_file_has_versions_and_hashes_and_no_address(string file)
    {
        var text = File.ReadAllText(Repository.PathOf(file));

        Assert.DoesNotContain("://", text);
        using var locked = JsonDocument.Parse(text);
        var packages = locked
            .RootElement.GetProperty("dependencies")
            .EnumerateObject()
            .SelectMany(framework => framework.Value.EnumerateObject())
            .Where(package => package.Value.GetProperty("type").GetString() != "Project");
        var asked = Versions();
        foreach (var package in packages)
        {
            Assert.Equal(512 / 8, Convert.FromBase64String(package.Value.GetProperty("contentHash").GetString()!).Length);
            if (asked.TryGetValue(package.Name, out var version))
                Assert.Equal(version, package.Value.GetProperty("resolved").GetString());
        }
    }

    private static bool HasOptionalPackage(string project)
    {
        var items = XDocument.Load(project).Root!.Elements("ItemGroup").ToArray();
        return items.Any(group => group.Attribute("Condition") is not null && group.Elements("PackageReference").Any())
            || items
                .Elements("ProjectReference")
                .Any(reference =>
                    HasOptionalPackage(
                        Path.GetFullPath(Path.Combine(Path.GetDirectoryName(project)!, (string)reference.Attribute("Include")!))
                    )
                );
    }

    private static Dictionary<string, string> Versions() =>
        XDocument
            .Load(Repository.PathOf("Directory.Packages.props"))
            .Descendants("PackageVersion")
            .ToDictionary(package => (string)package.Attribute("Include")!, package => (string)package.Attribute("Version")!);

    private static TheoryData<string> FilesOf(string pattern) =>
        [
            .. Directory
                .GetFiles(Repository.PathOf("src"), pattern, SearchOption.AllDirectories)
                .Select(file => Path.GetRelativePath(Repository.Root, file).Replace('\\', '/'))
                .Order(StringComparer.Ordinal),
        ];
}
