namespace Serdica.Perf.Databases.Tests;

public sealed class DatabaseEnvironmentTests
{
    [Fact]
    public void Nothing_set_leaves_everything_to_the_automatic_order()
    {
        Assert.True(With([]).TryReadRequest("postgresql", out var request, out _));

        Assert.Null(request.ConnectionString);
        Assert.Null(request.Source);
        Assert.Null(request.TemporaryFolder);
    }

    [Theory]
    [InlineData("external", nameof(DatabaseSourceKind.External))]
    [InlineData("Containers", nameof(DatabaseSourceKind.Containers))]
    [InlineData(" LOCAL ", nameof(DatabaseSourceKind.Local))]
    public void Source_is_read_in_any_case(string text, string expected)
    {
        Assert.True(With(new() { ["SERDICA_PERF_POSTGRESQL_SOURCE"] = text }).TryReadRequest("postgresql", out var request, out _));

        Assert.Equal(expected, request.Source.ToString());
    }

    [Theory]
    [InlineData("docker")]
    [InlineData("0")]
    [InlineData("external,local")]
    public void Unknown_source_is_answered_with_the_valid_ones(string text)
    {
        Assert.False(With(new() { ["SERDICA_PERF_POSTGRESQL_SOURCE"] = text }).TryReadRequest("postgresql", out _, out var problem));

        Assert.Contains($"'{text}'", problem);
        Assert.Contains("external, containers, local", problem);
    }

    [Fact]
    public void Connection_string_and_folders_come_from_their_variables()
    {
        var environment = With(
            new()
            {
                ["SERDICA_PERF_POSTGRESQL"] = "Host=db",
                ["SERDICA_PERF_MONGODB"] = "mongodb://db",
                ["SERDICA_PERF_TEMP"] = "/data",
                ["SERDICA_PERF_CACHE"] = "/kept",
            }
        );

        Assert.True(environment.TryReadRequest("postgresql", out var request, out _));
        Assert.Equal("Host=db", request.ConnectionString);
        Assert.Equal("/data", request.TemporaryFolder);
        Assert.Equal("/kept", request.CacheFolder);
    }

    /// <summary>So Azure Pipelines leaves the name of a variable that is not set.</summary>
    [Theory]
    [InlineData(" $(PERF_SERVER) ", null)]
    [InlineData("Host=db;Password=$(", "Host=db;Password=$(")]
    [InlineData("$(x;Host=db", "$(x;Host=db")]
    [InlineData("Host=db;Password=:-)", "Host=db;Password=:-)")]
    public void Variable_of_a_pipeline_that_is_not_set_is_none(string text, string? expected) =>
        Assert.Equal(expected, With(new() { ["SERDICA_PERF_POSTGRESQL"] = text }).Value("SERDICA_PERF_POSTGRESQL"));

    /// <summary>A file that nobody reads would be measured as if it counted.</summary>
    [Theory]
    [InlineData("mongodb", "SERDICA_PERF_MONGODB")]
    [InlineData("oracle", "SERDICA_PERF_ORACLE")]
    public void Settings_of_a_server_that_takes_none_are_refused(string backend, string variable)
    {
        Assert.False(With(new() { [$"{variable}_SETTINGS"] = "/etc/mine.conf" }).TryReadRequest(backend, out _, out var problem));

        Assert.Contains($"{variable}_SETTINGS is '/etc/mine.conf'", problem);
        Assert.Contains($"{variable}_IMAGE", problem);
    }

    [Theory]
    [InlineData("4711", 4711)]
    [InlineData("", null)]
    public void Process_of_an_external_server_is_a_number(string text, int? expected)
    {
        Assert.True(With(new() { ["SERDICA_PERF_POSTGRESQL_PROCESS"] = text }).TryReadRequest("postgresql", out var request, out _));

        Assert.Equal(expected, request.ExternalProcessId);
    }

    [Theory]
    [InlineData("0")]
    [InlineData("-1")]
    [InlineData("postgres")]
    public void Process_that_is_no_number_is_told_with_its_variable(string text)
    {
        Assert.False(With(new() { ["SERDICA_PERF_POSTGRESQL_PROCESS"] = text }).TryReadRequest("postgresql", out _, out var problem));

        Assert.StartsWith($"SERDICA_PERF_POSTGRESQL_PROCESS is '{text}', which is not a process id", problem);
    }

    [Fact]
    public void Image_and_engine_come_from_their_variables()
    {
        var environment = With(
            new()
            {
                ["SERDICA_PERF_POSTGRESQL_IMAGE"] = "mine:7",
                ["SERDICA_PERF_MONGODB_IMAGE"] = "another:8",
                ["DOCKER_HOST"] = "tcp://build-host:2375",
                ["TESTCONTAINERS_HOST_OVERRIDE"] = "172.17.0.1",
            }
        );

        Assert.True(environment.TryReadRequest("postgresql", out var request, out _));

        Assert.Equal(
            new ContainerOptions
            {
                Image = "mine:7",
                Engine = "tcp://build-host:2375",
                Host = "172.17.0.1",
            },
            request.Container
        );
    }

    [Fact]
    public void Process_of_one_node_is_not_that_of_a_cluster()
    {
        Assert.False(With(new() { ["SERDICA_PERF_CITUS_PROCESS"] = "4711" }).TryReadRequest("citus", out _, out var problem));

        Assert.StartsWith("SERDICA_PERF_CITUS_PROCESS is '4711', and a cluster has", problem);
    }

    [Theory]
    [InlineData("postgresql", true)]
    [InlineData("mongodb, PostgreSQL", true)]
    [InlineData("chromium,oracle-aq", false)]
    [InlineData("", false)]
    public void Required_back_ends_are_a_list(string text, bool expected) =>
        Assert.Equal(expected, With(new() { ["SERDICA_PERF_REQUIRE"] = text }).IsRequired("postgresql"));

    [Fact]
    public void A_misspelt_name_of_what_is_required_is_refused()
    {
        var variables = With(new() { ["SERDICA_PERF_REQUIRE"] = "mongodb,postgres" });

        var error = Assert.Throws<InvalidOperationException>(() => variables.IsRequired("postgresql"));

        Assert.StartsWith("SERDICA_PERF_REQUIRE names 'postgres', which nothing requires", error.Message);
    }

    private static DatabaseEnvironment With(Dictionary<string, string> variables) => new(variables.GetValueOrDefault);
}
