namespace Serdica.Perf.Databases.Tests.Containers;

public sealed class ContainerModuleTests
{
    private const string Compose = "eng/compose.yaml";

    private static readonly ContainerModule[] Modules =
    [
        new PostgreSqlModule(new StandardPostgreSql()),
        new DocumentDbModule(new DocumentDb()),
        new MongoDbModule(),
        new OracleModule(),
        new CitusModule(new Citus()),
    ];

    [Fact]
    public void Password_is_in_its_variable_and_in_the_connection_string_and_in_no_argument() => Assert.All(Modules, module =>
        {
            Assert.Equal("s3cret", module.Variables("s3cret")[module.PasswordVariable]);
            Assert.Contains("s3cret", module.ConnectionString("127.0.0.1", 4711, "s3cret"));
            Assert.Contains("4711", module.ConnectionString("127.0.0.1", 4711, "s3cret"));
            Assert.DoesNotContain(module.Command(new Dictionary<string, string>()), argument => argument.Contains("s3cret"));
        });

    [Fact]
    public void PostgreSql_and_Citus_are_started_with_every_durable_setting_named() => Assert.All([Modules[0], Modules[4]], module =>
        {
            var command = string.Join(' ', module.Command(new Dictionary<string, string>()));
            Assert.All(DurableSettings.Required, setting => Assert.Contains($"-c {setting.Key}={setting.Value}", command));
        });

    [Fact]
    public void Citus_loads_its_library_first_and_can_prepare_a_transaction_for_every_session() => Assert.All(
        ["shared_preload_libraries=citus,pg_stat_statements", "wal_level=logical", "max_connections=300", "max_prepared_transactions=300"],
        setting => Assert.Contains(setting, Modules[4].Command(new Dictionary<string, string>()))
    );

    [Fact]
    public void MongoDb_is_durable_when_majority_and_journal_are()
    {
        const string Answer =
            """{"version":"8.0.4","storageEngine":"wiredTiger","persistent":"true","""
            + """ "defaultWriteConcern":"majority","majorityWritesJournal":"true"}""";

        var durable = MongoDbModule.Read(Answer, "ext4");

        Assert.Equal(("8.0.4", DurabilityClass.Durable), (durable.Version, durable.Durability));
        Assert.Equal(["storageEngine", "defaultWriteConcern", "majorityWritesJournal"], durable.DurabilitySettings.Keys);
        Assert.Equal(DurabilityClass.NotDurable, MongoDbModule.Read(Answer, "tmpfs").Durability);
        foreach (var held in new[] { "Concern\":\"majority", "persistent\":\"true", "Journal\":\"true" })
            Assert.Equal(DurabilityClass.NotDurable, MongoDbModule.Read(Answer.Replace(held, $"{held}-not", Ordinal), "ext4").Durability);
    }

    [Fact]
    public void Oracle_is_durable_unless_a_setting_says_otherwise()
    {
        const string AsShipped = "version=23.26.0.0.0\ncommit_logging=\ncommit_wait=\n";

        var durable = OracleModule.Read(AsShipped, "ext4");

        Assert.Equal(("23.26.0.0.0", DurabilityClass.Durable), (durable.Version, durable.Durability));
        foreach (var setting in new[] { "commit_wait=NOWAIT", "commit_logging=BATCH" })
            Assert.Equal(DurabilityClass.LossOnCrash, OracleModule.Read($"version=23\n{setting}\n", "ext4").Durability);
        Assert.Equal(DurabilityClass.NotDurable, OracleModule.Read(AsShipped, "tmpfs").Durability);
    }

    [Fact]
    public void Oracle_grants_what_its_first_run_asks_for_and_the_right_to_ask_last()
    {
        var grants = Assert.Single(new OracleModule().Files("s3cret")).Content.TrimEnd();

        Assert.Contains("grant execute on sys.dbms_aq to serdica;", grants);
        Assert.Contains("grant execute on sys.dbms_aqadm to serdica;", grants);
        Assert.EndsWith("grant select_catalog_role to serdica;", grants);

        // A user with EXECUTE on both packages makes and uses queues in its own schema; the role reaches into those of others.
        Assert.DoesNotContain("aq_administrator_role", grants, OrdinalIgnoreCase);
    }

    /// <summary>The image's own are of 10 MB, and a run would measure how they are switched.</summary>
    [Fact]
    public void Oracle_gets_large_redo_logs_in_the_root_before_anybody_may_ask()
    {
        var setUp = Assert.Single(new OracleModule().Files("s3cret")).Content;

        var drop = setUp.IndexOf("alter database drop logfile group");
        var container = setUp.IndexOf("alter session set container");
        Assert.Equal(3, Regex.Count(setUp[..drop], "alter database add logfile group 1[123] '[^']+' size 256m;\n"));
        Assert.InRange(setUp.IndexOf("alter system checkpoint;"), 0, drop);
        Assert.InRange(container, drop, setUp.Length);
        Assert.Equal(1, Regex.Count(setUp, "(?m)^/$"));
    }

    [Fact]
    public void Key_of_the_replica_set_is_for_its_server_alone() =>
        Assert.Equal(999u, Assert.Single(new MongoDbModule().Files("s3cret")).OnlyFor);

    [Fact]
    public async Task Compose_file_has_the_pinned_images_and_the_settings_of_what_the_suite_starts()
    {
        var compose = await File.ReadAllTextAsync(Path.Combine(RepositoryRoot.Folder, Compose), Token);

        Assert.All([Modules[0], .. Modules[2..]], module =>
            Assert.Contains($"${{{DatabaseEnvironment.ImageVariable(module.Backend)}:-{module.Image}}}", compose)
        );
        Assert.All([Modules[0], Modules[4]], module =>
        {
            var settings = module.Command(new Dictionary<string, string>()).Where(argument => argument.Contains('='));
            Assert.Equal(settings.Except(["listen_addresses=*"]).Order(), ServerSettings(compose, module.Image).Order());
        });
        Assert.All(Assert.Single(Modules[3].Files("s3cret")).Content.Split('\n', RemoveEmptyEntries), line =>
            Assert.Contains($"\n      {line.Replace("$", "$$")}\n", compose)
        );
    }

    [Fact]
    public void Times_of_flushes_are_read_as_dd_writes_them()
    {
        const string Output = """
            8192 bytes (8.2 kB, 8.0 KiB) copied, 0.00251 s, 3.3 MB/s
            8192 bytes (8.2 kB, 8.0 KiB) copied, 5.1e-05 s, 161 MB/s
            8192 bytes (8.0KB) copied, 0.001000 seconds, 7.8MB/s
            dd: failed to open: No space left on device
            """;

        Assert.Equal([2.51, 0.051, 1.0], FlushProbe.Times(Output).Select(time => time.TotalMilliseconds));
    }

    /// <summary>What stands behind each <c>-c</c>.</summary>
    private static IEnumerable<string> ServerSettings(string compose, string image) =>
        Regex.Matches(compose.Split(image)[1].Split("environment:")[0], @"-c (\S+)").Select(match => match.Groups[1].Value);
}
