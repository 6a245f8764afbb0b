namespace Serdica.Perf.Databases.Tests;

public sealed class DurabilityTests
{
    [Theory]
    [InlineData("on", "on", "on", "ext4", nameof(DurabilityClass.Durable))]
    [InlineData("on", "on", "local", null, nameof(DurabilityClass.Durable))]
    [InlineData("on", "on", "remote_apply", null, nameof(DurabilityClass.Durable))]
    [InlineData("on", "on", "off", "ext4", nameof(DurabilityClass.LossOnCrash))]
    [InlineData("on", "off", "on", "ext4", nameof(DurabilityClass.NotDurable))]
    [InlineData("off", "on", "off", "ext4", nameof(DurabilityClass.NotDurable))]
    [InlineData("on", "on", "on", "tmpfs", nameof(DurabilityClass.NotDurable))]
    public void Class_follows_what_a_crash_can_take(
        string fsync,
        string fullPageWrites,
        string synchronousCommit,
        string? fileSystem,
        string expected
    )
    {
        var settings = new Dictionary<string, string>
        {
            ["fsync"] = fsync,
            ["full_page_writes"] = fullPageWrites,
            ["synchronous_commit"] = synchronousCommit,
        };

        Assert.Equal(expected, PostgreSqlDescriptionReader.Classify(settings, fileSystem).ToString());
    }

    [Fact]
    public void Values_are_quoted_for_the_configuration_file()
    {
        var binaries = new PostgreSqlBinaries(Path.GetTempPath(), new Version(15, 0));

        var file = LocalServerSettings.Compose(
            new StandardPostgreSql(),
            binaries,
            new Dictionary<string, string> { ["search_path"] = @"it's \ here" }
        );

        Assert.Contains(@"search_path = 'it''s \\ here'", file);
        Assert.Contains("fsync = 'on'", file);
    }

    [Fact]
    public void Libraries_and_settings_of_a_flavour_give_way_to_those_asked_for()
    {
        var binaries = new PostgreSqlBinaries(Path.GetTempPath(), new Version(18, 0));

        var file = LocalServerSettings.Compose(new DocumentDb(), binaries, new Dictionary<string, string> { ["cron.log_run"] = "on" });

        Assert.Contains("shared_preload_libraries = 'pg_cron,pg_documentdb_core,pg_documentdb'", file);
        Assert.Contains("cron.log_run = 'on'", file);
        Assert.DoesNotContain("cron.log_run = 'off'", file);
        Assert.Contains("fsync = 'on'", file);
    }

    [Theory]
    [InlineData("auto_explain, pg_cron", "pg_cron,pg_documentdb_core,pg_documentdb,auto_explain")]
    [InlineData("", "")]
    public void Libraries_of_a_flavour_stay_beside_those_asked_for_unless_none_is_wanted(string asked, string loaded)
    {
        var requested = new Dictionary<string, string> { ["shared_preload_libraries"] = asked };

        var settings = PostgreSqlSettings.Compose(new DocumentDb(), false, new Dictionary<string, string>(), requested);

        Assert.Equal(loaded, settings["shared_preload_libraries"]);
    }

    [Theory]
    [InlineData("work_mem = 1\nfsync", "off")]
    [InlineData("work_mem", "1\nfsync = off")]
    public void Settings_that_would_smuggle_in_a_line_are_refused(string name, string value)
    {
        var binaries = new PostgreSqlBinaries(Path.GetTempPath(), new Version(15, 0));

        Assert.Throws<ArgumentException>(() =>
            LocalServerSettings.Compose(new StandardPostgreSql(), binaries, new Dictionary<string, string> { [name] = value })
        );
    }
}
