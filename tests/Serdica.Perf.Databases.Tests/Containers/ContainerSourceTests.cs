using static Serdica.Perf.Databases.Tests.Containers.ProcessEngine;

namespace Serdica.Perf.Databases.Tests.Containers;

/// <summary>What the suite does with any container engine, shown on one that starts processes.</summary>
public sealed class ContainerSourceTests : IDisposable
{
    private readonly ScratchFolder _base = new();

    private DatabaseRequest Request => new() { TemporaryFolder = _base.Path };

    private DatabaseRequest InMemory => Request with { Container = new() { DataInMemory = true } };

    [Fact]
    public async Task Server_answers_is_durable_and_leaves_nothing_behind()
    {
        var engine = OrSkip(_base.Path);

        var server = await StartAsync(engine, Request);

        await LocalServer.AssertDurableAsync(server);
        Assert.Equal((DatabaseSourceKind.Containers, DurabilityClass.Durable), (server.Description.Source, server.Description.Durability));
        Assert.NotNull(server.Description.FileSystem);
        Assert.NotEmpty(await server.MeasureFlushesAsync(Token));
        Assert.NotNull(await server.ReadUsageAsync(Token));

        await server.DisposeAsync();
        await server.DisposeAsync();

        Assert.Empty(engine.Plans);
        Assert.Empty(Directory.EnumerateFileSystemEntries(_base.Path));
    }

    [Fact]
    public async Task Image_engine_and_limits_are_part_of_the_description()
    {
        var engine = OrSkip(_base.Path);
        var limits = new ContainerOptions { Image = "mine:7", Cpus = 1.5, MemoryBytes = 1L << 30 };

        await using var server = await StartAsync(engine, Request with { Container = limits });

        Assert.Equal(
            new ContainerDescription { Image = "mine:7, id stand-in", Engine = Name, Cpus = 1.5, MemoryBytes = 1L << 30 },
            server.Description.Container
        );
        Assert.Equal(("mine:7", 1.5, 1L << 30), (engine.Plans[0].Image, engine.Plans[0].Cpus, engine.Plans[0].MemoryBytes));
    }

    [Fact]
    public async Task In_memory_the_log_is_small_unless_the_user_says_otherwise()
    {
        var engine = OrSkip(_base.Path);

        await using var server = await StartAsync(engine, InMemory);
        await using var other = await StartAsync(engine, InMemory with { ServerSettings = Setting("max_wal_size", "2GB") });

        foreach (var (one, most) in new[] { (server, "1GB"), (other, "2GB") })
        {
            Assert.Equal("80MB", await LocalServer.ScalarAsync<string>(one, "show min_wal_size"));
            Assert.Equal(most, await LocalServer.ScalarAsync<string>(one, "show max_wal_size"));
        }
    }

    [Fact]
    public async Task Server_that_is_not_durable_is_refused()
    {
        var engine = OrSkip(_base.Path);
        var request = Request with { ServerSettings = Setting("fsync", "off") };

        var failure = await Assert.ThrowsAsync<DatabaseStartException>(() => StartAsync(engine, request));

        Assert.Contains("fsync = off", failure.Message);
        Assert.Empty(engine.Plans);
        Assert.Empty(Directory.EnumerateFileSystemEntries(_base.Path));
    }

    [Theory]
    [InlineData(2.0, null, "processors no limit instead of 2,")]
    [InlineData(null, 1L << 30, "bytes of memory no limit instead of 1073741824:")]
    public async Task Limits_that_the_engine_does_not_keep_are_refused(double? cpus, long? memory, string sentence)
    {
        OrSkip(_base.Path);
        var engine = new ProcessEngine(_base.Path) { Cpus = _ => null, MemoryBytes = _ => null };

        var failure = await Assert.ThrowsAsync<DatabaseStartException>(() =>
            StartAsync(engine, Request with { Container = new() { Cpus = cpus, MemoryBytes = memory } })
        );

        Assert.Contains(sentence, failure.Message, Ordinal);
        Assert.Empty(engine.Plans);
    }

    [Fact]
    public async Task Failed_start_quotes_the_log_and_keeps_it_without_the_password()
    {
        var engine = OrSkip(_base.Path);
        var request = Request with { ServerSettings = Setting("shared_preload_libraries", "no_such_library") };

        var failure = await Assert.ThrowsAsync<DatabaseStartException>(() => StartAsync(engine, request));

        var kept = Assert.Single(Directory.EnumerateFileSystemEntries(_base.Path));
        var log = await File.ReadAllTextAsync(kept, Token);
        Assert.Contains(kept, failure.Message);
        Assert.Contains("ended with exit code 1", failure.Message);
        Assert.Contains("no_such_library", failure.Message);
        Assert.Contains("no_such_library", log);
        Assert.Contains("password is ***", log);
        Assert.Empty(engine.Plans);
    }

    [Fact]
    public async Task Image_that_can_not_be_had_is_a_reason_to_skip()
    {
        var request = Request with { Container = new() { Image = MissingImage } };

        var outcome = await ProvisionAsync(new ProcessEngine(_base.Path), request, Token);

        var reason = Assert.IsType<ProvisionOutcome.Unavailable>(outcome).Reason;
        Assert.Contains(MissingImage, reason);
        Assert.Contains("no such host", reason);
        Assert.Contains("SERDICA_PERF_POSTGRESQL_IMAGE", reason);
    }

    [Fact]
    public async Task Image_that_can_not_be_had_is_passed_over_by_who_asked_for_no_source()
    {
        var engine = OrSkip(_base.Path);
        var flavour = new StandardPostgreSql();
        var sources = new DatabaseSources("postgresql", "PostgreSQL", Source(_ => engine, Found()), new LocalPostgreSql(flavour));

        var outcome = await sources.ProvisionAsync(
            Request with { Container = new() { Image = MissingImage } },
            NullLogger.Instance,
            Token
        );

        await using var server = Assert.IsType<ProvisionOutcome.Provisioned>(outcome).Server;
        Assert.Equal(DatabaseSourceKind.Local, server.Description.Source);
    }

    [Fact]
    public async Task Kept_server_is_used_again_by_who_asks_for_the_same_and_by_nobody_else()
    {
        var engine = OrSkip(_base.Path);
        var keep = Request with { Container = new() { Keep = true } };
        string connectionString;

        await using (var first = await StartAsync(engine, keep))
        {
            connectionString = first.ConnectionString;
            await LocalServer.ScalarAsync<int>(first, "create table still_there (); select 1");
            Assert.False(first.Description.Container!.IsReused);
        }

        // Nor does a start that fails remove it.
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => ProvisionAsync(engine, keep, new(canceled: true)));
        Assert.Empty(engine.Removed);

        await using (var second = await StartAsync(engine, keep))
        {
            Assert.Equal(connectionString, second.ConnectionString);
            Assert.True(second.Description.Container!.IsReused);
            Assert.Equal(
                "still_there",
                await LocalServer.ScalarAsync<string>(second, "select relname::text from pg_class where relname = 'still_there'")
            );
        }

        foreach (
            var options in new[]
            {
                keep.Container with { MemoryBytes = 1L << 30 },
                keep.Container with { Cpus = 1 },
                keep.Container with { Image = "mine:7" },
            }
        )
        {
            await using var other = await StartAsync(engine, keep with { Container = options });
            Assert.NotEqual(connectionString, other.ConnectionString);
        }

        foreach (var left in await engine.ListAsync(Token))
            await engine.RemoveAsync(left.Id, left.Labels, Token);
    }

    [Fact]
    public async Task What_a_dead_process_has_left_is_removed_and_what_a_living_one_has_is_not()
    {
        var engine = OrSkip(_base.Path);
        var dead = ClusterOwner.ThisProcess with { ProcessId = int.MaxValue };
        var elsewhere = dead with { Place = Environment.MachineName };
        engine.Others.AddRange([Owned("living", ClusterOwner.ThisProcess), Owned("dead", dead), Owned("elsewhere", elsewhere)]);

        await using var server = await StartAsync(engine, Request);

        Assert.Equal(["dead"], engine.Removed);
    }

    [Fact]
    public async Task Cancelled_start_leaves_nothing_behind()
    {
        var engine = OrSkip(_base.Path);
        using var cancelled = new CancellationTokenSource();
        var start = ProvisionAsync(engine, Request, cancelled.Token);
        await HangGuard.UntilAsync(() => start.IsCompleted || engine.Plans.Count > 0, () => "Nothing was started");

        await cancelled.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => start);
        Assert.Empty(engine.Plans);
        Assert.Empty(Directory.EnumerateFileSystemEntries(_base.Path));
    }

    [Fact]
    public async Task Without_an_engine_one_sentence_says_so_and_the_order_goes_on()
    {
        const string Problem = "No container engine answers at unix:///nowhere: start Docker.";
        var withoutEngine = Source(_ => new ProcessEngine(_base.Path), null, Problem);

        Assert.False(await withoutEngine.IsCandidateAsync(Request, Token));
        Assert.Equal(Problem, await ReasonAsync(withoutEngine));
        Assert.Equal(new SourceFinding(DatabaseSourceKind.Containers, false, Problem), await withoutEngine.InspectAsync(Request, Token));
    }

    [Fact]
    public async Task Database_whose_data_can_not_lie_in_memory_is_not_started_without_them() =>
        Assert.Contains("cannot be in memory", await RefusalAsync(new OracleModule(), InMemory));

    [Fact]
    public async Task Settings_that_the_image_does_not_take_are_not_dropped()
    {
        var request = Request with { ServerSettings = Setting("shared_buffers", "2GB") };

        Assert.Equal(
            "SERDICA_PERF_DOCUMENTDB_SETTINGS sets shared_buffers, and the image of DocumentDB takes no settings: unset it, or set "
                + "SERDICA_PERF_DOCUMENTDB_SOURCE to local.",
            await RefusalAsync(new DocumentDbModule(new DocumentDb()), request)
        );
    }

    [Theory]
    [InlineData(0)]
    [InlineData(2)]
    public async Task Server_whose_container_ran_out_of_memory_says_so_at_its_end(int killed)
    {
        var engine = OrSkip(_base.Path);
        var log = new LogList<object>();
        var outcome = await Source(_ => engine, Found())
            .ProvisionAsync(Request with { Container = new() { MemoryBytes = 512L << 20 } }, log, Token);

        engine.Started[0].Killed = killed;
        await Assert.IsType<ProvisionOutcome.Provisioned>(outcome).Server.DisposeAsync();

        Assert.Equal(killed > 0, log.Lines.Any(message => message.StartsWith("The container of PostgreSQL ran out of its 512 MiB")));
    }

    public void Dispose()
    {
        NpgsqlConnection.ClearAllPools();
        _base.Dispose();
    }

    private static Dictionary<string, string> Setting(string name, string value) => new() { [name] = value };

    private static FoundContainer Owned(string id, ClusterOwner owner) =>
        new(id, new Dictionary<string, string> { [ContainerLabels.Owner] = owner.ToString() }, new Dictionary<string, string>());

    private static Task<ProvisionOutcome> ProvisionAsync(
        ProcessEngine engine,
        DatabaseRequest request,
        CancellationToken cancellationToken
    ) => Source(_ => engine, Found()).ProvisionAsync(request, NullLogger.Instance, cancellationToken);

    private static async Task<DatabaseServer> StartAsync(ProcessEngine engine, DatabaseRequest request) =>
        Assert.IsType<ProvisionOutcome.Provisioned>(await ProvisionAsync(engine, request, Token)).Server;

    private Task<string> RefusalAsync(ContainerModule module, DatabaseRequest request) =>
        ReasonAsync(
            new(module, _ => new ProcessEngine(_base.Path), (_, _) => Task.FromResult(((FoundEngine?)Found(), (string?)null))),
            request
        );

    private async Task<string> ReasonAsync(ContainerSource source, DatabaseRequest? request = null) =>
        Assert
            .IsType<ProvisionOutcome.Unavailable>(await source.ProvisionAsync(request ?? Request, NullLogger.Instance, Token))
            .Reason;
}
