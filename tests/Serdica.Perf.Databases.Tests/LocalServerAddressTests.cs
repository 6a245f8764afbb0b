using System.Net;
using System.Net.NetworkInformation;

namespace Serdica.Perf.Databases.Tests;

/// <summary>A throw-away server is reached from this machine alone, over one way, and by who knows its password.</summary>
public sealed class LocalServerAddressTests : ScratchTests
{
    [Fact]
    public async Task Server_listens_on_the_loopback_address_and_nowhere_else()
    {
        await using var server = await StartOrSkipAsync();
        var settings = new NpgsqlConnectionStringBuilder(server.ConnectionString);

        Assert.Equal("127.0.0.1", await LocalServer.ScalarAsync<string>(server, "show listen_addresses"));
        Assert.Equal("", await LocalServer.ScalarAsync<string>(server, "show unix_socket_directories"));
        Assert.Equal("127.0.0.1", settings.Host);
        var listening = IPGlobalProperties.GetIPGlobalProperties().GetActiveTcpListeners().Where(end => end.Port == settings.Port);
        Assert.Equal([IPAddress.Loopback], listening.Select(end => end.Address));
    }

    [Fact]
    public async Task Nobody_logs_in_without_a_password_whatever_the_way()
    {
        await using var server = await StartOrSkipAsync();

        var ways = await LocalServer.ScalarAsync<string>(server, "select string_agg(distinct auth_method, ',') from pg_hba_file_rules");

        Assert.Equal("scram-sha-256", ways);
        var password = new NpgsqlConnectionStringBuilder(server.ConnectionString).Password!;
        Assert.Equal(32, password.Length);
        var files = Directory
            .EnumerateFiles(Root.Path, "*", SearchOption.AllDirectories)
            .Where(file => new FileInfo(file) is { Exists: true, Length: < 65_536 })
            .ToArray();
        Assert.NotEmpty(files);
        Assert.DoesNotContain(files, file => Text(file).Contains(password));

        // A server that runs removes files of its own.
        static string Text(string file)
        {
            try
            {
                return File.ReadAllText(file);
            }
            catch (FileNotFoundException)
            {
                return "";
            }
        }
    }

    [Fact]
    public async Task Each_server_has_a_password_of_its_own()
    {
        await using var one = await StartOrSkipAsync();
        await using var other = await StartOrSkipAsync();

        Assert.NotEqual(
            new NpgsqlConnectionStringBuilder(one.ConnectionString).Password,
            new NpgsqlConnectionStringBuilder(other.ConnectionString).Password
        );
    }
}
