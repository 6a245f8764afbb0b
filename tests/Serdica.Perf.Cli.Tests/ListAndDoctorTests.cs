using System.Net;
using Serdica.Perf.Measurement.Catalog;

namespace Serdica.Perf.Cli.Tests;

public sealed class ListAndDoctorTests : CliTests
{
    [Fact]
    public async Task List_names_every_scenario_with_its_sentence()
    {
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("list"));

        EachItem.Holds(ScenarioCatalog.All, scenario => Assert.Contains($"{scenario.Name}: {scenario.Description}", Cli.Output));
    }

    [Fact]
    public void List_on_80_columns_keeps_names_whole()
    {
        using var text = new StringWriter();
        var console = Consoles.For(text);
        console.Profile.Width = 80;

        console.Write(ListCommand.Scenarios(isWide: false));

        var lines = text.ToString().Split('\n');
        EachItem.Holds(lines, line => Assert.InRange(line.TrimEnd().Length, 0, 80));
        EachItem.Holds(ScenarioCatalog.All, scenario =>
            Assert.Contains(lines, line => line.Split(' ', RemoveEmptyEntries).Contains(scenario.Name))
        );
    }

    [Fact]
    public async Task Doctor_begins_with_one_answer_for_each_backend_and_the_command_to_type_next()
    {
        Cli.Variables["SERDICA_PERF_POSTGRESQL_SOURCE"] = "external";
        Cli.Variables["SERDICA_PERF_DOCUMENTDB_SOURCE"] = "external";

        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("doctor"));

        var lines = Cli.Output.Split('\n');
        Assert.Equal("Can it be measured here?", lines[0].TrimEnd());
        Assert.Equal(BackendNames.All, lines[1..8].Select(line => line.Split(' ', RemoveEmptyEntries)[0]));
        Assert.Matches(@"^  postgresql +no: .*SERDICA_PERF_POSTGRESQL.*", lines[1]);
        Assert.Matches(@"^  in-memory +yes: serdica-perf quick --backend in-memory", lines[7]);
    }

    [Fact]
    public async Task List_as_JSON_has_every_scenario()
    {
        Assert.Equal(ExitCodes.Success, await Cli.RunAsync("list", "--json"));

        using var list = JsonDocument.Parse(Cli.Output);
        Assert.Equal(
            ScenarioCatalog.All.Select(scenario => scenario.Name),
            list.RootElement.EnumerateArray().Select(scenario => scenario.Text("name"))
        );
    }

    [Fact]
    public async Task Doctor_says_what_to_do_when_the_named_server_does_not_answer()
    {
        Cli.Variables["SERDICA_PERF_POSTGRESQL"] = "Host=127.0.0.1;Port=1;Username=perf;Password=s3cret-Pa55;Timeout=2";
        Cli.Variables["SERDICA_PERF_DOCUMENTDB"] = "Host=127.0.0.1;Port=2;Username=perf;Password=s3cret-Pa55;Timeout=2";

        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("doctor"));

        Assert.Contains("What to do", Cli.Output);
        Assert.Contains("PostgreSQL cannot be measured here", Cli.Output);
        Assert.Contains("SERDICA_PERF_DOCUMENTDB", Cli.Output);
        Assert.Contains("in-memory", Cli.Output);
        Assert.Contains("Oracle.ManagedDataAccess.Core", Cli.Output);
        Assert.DoesNotContain("s3cret", Cli.Output);
    }

    [Theory]
    [InlineData("in-memory", ExitCodes.Success, "in-memory can be measured: serdica-perf quick --backend in-memory")]
    [InlineData("documentdb", ExitCodes.Failed, "documentdb cannot be measured here; the lines above say what to do.")]
    [InlineData("mongodb", ExitCodes.Failed, "mongodb cannot be measured here; the lines above say what to do.")]
    public async Task Doctor_looks_at_the_named_backend_alone(string backend, int exitCode, string conclusion)
    {
        Cli.Variables["SERDICA_PERF_DOCUMENTDB"] = "Host=127.0.0.1;Port=2;Username=perf;Password=s3cret-Pa55;Timeout=2";
        Cli.Variables["SERDICA_PERF_MONGODB"] = "mongodb://127.0.0.1:2/?serverSelectionTimeoutMS=100";

        Assert.Equal(exitCode, await Cli.RunAsync("doctor", "--backend", backend));

        Assert.EndsWith(conclusion + Environment.NewLine, Cli.Output);
        Assert.DoesNotContain("Optional packages", Cli.Output);
        Assert.DoesNotContain("oracle-aq", Cli.Output);
    }

    [Fact]
    public async Task Doctor_gives_its_answer_when_the_container_does_not_start()
    {
        using var engine = new TcpListener(IPAddress.Loopback, 0);
        engine.Start();
        _ = FailAsync(engine);
        Cli.Variables["SERDICA_PERF_MONGODB_SOURCE"] = "containers";
        Cli.Variables["SERDICA_PERF_TEMP"] = Cli.Folder;
        Cli.Variables["DOCKER_HOST"] = $"tcp://{engine.LocalEndpoint}";

        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("doctor", "--backend", "mongodb"));

        var words = string.Join(' ', Cli.Output.Split((char[]?)null, RemoveEmptyEntries));
        Assert.Contains("Does not start Docker 28.0.0 did not start MongoDB from ", words);
        Assert.EndsWith("mongodb cannot be measured here; the lines above say what to do.", words);
    }

    [Fact]
    public async Task Doctor_gives_its_answer_when_the_temporary_folder_cannot_be_used()
    {
        var file = Path.Combine(Cli.Folder, "file");
        await File.WriteAllTextAsync(file, "", Token);
        Cli.Variables["SERDICA_PERF_TEMP"] = file;
        Cli.Variables["SERDICA_PERF_POSTGRESQL_SOURCE"] = "local";

        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("doctor", "--backend", "postgresql"));

        Assert.EndsWith($"cannot be measured here; the lines above say what to do.{Environment.NewLine}", Cli.Output);
    }

    [Fact]
    public async Task Doctor_that_is_stopped_by_the_user_says_so()
    {
        Cli.Variables["SERDICA_PERF_POSTGRESQL"] = "Host=127.0.0.1;Port=1;Username=perf;Timeout=2";

        Assert.Equal(ExitCodes.Cancelled, await Cli.RunAsync(new CancellationToken(true), "doctor", "--backend", "postgresql"));
        Assert.Equal($"Stopped by the user.{Environment.NewLine}", Cli.Error);
    }

    [Fact]
    public async Task Doctor_announces_the_server_that_it_starts_beside_its_answers()
    {
        Cli.Variables["SERDICA_PERF_POSTGRESQL_SOURCE"] = "local";

        if (await Cli.RunAsync("doctor", "--backend", "postgresql") != ExitCodes.Success)
            Cli.SkipWithoutPostgreSql(Cli.Output);

        Assert.Contains("Starting PostgreSQL ", Cli.Error);
        Assert.DoesNotContain("Starting PostgreSQL ", Cli.Output);
    }

    [Fact]
    public async Task Doctor_names_the_valid_sources_when_the_variable_holds_another()
    {
        Cli.Variables["SERDICA_PERF_POSTGRESQL_SOURCE"] = "cloud";
        Cli.Variables["SERDICA_PERF_DOCUMENTDB_SOURCE"] = "cluster";

        Assert.Equal(ExitCodes.Failed, await Cli.RunAsync("doctor"));

        Assert.Contains("external, containers, local", Cli.Output);
        Assert.Contains("'cluster'", Cli.Output);
    }

    [Fact]
    public async Task Doctor_shows_which_definitions_a_store_needs_and_what_is_parked()
    {
        var token = Token;
        await using var server = await LocalServer.StartOrSkipAsync();
        await using var backend = new PostgreSqlWorkflowBackend(
            new PostgreSqlBackendOptions { ConnectionString = server.ConnectionString, Schema = "shop" }
        );
        await backend.InitializeAsync(token);
        var retired = Workflow.Define<Order>("order").WaitFor<int>("paid", (_, _) => { }).Build();
        var present = Workflow.Define<Order>("order", version: 2).WaitFor<int>("paid", (_, _) => { }).Build();
        var renamed = Workflow.Define<Order>("order", version: 2).WaitFor<int>("settled", (_, _) => { }).Build();
        await using var client = new WorkflowClient(backend, new WorkflowRegistry([retired, present]));
        await client.StartAsync(retired, new Order(), cancellationToken: token);
        var parked = (await client.StartAsync(present, new Order(), cancellationToken: token)).Id;
        await client.SignalAsync(parked, "paid", 1, cancellationToken: token);
        await using var host = new WorkflowHost(backend, new WorkflowRegistry([renamed]));
        await host.StartAsync(token);
        await HangGuard.UntilAsync(
            async () => (await backend.TakeCensusAsync(token)).ParkedByDefinition.Count > 0,
            () => "Nothing is parked."
        );
        using var cli = DeadLettersCommandTests.For(server);

        Assert.Equal(ExitCodes.Success, await cli.RunAsync("doctor", "--store", "shop"));

        var words = string.Join(' ', cli.Output.Split((char[]?)null, RemoveEmptyEntries));
        Assert.Contains("order v1 1 open", words);
        Assert.Contains($"order v2 1 open, 1 of them parked, for instance {parked}: the definition has no step 'paid'", words);
    }

    [Fact]
    public async Task Doctor_of_a_store_names_the_variable_when_no_server_is_named()
    {
        Assert.Equal(ExitCodes.BackendUnavailable, await Cli.RunAsync("doctor", "--store", "shop"));
        Assert.Contains("SERDICA_WORKFLOW_POSTGRESQL", Cli.Error);
    }

    /// <summary>A container engine that has a version, and fails whatever else it is asked for.</summary>
    private static async Task FailAsync(TcpListener engine)
    {
        while (true)
        {
            using var connection = await engine.AcceptSocketAsync();
            var request = new byte[16_384];
            var (status, body) = Encoding.ASCII.GetString(request, 0, await connection.ReceiveAsync(request)).Contains("/version ")
                ? (200, """{ "Version": "28.0.0", "ApiVersion": "1.48", "Os": "linux" }""")
                : (500, "");
            var head = $"HTTP/1.1 {status} -\r\nContent-Length: {body.Length}\r\nConnection: close\r\n\r\n";
            await connection.SendAsync(Encoding.ASCII.GetBytes(head + body));
        }
    }

    private sealed class Order
    {
        public int Cents { get; set; }
    }
}
