namespace Serdica.Perf.Cli.Tests;

/// <summary>
/// The suite cannot look for other data on a MongoDB or an Oracle server: the one that a variable names is measured only when
/// somebody has said that it may be.
/// </summary>
public sealed class NamedServerTests
{
    private const string ConnectionString = "mongodb://alice:s3cret-Pa55@db:27017/";

    private static readonly ProvisionOutcome NoContainer = new ProvisionOutcome.Unavailable("No container engine answers.");

    [Theory]
    [InlineData(DatabaseEnvironment.MongoDb, "SERDICA_PERF_MONGODB")]
    [InlineData(DatabaseEnvironment.Oracle, "SERDICA_PERF_ORACLE")]
    public async Task Server_is_refused_until_it_is_said_that_it_may_be_measured(string backend, string variable)
    {
        var (server, reason) = await FindAsync(backend, Request(backend, (variable, ConnectionString)));

        Assert.Null(server);
        Assert.Contains($"set {variable}_FOREIGN_DATA=accept if it may be measured.", reason);
        Assert.DoesNotContain("Pa55", reason);
    }

    [Theory]
    [InlineData(DatabaseEnvironment.MongoDb, "SERDICA_PERF_MONGODB")]
    [InlineData(DatabaseEnvironment.Oracle, "SERDICA_PERF_ORACLE")]
    public async Task Server_that_may_be_measured_is_taken_as_it_is_named(string backend, string variable)
    {
        var (server, reason) = await FindAsync(
            backend,
            Request(backend, (variable, ConnectionString), ($"{variable}_FOREIGN_DATA", "accept"))
        );

        Assert.Null(reason);
        Assert.Equal((ConnectionString, null, "external"), (server!.ConnectionString, server.Container, server.Source));
    }

    /// <summary>A word that looks like a yes is none: it may stand for something else where it comes from.</summary>
    [Theory]
    [InlineData("yes")]
    [InlineData("true")]
    [InlineData("Accept")]
    public void Only_the_one_word_accepts(string word)
    {
        Dictionary<string, string> variables = new()
        {
            ["SERDICA_PERF_MONGODB"] = ConnectionString,
            ["SERDICA_PERF_MONGODB_FOREIGN_DATA"] = word,
        };

        Assert.False(
            new DatabaseEnvironment(variables.GetValueOrDefault).TryReadRequest(DatabaseEnvironment.MongoDb, out _, out var problem)
        );
        Assert.Contains($"SERDICA_PERF_MONGODB_FOREIGN_DATA is '{word}': set it to accept", problem);
    }

    [Fact]
    public async Task Consent_to_one_product_is_none_to_another()
    {
        var request = Request(
            DatabaseEnvironment.Oracle,
            ("SERDICA_PERF_ORACLE", ConnectionString),
            ("SERDICA_PERF_MONGODB_FOREIGN_DATA", "accept")
        );

        Assert.Null((await FindAsync(DatabaseEnvironment.Oracle, request)).Server);
    }

    [Fact]
    public async Task Without_a_name_the_sentence_says_what_to_set_and_why_no_container_came()
    {
        Assert.Equal("No server is named. No container engine answers.", (await FindAsync(DatabaseEnvironment.MongoDb, new())).Reason);
        Assert.Equal(
            "No server is named.",
            (await FindAsync(DatabaseEnvironment.MongoDb, new() { Source = DatabaseSourceKind.External })).Reason
        );
    }

    private static DatabaseRequest Request(string backend, params (string Name, string Value)[] variables)
    {
        var environment = new DatabaseEnvironment(name => Array.Find(variables, variable => variable.Name == name).Value);
        Assert.True(environment.TryReadRequest(backend, out var request, out var problem), problem);
        return request;
    }

    private static Task<(NamedServer? Server, string? Reason)> FindAsync(string backend, DatabaseRequest request)
    {
        var search = new ServerSearch("Product", backend, "No server is named.", (_, _, _) => Task.FromResult(NoContainer));
        return NamedServer.FindAsync(search, request, NullLogger.Instance, Token);
    }
}
