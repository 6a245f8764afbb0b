namespace Serdica.Perf.Cli.Tests;

/// <summary>A ladder up to 32 hosts was refused by its own server: too many clients already.</summary>
public sealed class HostConnectionsTests
{
    [Theory]
    [InlineData(8, null)]
    [InlineData(9, "102")]
    [InlineData(64, "542")]
    public void Server_of_the_suite_has_room_for_all_hosts(int hosts, string? expected)
    {
        var settings = HostConnections.Allow(new DatabaseRequest(), hosts).ServerSettings;

        Assert.Equal(expected, settings.GetValueOrDefault("max_connections"));
    }

    [Fact]
    public void Number_of_the_user_and_a_server_of_the_user_are_left_alone()
    {
        var own = new DatabaseRequest { ServerSettings = new Dictionary<string, string> { ["max_connections"] = "70" } };

        Assert.Equal("70", HostConnections.Allow(own, 64).ServerSettings["max_connections"]);
        Assert.Empty(HostConnections.Allow(new DatabaseRequest { ConnectionString = "Host=db" }, 64).ServerSettings);
        Assert.Empty(HostConnections.Allow(new DatabaseRequest { Source = DatabaseSourceKind.External }, 64).ServerSettings);
    }
}
