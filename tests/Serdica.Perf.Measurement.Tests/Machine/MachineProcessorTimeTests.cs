namespace Serdica.Perf.Measurement.Tests.Machine;

public sealed class MachineProcessorTimeTests : FolderTests
{
    [Fact]
    public void It_is_everything_but_idle_time_and_waits_for_disks()
    {
        Root.Write("proc/stat", "cpu  100 10 50 9000 700 5 6 29 40 0\ncpu0 50 5 25 4500 350 2 3 14 20 0\n");

        Assert.Equal(FromSeconds(2), Read());
    }

    [Fact]
    public void Bursts_that_fall_between_the_ticks_are_counted_by_what_was_not_idle()
    {
        // Two processors for 60 s each, of which 42 s were idle; the ticks saw 19.4 s of the other 78 s.
        Root.Write(
            "proc/stat",
            "cpu  1000 0 900 4200 0 0 40 0 0 0\ncpu0 500 0 450 2100 0 0 20 0 0 0\ncpu1 500 0 450 2100 0 0 20 0 0 0\nintr 5\n"
        );
        Root.Write("proc/uptime", "60.00 42.00\n");

        Assert.Equal(FromSeconds(78), Read());
    }

    [Theory]
    [InlineData("cpu 1 2 3")]
    [InlineData("cpu a b c d e f g h")]
    public void What_is_not_understood_is_not_known(string stat)
    {
        Root.Write("proc/stat", stat);

        Assert.Null(Read());
    }

    [Fact]
    public void A_system_without_it_does_not_tell() => Assert.Null(Read());

    private TimeSpan? Read() => MachineProcessorTime.Read(new() { SystemRoot = Root.Path });
}
