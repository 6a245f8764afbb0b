using Microsoft.Extensions.Logging;

namespace Serdica.Perf.Databases.Tests.Containers;

/// <summary>The adapter on a real engine; skipped with a sentence where there is none.</summary>
public sealed class RealEngineTests : IDisposable
{
    private readonly ScratchFolder _base = new();

    [Fact]
    public async Task Server_is_durable_within_its_limits_counts_what_it_uses_and_is_removed()
    {
        var server = await StartOrSkipAsync(new ContainerOptions { Cpus = 1, MemoryBytes = 768L << 20 });
        var before = await server.ReadUsageAsync(Token);
        await LocalServer.ScalarAsync<long>(server, "select count(md5(n::text)) from generate_series(1, 300000) as n");
        var after = await server.ReadUsageAsync(Token);

        Assert.Equal(DurabilityClass.Durable, server.Description.Durability);
        Assert.Equal("on", await LocalServer.ScalarAsync<string>(server, "show fsync"));
        Assert.Equal((1.0, 768L << 20), (server.Description.Container!.Cpus, server.Description.Container.MemoryBytes));
        Assert.True(after!.Processor > before!.Processor, $"{after.Processor} is not more than {before.Processor}.");
        Assert.InRange(after.MemoryBytes!.Value, 1L << 20, 768L << 20);
        Assert.NotEmpty(await server.MeasureFlushesAsync(Token));

        await server.DisposeAsync();

        Assert.DoesNotContain(await ListAsync(), IsOfThisProcess);
    }

    [Fact]
    public async Task Server_has_its_data_after_a_kill_and_is_removed_while_it_is_paused()
    {
        var server = (ContainerServer)await StartOrSkipAsync(new ContainerOptions());
        var (container, token) = (server.Container, Token);
        await LocalServer.ScalarAsync<int>(server, "create table still_there (); select 1");
        var before = await container.InspectAsync(token);
        await container.SignalAsync("SIGKILL", token);
        ContainerState ended;
        do ended = await container.InspectAsync(token);
        while (ended.IsRunning);
        await server.StartAgainAsync(token);

        Assert.Equal(137, ended.ExitCode);
        Assert.True((await container.InspectAsync(token)).StartedAt > before.StartedAt);
        await LocalServer.ScalarAsync<long>(server, "select count(*) from still_there");
        await container.SetPausedAsync(true, token);
        Assert.True((await container.InspectAsync(token)).IsPaused);
        await server.DisposeAsync();

        Assert.DoesNotContain(await ListAsync(), IsOfThisProcess);
    }

    [Fact]
    public async Task Failed_start_quotes_the_log_and_is_removed()
    {
        var failure = await Assert.ThrowsAsync<DatabaseStartException>(() =>
            StartOrSkipAsync(new ContainerOptions(), new Dictionary<string, string> { ["shared_preload_libraries"] = "no_such_library" })
        );

        Assert.Contains("no_such_library", failure.Message);
        Assert.Single(Directory.EnumerateFiles(_base.Path, "*.log"));
        Assert.DoesNotContain(await ListAsync(), IsOfThisProcess);
    }

    [Fact]
    public async Task Kept_server_is_used_again_with_its_data()
    {
        var options = new ContainerOptions { Keep = true, MemoryBytes = 700L << 20 };
        string connectionString;

        await using (var first = await StartOrSkipAsync(options))
        {
            connectionString = first.ConnectionString;
            await LocalServer.ScalarAsync<int>(first, "create table still_there (); select 1");
        }

        await using (var second = await StartOrSkipAsync(options))
        {
            Assert.True(second.Description.Container!.IsReused);
            Assert.Equal(connectionString, second.ConnectionString);
            Assert.Equal(
                "still_there",
                await LocalServer.ScalarAsync<string>(second, "select relname::text from pg_class where relname = 'still_there'")
            );
        }

        using var engine = await EngineAsync();

        var kept = (await ListAsync()).Single(container =>
            container.Environment.TryGetValue("POSTGRES_PASSWORD", out var password) && connectionString.Contains(password)
        );
        await engine.RemoveAsync(kept.Id, kept.Labels, Token);
    }

    [Fact]
    public async Task Data_in_memory_are_labelled_as_not_durable()
    {
        await using var server = await StartOrSkipAsync(new ContainerOptions { DataInMemory = true });

        Assert.Equal(("tmpfs", DurabilityClass.NotDurable), (server.Description.FileSystem, server.Description.Durability));
    }

    [Fact]
    public async Task Container_that_ran_out_of_memory_is_told()
    {
        var log = new LogList<object>();
        var server = await StartOrSkipAsync(new ContainerOptions { DataInMemory = true, MemoryBytes = 512L << 20 }, log: log);

        await Assert.ThrowsAnyAsync<NpgsqlException>(() =>
            LocalServer.ScalarAsync<int>(
                server,
                "create table filling as select repeat(md5(n::text), 60) from generate_series(1, 1000000) as n; select 1"
            )
        );
        await server.DisposeAsync();

        Assert.Contains(log.Lines, message => message.StartsWith("The container of PostgreSQL ran out of its 512 MiB"));
    }

    [Fact]
    public async Task Image_that_cannot_be_pulled_is_a_reason_to_skip()
    {
        await EngineAsync();

        var outcome = await ProvisionAsync(new ContainerOptions { Image = "registry.invalid/nowhere:1" });

        Assert.Contains("is not on this machine and cannot be pulled", Assert.IsType<ProvisionOutcome.Unavailable>(outcome).Reason);
    }

    public void Dispose()
    {
        Npgsql.NpgsqlConnection.ClearAllPools();
        _base.Dispose();
    }

    private static bool IsOfThisProcess(FoundContainer container) =>
        container.Labels.GetValueOrDefault(ContainerLabels.Owner) == Local.ClusterOwner.ThisProcess.ToString();

    private static async Task<IContainerEngine> EngineAsync()
    {
        var (engine, problem) = await EngineProbe.FindAsync(Options(new ContainerOptions()), Token);
        Assert.SkipWhen(engine is null, problem ?? "");
        return new TestcontainersEngine(engine);
    }

    private static async Task<IReadOnlyList<FoundContainer>> ListAsync()
    {
        using var engine = await EngineAsync();
        return await engine.ListAsync(Token);
    }

    /// <summary>With the image and the engine that the environment names.</summary>
    private static ContainerOptions Options(ContainerOptions options)
    {
        Assert.True(DatabaseEnvironment.Current.TryReadRequest(DatabaseEnvironment.PostgreSql, out var request, out var problem), problem);
        return options with
        {
            Image = options.Image ?? request.Container.Image,
            Engine = request.Container.Engine,
            Host = request.Container.Host,
        };
    }

    private async Task<DatabaseServer> StartOrSkipAsync(
        ContainerOptions options,
        Dictionary<string, string>? settings = null,
        ILogger? log = null
    )
    {
        await EngineAsync();
        var outcome = await ProvisionAsync(options, settings, log);

        if (outcome is ProvisionOutcome.Unavailable(var reason))
            Assert.Skip(reason);

        return ((ProvisionOutcome.Provisioned)outcome).Server;
    }

    private Task<ProvisionOutcome> ProvisionAsync(
        ContainerOptions options,
        Dictionary<string, string>? settings = null,
        ILogger? log = null
    ) =>
        DatabaseSources.Of("postgresql").ProvisionAsync(
            new DatabaseRequest
            {
                Source = DatabaseSourceKind.Containers,
                TemporaryFolder = _base.Path,
                ServerSettings = settings ?? [],
                Container = Options(options),
            },
            log ?? NullLogger.Instance,
            Token
        );
}
