using Serdica.Perf.Testing;

namespace Serdica.Perf.Delivery.Tests;

/// <summary>What a machine is found to have that tests need.</summary>
public sealed class TestMachineTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("serdica-perf-machine-").FullName;
    private readonly Dictionary<string, string> _variables = [];

    private TestMachine Machine => new(_folder, _variables.GetValueOrDefault);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

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
            Write("drivers.props", drivers);
        if (build is not null)
            Write("Directory.Build.props", build);

        Assert.Equal(isLacking, Machine.LacksPackage("WithOracleDriver"));
    }

    [Fact]
    public void Programs_are_those_of_the_path()
    {
        Write("node", "");
        Write("zsh.cmd", "");
        Write("pwsh.txt", "");
        Assert.False(Machine.HasProgram("node"));
        _variables["PATH"] = string.Join(Path.PathSeparator, Path.Combine(_folder, "none"), _folder);

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
        _variables["PATH"] = _folder;
        Write("docker", "#!/bin/sh\n[ \"$1\" = version ] || exit 2\n[ -e \"${0%/*}/answers\" ]\n");
        File.SetUnixFileMode(Path.Combine(_folder, "docker"), UnixFileMode.UserRead | UnixFileMode.UserExecute);
        Assert.False(Machine.HasContainers());

        Write("answers", "");
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
        Directory.CreateDirectory(Path.Combine(_folder, "documentdb"));
        Write("documentdb/prepared", "");
        _variables["SERDICA_PERF_CACHE"] = _folder;

        Assert.True(Machine.HasDocumentDb());
        _variables["SERDICA_PERF_CACHE"] = Path.Combine(_folder, "documentdb");
        Assert.Equal(before, Machine.HasDocumentDb());
    }

    private void Write(string name, string text) => File.WriteAllText(Path.Combine(_folder, name), text);
}
