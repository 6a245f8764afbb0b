namespace Serdica.Perf.Databases.Tests.Containers;

/// <summary>A cluster in containers, on an engine that starts processes. Where Citus is not installed, its nodes are PostgreSQL.</summary>
public sealed class ContainerCitusTests : IDisposable
{
    private const string OutOfReach =
        "Citus in containers needs a container engine on this Linux machine, without a virtual machine between: install the extension, or "
        + "set SERDICA_PERF_CITUS to the connection string of a coordinator.";

    private static readonly Citus Citus = new();

    private readonly ScratchFolder _base = new();
    private readonly LogList<object> _log = new();

    [Fact]
    public async Task Cluster_has_two_workers_and_the_figures_of_all_nodes()
    {
        var engine = ProcessEngine.OrSkip(_base.Path, Citus);

        var server = Assert.IsType<ProvisionOutcome.Provisioned>(await ProvisionAsync(engine, node: new CitusModule(Citus))).Server;

        Assert.Equal(2L, await LocalServer.ScalarAsync<long>(server, "select count(*) from citus_get_active_worker_nodes()"));
        var cluster = server.Description;
        Assert.Equal((DatabaseSourceKind.Containers, DurabilityClass.Durable), (cluster.Source, cluster.Durability));
        Assert.Equal((1.0, 1L << 30), (cluster.Container!.Cpus, cluster.Container.MemoryBytes));
        Assert.True((await server.ReadUsageAsync(Token))!.Processor > (await server.Nodes[0].ReadUsageAsync(Token))!.Processor);
        Assert.NotEmpty(await server.MeasureFlushesAsync(Token));

        await server.DisposeAsync();

        AssertNothingIsLeft(engine);
    }

    [Fact]
    public async Task Nodes_share_a_network_and_only_their_variables_have_passwords()
    {
        var engine = ProcessEngine.OrSkip(_base.Path);

        var failure = await Assert.ThrowsAsync<DatabaseStartException>(() => ProvisionAsync(engine));

        Assert.Contains("did not become a cluster", failure.Message);
        Assert.Equal(3, engine.Asked.Count);
        EachItem.Holds(engine.Asked, plan =>
        {
            Assert.Equal(("citusdata/citus:13.2.0", 1.0, 1L << 30), (plan.Image, plan.Cpus, plan.MemoryBytes));
            Assert.Equal(engine.Asked[0].Network, plan.Network);
            Assert.Equal(ClusterOwner.ThisProcess.ToString(), plan.Labels[ContainerLabels.Owner]);
            Assert.Equal(plan.Network, plan.Labels[ContainerLabels.Network]);
            var password = plan.Environment["PGPASSWORD"];
            Assert.Equal(plan.Environment["POSTGRES_PASSWORD"], password);
            EachItem.Holds(
                [.. plan.Command, .. plan.Labels.Values, .. _log.Lines, failure.Message],
                text => Assert.DoesNotContain(password, text)
            );
        });
        AssertNothingIsLeft(engine);
    }

    [Fact]
    public async Task Nodes_that_were_started_are_removed_when_the_third_is_not()
    {
        ProcessEngine.OrSkip(_base.Path);
        var engine = new ProcessEngine(_base.Path) { Refuses = 3 };

        var failure = await Assert.ThrowsAsync<DatabaseStartException>(() => ProvisionAsync(engine));

        Assert.Contains("no room", failure.Message);
        Assert.Equal(2, engine.Removed.Count);
        AssertNothingIsLeft(engine);
    }

    /// <summary>As behind the virtual machine of Docker Desktop, whose socket is on this machine.</summary>
    [Fact]
    public async Task Addresses_that_are_out_of_reach_are_a_reason_to_skip()
    {
        ProcessEngine.OrSkip(_base.Path);
        var engine = new ProcessEngine(_base.Path) { Host = "255.255.255.255" };

        Assert.Equal(new ProvisionOutcome.Unavailable(OutOfReach), await ProvisionAsync(engine));

        Assert.Single(engine.Removed);
        AssertNothingIsLeft(engine);
    }

    [Theory]
    [InlineData("tcp://engine.test:2375", false, OutOfReach)]
    [InlineData("unix:///stand-in", true, "Citus in containers is not kept: leave --keep-database out.")]
    public async Task Engine_is_not_asked_for_what_cannot_be(string address, bool keep, string reason)
    {
        var engine = new ProcessEngine(_base.Path);

        Assert.Equal(new ProvisionOutcome.Unavailable(reason), await ProvisionAsync(engine, address, keep: keep));

        Assert.Empty(engine.Asked);
    }

    public void Dispose()
    {
        NpgsqlConnection.ClearAllPools();
        _base.Dispose();
    }

    private Task<ProvisionOutcome> ProvisionAsync(
        ProcessEngine engine,
        string address = "unix:///stand-in",
        ContainerModule? node = null,
        bool keep = false
    )
    {
        var found = ProcessEngine.Found() with { Endpoint = EngineEndpoint.Of(new() { Engine = address }).Endpoint! };
        return new ContainerCitus(
            Citus,
            node ?? new CitusModule(new StandardPostgreSql()),
            _ => engine,
            (_, _) => Task.FromResult(((FoundEngine?)found, (string?)null))
        ).ProvisionAsync(
            new() { TemporaryFolder = _base.Path, Container = new() { Cpus = 1, MemoryBytes = 1L << 30, Keep = keep } },
            _log,
            Token
        );
    }

    private void AssertNothingIsLeft(ProcessEngine engine)
    {
        Assert.Empty(engine.Plans);
        Assert.Empty(engine.Networks);
        Assert.DoesNotContain(Directory.EnumerateFileSystemEntries(_base.Path), Directory.Exists);
    }
}
