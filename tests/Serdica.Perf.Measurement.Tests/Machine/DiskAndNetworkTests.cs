namespace Serdica.Perf.Measurement.Tests.Machine;

public sealed class DiskAndNetworkTests : FolderTests
{
    [Fact]
    public void Disk_is_what_went_to_and_came_from_the_storage_layer()
    {
        Root.Write(
            "proc/7/io",
            "rchar: 900\nwchar: 800\nsyscr: 7\nsyscw: 6\nread_bytes: 4096\nwrite_bytes: 8192\ncancelled_write_bytes: 1\n"
        );

        Assert.Equal(new DiskUsage(4_096, 8_192), DiskUsage.Read(Root.Path, "7"));
        Assert.Null(DiskUsage.Read(Root.Path, "8"));
    }

    [Fact]
    public void The_disk_of_a_server_is_that_of_all_its_processes()
    {
        const string Stat = " (postgres) S {0} 0 0 0 0 0 0 0 0 0 10 10 0 0 0 0 1 0 0";
        foreach (var (id, parent, written) in ((int, int, int)[])[(100, 1, 10), (101, 100, 200), (102, 100, 3_000), (103, 1, 40_000)])
        {
            Root.Write($"proc/{id}/stat", id + string.Format(CultureInfo.InvariantCulture, Stat, parent));
            Root.Write($"proc/{id}/io", $"read_bytes: 1\nwrite_bytes: {written}\n");
        }

        Assert.Equal(new DiskUsage(3, 3_210), ServerProcesses.Read(Root.Path, 100)!.Disk);
        File.Delete(Root.Below("proc/100/io"));
        Assert.Null(ServerProcesses.Read(Root.Path, 100)!.Disk);
    }

    [Fact]
    public void Disks_of_the_machine_are_whole_ones_that_lie_on_nothing_else()
    {
        foreach (var device in (string[])["vda", "nvme0n1", "loop0", "zram0", "dm-0", "md0"])
            Root.Write($"sys/block/{device}/stat", "");
        Root.Write(
            "proc/diskstats",
            """
               7       0 loop0 9000 0 9000 0 9000 0 9000 0 0 0 0
             252       0 vda 10 1 16 5 200 3 400 7 0 0 0 0 0 0 0 0 0
             252       1 vda1 10 1 16 5 200 3 400 7 0 0 0 0 0 0 0 0 0
             259       0 nvme0n1 1 0 2 0 3 0 4 0 0 0 0
             251       0 zram0 9000 0 9000 0 9000 0 9000 0 0 0 0
             253       0 dm-0 10 1 16 5 200 3 400 7 0 0 0
               9       0 md0 10 1 16 5 200 3 400 7 0 0 0

            """
        );

        Assert.Equal(new MachineDisks(11, 18 * 512, 203, 404 * 512), MachineDisks.Read(Root.Path));
        Assert.Null(MachineDisks.Read(Root.Below("sys")));
    }

    [Theory]
    [InlineData(null, false)]
    [InlineData(1.0, false)]
    [InlineData(2.0, false)]
    [InlineData(256.0, true)]
    public void Writes_of_processes_are_not_told_where_the_kernel_counts_far_more_than_was_written(double? countedPerByte, bool missing)
    {
        var probe = SampleRun.Environment.Fsync! with { CountedPerByte = countedPerByte };

        Assert.Equal(missing, probe.WritesMissing is not null);
        if (missing)
            Assert.StartsWith("This kernel counts 256 bytes for each", probe.WritesMissing);
    }

    [Fact]
    public void Network_is_that_of_all_interfaces_but_the_loopback()
    {
        Root.Write(
            "proc/net/dev",
            """
            Inter-|   Receive                                                |  Transmit
             face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
                lo: 99999 1 0 0 0 0 0 0 99999 1 0 0 0 0 0 0
              eth0: 1000 1 0 0 0 0 0 0 20 1 0 0 0 0 0 0
              eth1:    5 1 0 0 0 0 0 0  6 1 0 0 0 0 0 0
            """
        );

        Assert.Equal(new NetworkUsage(1_005, 26), NetworkUsage.Read(Root.Path));
    }
}
