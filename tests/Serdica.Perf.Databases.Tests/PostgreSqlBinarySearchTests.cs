namespace Serdica.Perf.Databases.Tests;

public sealed class PostgreSqlBinarySearchTests : ScratchTests
{
    [Fact]
    public void Newest_version_in_the_usual_places_wins()
    {
        Install("lib/postgresql/9.6/bin");
        Install("lib/postgresql/17/bin");
        var newest = Install("pgsql-18/bin");
        Install("lib/postgresql/15/bin");

        var (binaries, problem) = Search([], "lib/postgresql/*/bin", "pgsql-*/bin").Find();

        Assert.Null(problem);
        Assert.Equal(newest, binaries!.Folder);
        Assert.Equal(18, binaries.Version.Major);
    }

    [Fact]
    public void Installation_on_PATH_wins_over_a_newer_one_elsewhere()
    {
        Install("lib/postgresql/18/bin");
        var onPath = Install("own/15/bin");

        var (binaries, _) = Search([Path.Combine(Root.Path, "empty"), onPath], "lib/postgresql/*/bin").Find();

        Assert.Equal(onPath, binaries!.Folder);
    }

    [Fact]
    public void Link_on_PATH_leads_to_the_folder_of_its_target()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "Making a symbolic link needs privileges on Windows.");
        var target = Install("own/16/bin");
        var links = Directory.CreateDirectory(Path.Combine(Root.Path, "usr-bin")).FullName;
        File.CreateSymbolicLink(Path.Combine(links, "postgres"), Path.Combine(target, "postgres"));

        var (binaries, _) = Search([links]).Find();

        Assert.Equal(target, binaries!.Folder);
    }

    [Fact]
    public void Folder_without_all_programs_is_no_installation()
    {
        var folder = Install("lib/postgresql/17/bin");
        File.Delete(Path.Combine(folder, PostgreSqlBinaries.Executable("initdb")));

        var (binaries, problem) = Search([folder], "lib/postgresql/*/bin").Find();

        Assert.Null(binaries);
        Assert.Contains("install", problem);
    }

    [Fact]
    public void All_installations_are_listed_that_on_PATH_first_and_then_the_newest()
    {
        var older = Install("lib/postgresql/15/bin");
        var newer = Install("lib/postgresql/18/bin");
        var onPath = Install("own/14/bin");

        var installed = Search([onPath], "lib/postgresql/*/bin").Installed();

        Assert.Equal([onPath, newer, older], installed.Select(binaries => binaries.Folder));
    }

    [Fact]
    public void Unsupported_versions_are_named_in_the_reason()
    {
        Install("lib/postgresql/13/bin");
        Install("lib/postgresql/19/bin");

        var (binaries, problem) = new StandardPostgreSql().FindBinaries(Search([], "lib/postgresql/*/bin"));

        Assert.Null(binaries);
        Assert.Contains("19.0, 13.0", problem);
        Assert.Contains("14 to 18", problem);
        Assert.Contains("SERDICA_PERF_POSTGRESQL", problem);
    }

    [Theory]
    [InlineData(14)]
    [InlineData(18)]
    public void Oldest_and_newest_supported_version_are_taken(int major)
    {
        Install($"lib/postgresql/{major}/bin");

        Assert.Equal(major, Search([], "lib/postgresql/*/bin").Find().Binaries?.Version.Major);
    }

    [Theory]
    [InlineData("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n", "15.18")]
    [InlineData("postgres (PostgreSQL) 18beta2", "18.0")]
    [InlineData("postgres (PostgreSQL) 17.0", "17.0")]
    public void Version_is_read_from_what_postgres_prints(string text, string expected) =>
        Assert.Equal(Version.Parse(expected), PostgreSqlVersion.Parse(text));

    [Fact]
    public void Text_of_another_program_has_no_version() => Assert.Null(PostgreSqlVersion.Parse("mysqld 8.0.1"));

    [Fact]
    public void Program_is_taken_from_path_else_from_the_newest_installation_that_has_it()
    {
        var (old, recent, path) = (
            Install("lib/16/bin"),
            Install("lib/17/bin"),
            Directory.CreateDirectory(Path.Combine(Root.Path, "path")).FullName
        );
        var search = Search([path], "lib/*/bin");
        string Put(string folder)
        {
            var program = Path.Combine(folder, PostgreSqlBinaries.Executable("pgbench"));
            File.WriteAllText(program, "");
            return program;
        }

        Assert.Null(search.FindProgram("pgbench"));
        Assert.Equal(Put(old), search.FindProgram("pgbench"));
        Assert.Equal(Put(recent), search.FindProgram("pgbench"));
        Assert.Equal(Put(path), search.FindProgram("pgbench"));
    }

    private string Install(string folder)
    {
        var path = Directory.CreateDirectory(Path.Combine(Root.Path, folder)).FullName;

        foreach (var program in new[] { "postgres", "initdb", "pg_ctl" })
            File.WriteAllText(Path.Combine(path, PostgreSqlBinaries.Executable(program)), "");

        return path;
    }

    private PostgreSqlBinarySearch Search(string[] pathFolders, params string[] patterns) =>
        new(pathFolders, [.. patterns.Select(pattern => Path.Combine(Root.Path, pattern))], VersionInName);

    /// <summary>Takes the version from the folder above <c>bin</c>: <c>17</c>, <c>pgsql-18</c>.</summary>
    private static Version VersionInName(string folder)
    {
        var name = Path.GetFileName(Path.GetDirectoryName(folder)!).Split('-')[^1];
        return name.Contains('.') ? Version.Parse(name) : new Version(int.Parse(name, CultureInfo.InvariantCulture), 0);
    }
}
