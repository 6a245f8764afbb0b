namespace Serdica.Perf.Measurement.Tests.Machine;

public sealed class FsyncProbeTests : FolderTests
{
    [Fact]
    public void It_tells_the_cost_of_a_flushed_write_and_leaves_nothing_behind()
    {
        var result = FsyncProbe.Run(Root.Path, FromMilliseconds(20), Token);

        Assert.Equal(8192, result.BlockBytes);
        Assert.InRange(result.Latency.Count, 1, long.MaxValue);
        Assert.True(result.WritesPerSecond > 0);
        Assert.True(result.Latency.MaxMs > 0);
        Assert.True(
            result.CountedPerByte >= 1 || result.FileSystem != "ext4" || DiskUsage.Read("/", "self") is null,
            $"The kernel counted {result.CountedPerByte} bytes for each."
        );
        Assert.Equal(FsyncProbe.FileSystemOf(Root.Path), result.FileSystem);
        Assert.Empty(Directory.GetFiles(Root.Path));
    }

    [Fact]
    public void Bytes_that_the_kernel_counted_are_those_of_the_probe_for_each_byte_that_it_wrote()
    {
        Assert.Equal(1.5, FsyncProbe.CountedPerByte(new(7, 8_192), new(9, 8_192 + 30 * 4_096), blocks: 10));
        Assert.Null(FsyncProbe.CountedPerByte(null, new(9, 8_192), blocks: 10));
    }

    [Fact]
    public void When_it_is_stopped_it_leaves_nothing_behind()
    {
        Assert.Throws<OperationCanceledException>(() => FsyncProbe.Run(Root.Path, FromHours(1), new(canceled: true)));

        Assert.Empty(Directory.GetFiles(Root.Path));
    }

    [Fact]
    public void A_folder_that_is_not_there_is_an_error_that_names_it()
    {
        var error = Assert.ThrowsAny<IOException>(() => FsyncProbe.Run(Root.Below("nowhere"), TimeSpan.Zero, Token));

        Assert.Contains("nowhere", error.Message);
    }

    [Fact]
    public void Times_that_others_measured_make_the_same_figures()
    {
        var result = FsyncProbe.Of([FromMilliseconds(1), FromMilliseconds(3)], "xfs")!;

        Assert.Equal((8192, 500, "xfs"), (result.BlockBytes, result.WritesPerSecond, result.FileSystem));
        Assert.Equal((2, 2, 3), (result.Latency.Count, result.Latency.AverageMs, result.Latency.MaxMs));
        Assert.Null(FsyncProbe.Of([], "xfs"));
    }
}
