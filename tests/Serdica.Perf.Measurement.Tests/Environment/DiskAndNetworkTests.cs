using Serdica.Perf.Measurement.Environments;

namespace Serdica.Perf.Measurement.Tests.Environments;

public sealed class DiskAndNetworkTests : IDisposable
{
    private readonly TemporaryFolder _root = new();

    [Fact]
    public void Disk_is_what_went_to_and_came_from_the_storage_layer()
    {
        _root.Write("proc/7/io", "rchar: 900\nwchar: 800\nsyscr: 7\nsyscw: 6\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 1\n");

        Assert.Equal(new DiskUsage(4_096, 8_192), DiskUsage.Read(_root.Path, "7"));
        Assert.Null(DiskUsage.Read(_root.Path, "8"));
    }

    [Fact]
    public void The_disk_of_a_server_is_that_of_all_its_processes()
    {
        const string Stat = " (postgres) S {0} 0 0 0 0 0 0 0 0 0 10 10 0 0 0 0 1 0 0";
        foreach (var (id, parent, written) in ((int, int, int)[])[(100, 1, 10), (101, 100, 200), (102, 100, 3_000), (103, 1, 40_000)])
        {
            _root.Write($"proc/{id}/stat", id + string.Format(System.Globalization.CultureInfo.InvariantCulture, Stat, parent));
            _root.Write($"proc/{id}/io", $"read_bytes: 1\nwrite_bytes: {written}\n");
        }

        Assert.Equal(new DiskUsage(3, 3_210), ServerProcesses.Read(_root.Path, 100)!.Disk);
        File.Delete(Path.Combine(_root.Path, "proc/100/io"));
        Assert.Null(ServerProcesses.Read(_root.Path, 100)!.Disk);
    }

    [Fact]
    public void Network_is_that_of_all_interfaces_but_the_loopback()
    {
        _root.Write(
            "proc/net/dev",
            """
            Inter-|   Receive                                                |  Transmit
             face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
                lo: 99999 1 0 0 0 0 0 0 99999 1 0 0 0 0 0 0
              eth0: 1000 1 0 0 0 0 0 0 20 1 0 0 0 0 0 0
              eth1:    5 1 0 0 0 0 0 0  6 1 0 0 0 0 0 0
            """);

        Assert.Equal(new NetworkUsage(1_005, 26), NetworkUsage.Read(_root.Path));
    }

    public void Dispose() => _root.Dispose();
}
