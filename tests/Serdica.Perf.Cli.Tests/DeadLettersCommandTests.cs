using Serdica.Perf.Compliance;

namespace Serdica.Perf.Cli.Tests;

public sealed class DeadLettersCommandTests : CliTests
{
    private const string Store = "shop";

    [Fact]
    public async Task A_dead_letter_is_listed_made_due_again_and_gone()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        await using var backend = Backend(server);
        using var cli = For(server);
        await KillAsync(backend, 1, isOpen: true);

        Assert.Equal(ExitCodes.Success, await cli.RunAsync("dead-letters", "list", "--store", Store, "--json"));
        using var listed = JsonDocument.Parse(cli.Output);
        var letter = Assert.Single(listed.Items("letters"));
        Assert.Equal(JsonValueKind.Null, listed.RootElement.GetProperty("next").ValueKind);
        Assert.Equal(("paid", "attemptsExhausted"), (letter.Text("name"), letter.Text("reason")));
        Assert.Contains("no such coin", letter.Text("detail"));

        // A host that waits hears of it. Its first wait ends when it listens, since what came before is lost.
        await using var waiting = Backend(server);
        await waiting.WaitForWorkAsync(HangGuard.Limit, Token);
        var heard = waiting.WaitForWorkAsync(FromHours(1), Token);
        Assert.Equal(
            ExitCodes.Failed,
            await cli.RunAsync(
                "dead-letters",
                "requeue",
                letter.Text("signal")!,
                letter.Text("signal")!,
                Guid.NewGuid().ToString(),
                "--store",
                Store
            )
        );
        await heard.WaitAsync(HangGuard.Limit, Token);
        Assert.Equal(ExitCodes.Success, await cli.RunAsync("dead-letters", "list", "--store", Store));
        Assert.Equal(ExitCodes.Success, await cli.RunAsync("dead-letters", "requeue", "--all", "--store", Store));

        Assert.Contains("Requeued 1 of 2 dead letters. The other is unknown, or its instance is closed.", cli.Output);
        Assert.Contains("0 dead letters.", cli.Output);
        Assert.Contains("Requeued 0 of 0 dead letters.", cli.Output);
        Assert.Equal(1, (await backend.TakeCensusAsync(Token)).SignalsDue);
    }

    [Fact]
    public async Task Those_that_can_be_requeued_come_first_and_the_rest_by_pages()
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        await using var backend = Backend(server);
        using var cli = For(server);
        await KillAsync(backend, 3, isOpen: false);
        await KillAsync(backend, 2, isOpen: true);
        var instances = (await backend.ListDeadLettersAsync(new DeadLetterQuery { InstanceIsOpen = true }, Token))
            .Select(letter => letter.Signal.InstanceId)
            .ToHashSet();

        var listed = new List<bool>();
        for (string? after = ""; after is not null;)
        {
            using var page = For(server);
            string[] more = after.Length > 0 ? ["--after", after] : [];
            Assert.Equal(ExitCodes.Success, await page.RunAsync(["dead-letters", "list", "--store", Store, "--limit", "2", .. more]));
            var lines = page.Output.Split('\n', RemoveEmptyEntries | TrimEntries);
            listed.AddRange(lines[..^1].Select(line => instances.Any(id => line.Contains(id.ToString()))));
            after = lines[^1].Split("--after ") is [_, var place] ? place : null;
        }

        Assert.Equal([true, true, false, false, false], listed);
        using var json = For(server);
        Assert.Equal(ExitCodes.Success, await json.RunAsync("dead-letters", "list", "--store", Store, "--limit", "1", "--json"));
        using var first = JsonDocument.Parse(json.Output);
        Assert.Equal(1, first.RootElement.GetProperty("letters").GetArrayLength());
        Assert.StartsWith("o/", first.RootElement.Text("next"));
        Assert.Equal(
            ExitCodes.Success,
            await cli.RunAsync("dead-letters", "list", "--store", Store, "--open", "--reason", "attemptsExhausted")
        );
        Assert.Contains("2 dead letters.", cli.Output);
        string[][] filters = [["--definition", "x"], ["--name", "x"], ["--reason", "refused"], ["--instance", $"{Guid.NewGuid()}"]];
        foreach (var filter in filters)
        {
            using var none = For(server);
            Assert.Equal(ExitCodes.Success, await none.RunAsync(["dead-letters", "list", "--store", Store, .. filter]));
            Assert.StartsWith("0 dead letters.", none.Output);
        }

        Assert.Equal(ExitCodes.Success, await cli.RunAsync("dead-letters", "requeue", "--all", "--store", Store));
        Assert.Contains("Requeued 2 of 2 dead letters.", cli.Output);
    }

    [Fact]
    public async Task Letters_that_die_again_are_requeued_once()
    {
        var inner = new InMemoryWorkflowBackend();
        await using var backend = new DiesAgain(inner);
        await KillAsync(inner, 3, isOpen: true);

        Assert.Equal((3, 3), await DeadLettersCommand.RequeueAllAsync(backend, page: 1, Token));
        Assert.Equal(3, (await inner.TakeCensusAsync(Token)).DeadLetters);
    }

    [Theory]
    [InlineData("--reason", "boredom")]
    [InlineData("--instance", "number one")]
    [InlineData("--after", "o/yesterday/this")]
    public async Task A_filter_that_makes_no_sense_is_named(string option, string value)
    {
        Cli.Variables["SERDICA_WORKFLOW_POSTGRESQL"] = "Host=nowhere.invalid";

        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("dead-letters", "list", option, value));
        Assert.Contains($"'{value}'", Cli.Error);
    }

    [Theory]
    [InlineData("dead letters", "dead-letters", "list")]
    [InlineData("instances", "doctor")]
    public async Task An_application_that_is_not_there_is_told_so(string what, params string[] command)
    {
        await using var server = await LocalServer.StartOrSkipAsync();
        using var cli = For(server);

        Assert.Equal(ExitCodes.Failed, await cli.RunAsync([.. command, "--store", "nowhere"]));
        Assert.Equal($"The {what} of 'nowhere' on postgresql cannot be reached: there is no such store. Check --store.\n", cli.Error);
    }

    [Fact]
    public async Task Without_a_server_the_variable_is_named()
    {
        Assert.Equal(ExitCodes.BackendUnavailable, await Cli.RunAsync("dead-letters", "list"));
        Assert.Contains("SERDICA_WORKFLOW_POSTGRESQL", Cli.Error);
    }

    /// <summary>In a shell with an application's server in it nothing may be measured there, and the reverse.</summary>
    [Fact]
    public async Task The_variable_of_the_measured_server_is_not_used()
    {
        Cli.Variables["SERDICA_PERF_POSTGRESQL"] = "Host=127.0.0.1;Port=1;Timeout=1";

        Assert.Equal(ExitCodes.BackendUnavailable, await Cli.RunAsync("dead-letters", "list"));
        Assert.Contains("SERDICA_WORKFLOW_POSTGRESQL", Cli.Error);
    }

    /// <summary>It goes into statements as it is, and a pattern that ends with $ takes a line feed behind it.</summary>
    [Theory]
    [InlineData("postgresql")]
    [InlineData("documentdb")]
    public async Task A_name_with_a_line_feed_behind_it_is_refused(string backend)
    {
        Cli.Variables[DatabaseEnvironment.ApplicationVariable(backend)] = "Host=127.0.0.1;Port=1;Timeout=1";

        Assert.Equal(ExitCodes.Usage, await Cli.RunAsync("dead-letters", "list", "--backend", backend, "--store", "shop\n"));
        Assert.Contains("not usable", Cli.Error);
    }

    private static PostgreSqlWorkflowBackend Backend(DatabaseServer server) =>
        new(new PostgreSqlBackendOptions { ConnectionString = server.ConnectionString, Schema = Store, SubmitTimeout = HangGuard.Limit });

    internal static Cli For(DatabaseServer server)
    {
        var cli = new Cli();
        cli.Variables["SERDICA_WORKFLOW_POSTGRESQL"] = server.ConnectionString;
        return cli;
    }

    /// <summary>Instances with a dead letter each; they are cancelled afterwards, or stay open.</summary>
    internal static async Task KillAsync(IWorkflowBackend backend, int count, bool isOpen)
    {
        await using var host = await StartHostAsync(backend);
        var before = (await backend.TakeCensusAsync(Token)).DeadLetters;
        var orders = new List<Guid>();
        for (var i = 0; i < count; i++)
        {
            orders.Add((await host.Client.StartAsync("order", new Order(), cancellationToken: Token)).Id);
            await host.Client.SignalAsync(orders[^1], "paid", 1, cancellationToken: Token);
        }

        await AreDeadAsync(backend, before + count);
        foreach (var id in isOpen ? [] : orders)
        {
            await host.Client.CancelAsync(id, "Closed.", Token);
            await host.Client.WaitForCloseAsync(id, Token);
        }

        await host.StopAsync(Token);
    }

    private static Task AreDeadAsync(IWorkflowBackend backend, long letters) =>
        HangGuard.UntilAsync(
            async () => (await backend.TakeCensusAsync(Token)).DeadLetters >= letters,
            () => $"There are no {letters} dead letters."
        );

    private static async Task<WorkflowHost> StartHostAsync(IWorkflowBackend backend)
    {
        var definition = Workflow
            .Define<Order>("order")
            .WaitFor<int>("paid", (_, _) => throw new InvalidOperationException("no such coin"))
            .Build();
        await backend.InitializeAsync(Token);
        var host = new WorkflowHost(
            backend,
            new WorkflowRegistry([definition]),
            new WorkflowOptions { SignalRetry = new RetryPolicy { MaxAttempts = 1 } }
        );
        await host.StartAsync(Token);
        return host;
    }

    /// <summary>What is requeued has died again before the caller goes on.</summary>
    private sealed class DiesAgain(IWorkflowBackend inner) : BackendDecorator(inner)
    {
        private int _left = 10;

        public override async Task<int> RequeueDeadLettersAsync(IReadOnlyList<Guid> signalIds, CancellationToken cancellationToken)
        {
            Assert.True(_left-- > 0);
            var before = (await TakeCensusAsync(cancellationToken)).DeadLetters;
            var due = await base.RequeueDeadLettersAsync(signalIds, cancellationToken);
            await using var host = await StartHostAsync(this);
            await AreDeadAsync(this, before);
            await host.StopAsync(cancellationToken);
            return due;
        }
    }

    private sealed class Order
    {
        public int Cents { get; set; }
    }
}
