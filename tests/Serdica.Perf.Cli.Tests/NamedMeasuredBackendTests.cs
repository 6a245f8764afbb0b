namespace Serdica.Perf.Cli.Tests;

/// <summary>A container that was started for a product's driver is stopped whenever the connection to it comes to nothing.</summary>
public sealed class NamedMeasuredBackendTests
{
    [Fact]
    public async Task A_cancelled_connection_stops_the_container_that_was_started_for_it()
    {
        var container = new FakeServer();

        await Assert.ThrowsAsync<OperationCanceledException>(() => ProvideAsync(container, _ => throw new OperationCanceledException()));

        Assert.True(container.IsStopped);
    }

    [Fact]
    public async Task A_server_that_cannot_be_used_is_stopped_and_the_reason_has_the_advice_of_its_product()
    {
        var (failing, refused) = (new FakeServer(), new FakeServer());

        var failed = await ProvideAsync(failing, _ => throw new WorkflowBackendException("It does not answer.", isTransient: false));
        var unusable = await ProvideAsync(refused, _ => new BackendProvision.Unavailable("It is standalone."));

        Assert.Equal("It does not answer. Ask the doctor.", Assert.IsType<BackendProvision.Unavailable>(failed).Reason);
        Assert.Equal("It is standalone.", Assert.IsType<BackendProvision.Unavailable>(unusable).Reason);
        Assert.True(failing.IsStopped);
        Assert.True(refused.IsStopped);
    }

    [Fact]
    public async Task A_server_that_is_measured_runs_until_its_backend_is_disposed()
    {
        var container = new FakeServer();

        var provided = Assert.IsType<BackendProvision.Provided>(await ProvideAsync(container, server => new BackendProvision.Provided(
                new NamedMeasuredBackend(
                    server,
                    new()
                    {
                        Backend = "product",
                        Product = "Product",
                        Source = server.Source,
                    },
                    _ => Task.FromResult<IScenarioStore>(new InMemoryStore())
                )
            )));

        Assert.False(container.IsStopped);
        Assert.Equal("containers", provided.Backend.Description.Source);
        await provided.Backend.DisposeAsync();
        Assert.True(container.IsStopped);
    }

    [Theory]
    [InlineData("", Durability.Unknown)]
    [InlineData("commit_wait=NOWAIT", Durability.Unknown)]
    [InlineData("processes=320", Durability.Durable)]
    [InlineData("processes=320 commit_wait=FORCE_WAIT commit_logging=IMMEDIATE", Durability.Durable)]
    [InlineData("processes=320 commit_wait=NOWAIT", Durability.LossOnCrash)]
    [InlineData("processes=320 commit_logging=BATCH", Durability.LossOnCrash)]
    [InlineData("processes=320 commit_wait=nowait", Durability.LossOnCrash)]
    [InlineData("processes=320 commit_logging=batch", Durability.LossOnCrash)]
    public void Commits_of_Oracle_are_as_durable_as_its_parameters_say(string settings, Durability durability) =>
        Assert.Equal(
            durability,
            MeasuredOracle.DurabilityOf(
                settings
                    .Split(' ', RemoveEmptyEntries)
                    .ToDictionary(setting => setting.Split('=')[0], setting => setting.Split('=')[1])
            )
        );

    [Theory]
    [InlineData(null, null, Durability.Unknown)]
    [InlineData(false, null, Durability.NotDurable)]
    [InlineData(false, DurabilityClass.Durable, Durability.NotDurable)]
    [InlineData(true, null, Durability.Durable)]
    [InlineData(true, DurabilityClass.Durable, Durability.Durable)]
    [InlineData(true, DurabilityClass.NotDurable, Durability.NotDurable)]
    public void Commits_of_MongoDB_are_as_durable_as_the_place_of_its_journal(bool? isPersistent, object? container, Durability durability)
    {
        var server = new MongoDbServerDescription("MongoDB", "8.0", true, false, isPersistent, new Dictionary<string, string>());

        Assert.Equal(
            durability,
            MeasuredMongoDb.DurabilityOf(server, container is DurabilityClass of ? new FakeServer { Durability = of } : null)
        );
    }

    private static Task<BackendProvision> ProvideAsync(FakeServer container, Func<NamedServer, BackendProvision> connect)
    {
        var search = new ServerSearch("Product", DatabaseEnvironment.MongoDb, "No server is named.", (_, _, _) =>
            Task.FromResult<ProvisionOutcome>(new ProvisionOutcome.Provisioned(container))
        )
        {
            Advice = " Ask the doctor.",
        };
        return NamedMeasuredBackend.ProvideAsync(
            search,
            new() { Source = DatabaseSourceKind.Containers },
            NullLogger.Instance,
            (server, _) => Task.FromResult(connect(server)),
            Token
        );
    }
}
