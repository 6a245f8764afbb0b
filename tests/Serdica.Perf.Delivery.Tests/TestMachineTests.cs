namespace Serdica.Perf.Delivery.Tests;

/// <summary>What a machine is found to have that tests need.</summary>
public sealed class TestMachineTests : FolderTests
{
    private readonly Dictionary<string, string> _variables = [];

    private TestMachine Machine => new(Root.Path, _variables.GetValueOrDefault);

    /// <summary>What the setup has found out counts before what a fresh clone is built with.</summary>
    [Theory]
    [InlineData(null, null, true)]
    [InlineData(null, "<WithOracleDriver>false</WithOracleDriver>", true)]
    [InlineData(null, "<WithOracleDriver>true</WithOracleDriver>", false)]
    [InlineData("<WithOracleDriver>True</WithOracleDriver>", "<WithOracleDriver>false</WithOracleDriver>", false)]
    [InlineData("<WithOracleDriver>false</WithOracleDriver>", "<WithOracleDriver>true</WithOracleDriver>", true)]
    [InlineData("<WithAnother>false</WithAnother>", "<WithOracleDriver>true</WithOracleDriver>", false)]
    public void Package_is_there_where_the_build_has_it(string? drivers, string? build, bool isLacking)
    {
        if (drivers is not null)
            Root.Write("drivers.props", drivers);
        if (build is not null)
            Root.Write("Directory.Build.props", build);

        Assert.Equal(isLacking, Machine.LacksPackage("WithOracleDriver"));
    }

    [Fact]
    public void Programs_are_those_of_the_path()
    {
        Root.Write("node", "");
        Root.Write("zsh.cmd", "");
        Root.Write("pwsh.txt", "");
        Assert.False(Machine.HasProgram("node"));
        _variables["PATH"] = string.Join(Path.PathSeparator, Root.Below("none"), Root.Path);

        Assert.Equal([true, true, false], new[] { "node", "zsh", "pwsh" }.Select(Machine.HasProgram));
    }

    [Fact]
    public void Container_engine_is_there_where_it_answers_its_client()
    {
        if (OperatingSystem.IsWindows())
        {
            Assert.Skip("The client is a shell script.");
            return;
        }

        Assert.False(Machine.HasContainers());
        _variables["PATH"] = Root.Path;
        Root.Write("docker", "#!/bin/sh\n[ \"$1\" = version ] || exit 2\n[ -e \"${0%/*}/answers\" ]\n");
        File.SetUnixFileMode(Root.Below("docker"), UnixFileMode.UserRead | UnixFileMode.UserExecute);
        Assert.False(Machine.HasContainers());

        Root.Write("answers", "");
        Assert.True(Machine.HasContainers());
    }

    /// <summary>Whatever else is installed.</summary>
    [Fact]
    public void Servers_and_a_browser_that_variables_name_are_there()
    {
        foreach (var name in (string[])["POSTGRESQL", "DOCUMENTDB", "IVORYSQL", "CHROMIUM"])
            _variables[$"SERDICA_PERF_{name}"] = "named";
        _variables["SERDICA_PERF_MONGODB"] = " ";

        Assert.True(Machine.HasPostgreSql() && Machine.HasDocumentDb() && Machine.HasIvorySql() && Machine.HasChromium());
        Assert.False(Machine.Names("SERDICA_PERF_MONGODB") || Machine.Names("SERDICA_PERF_ORACLE"));
    }

    [Fact]
    public void Prepared_server_is_found_in_the_folder_that_a_variable_names()
    {
        var before = Machine.HasDocumentDb();
        Root.Write("documentdb/prepared", "");
        _variables["SERDICA_PERF_CACHE"] = Root.Path;

        Assert.True(Machine.HasDocumentDb());
        _variables["SERDICA_PERF_CACHE"] = Root.Below("documentdb");
        Assert.Equal(before, Machine.HasDocumentDb());
    }
}
