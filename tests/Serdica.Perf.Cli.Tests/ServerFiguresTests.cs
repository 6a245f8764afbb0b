using Serdica.Perf.Results.Machine;

namespace Serdica.Perf.Cli.Tests;

public sealed class ServerFiguresTests
{
    private const int NoProcess = int.MaxValue;

    [Fact]
    public async Task Usage_of_a_cluster_is_the_sum_of_its_nodes()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Only Linux shows what a process has used in /proc.");

        // It counts to have used its processor, and then waits for a line.
        var count = "n=0; while [ $n -lt 100000 ]; do n=$((n + 1)); done; echo; read line";
        var start = new ProcessStartInfo("sh", ["-c", count]) { RedirectStandardInput = true, RedirectStandardOutput = true };
        using var node = Process.Start(start)!;
        await node.StandardOutput.ReadLineAsync(Token);

        var before = await ReadAsync(new FakeServer(node.Id));
        var two = await ReadAsync(new FakeServer(node.Id, node.Id));
        var after = await ReadAsync(new FakeServer(node.Id));
        node.StandardInput.Close();

        // The shell may still load pages on its way to the read, and a machine that is short of memory takes others.
        Assert.True(before!.Processor > TimeSpan.Zero);
        Assert.InRange(two!.Processor, 2 * before.Processor, 2 * after!.Processor);
        long[] memory = [before.MemoryBytes!.Value, after.MemoryBytes!.Value];
        Assert.InRange(two.MemoryBytes!.Value, 2 * memory.Min(), 2 * memory.Max());
    }

    [Theory]
    [InlineData(NoProcess, null)]
    [InlineData(NoProcess, 0)]
    [InlineData(0, NoProcess)]
    public async Task Usage_of_a_cluster_is_unknown_when_a_node_cannot_be_read(int first, int? second)
    {
        int[] nodes = [.. new[] { first, second }.OfType<int>().Select(node => node == 0 ? Environment.ProcessId : node)];

        Assert.Null(await ReadAsync(new FakeServer(nodes)));
    }

    [Theory]
    [InlineData(5L, 7L)]
    [InlineData(5L, null)]
    [InlineData(null, 7L)]
    public async Task Usage_of_a_container_is_what_its_engine_counts(long? read, long? written)
    {
        var usage = await ReadAsync(new FakeServer { Container = new(FromSeconds(3), MemoryBytes: 11, read, written) });

        Assert.Equal((FromSeconds(3), null, new(11, read, written)), (usage!.Processor, usage.MemoryBytes, usage.Container!));
        Assert.Equal(read is null || written is null ? null : new(5, 7), usage.Disk);
    }

    [Fact]
    public async Task A_server_elsewhere_has_no_usage() => Assert.Null(await ReadAsync(new FakeServer()));

    [Fact]
    public async Task Flushes_are_those_that_were_measured_where_the_server_runs()
    {
        var server = new FakeServer { Flushes = [FromMilliseconds(1), FromMilliseconds(3)] };

        var probe = await ServerFigures.ProbeFsyncAsync(server, Token);

        Assert.Equal((500, "xfs", 2L), (Math.Round(probe!.WritesPerSecond), probe.FileSystem, probe.Latency.Count));
        Assert.Null(await ServerFigures.ProbeFsyncAsync(new FakeServer(), Token));
    }

    private static Task<ServerUsage?> ReadAsync(DatabaseServer server) => ServerFigures.ReadUsageAsync(server, Token);
}
