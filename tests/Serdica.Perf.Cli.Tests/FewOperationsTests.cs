namespace Serdica.Perf.Cli.Tests;

/// <summary>
/// Alone in this process: the queue time of signals comes from the meter of the process, and the signals of other tests would be
/// enough of them for a p99.
/// </summary>
[CollectionDefinition(nameof(FewOperationsTests), DisableParallelization = true)]
[Collection(nameof(FewOperationsTests))]
public sealed class FewOperationsTests : CliTests
{
    [Fact]
    public async Task Few_operations_have_neither_a_throughput_nor_a_p99()
    {
        await Cli.MeasureAsync("load --backend in-memory --rate 20 --duration 1s --warmup 0s --repeat 2");

        Assert.Matches("in-memory-load-rate-20: [0-2] of 2 passed, with too few operations for a p99", Cli.Output);
        Assert.Matches(@"rate-20 #1: [A-Z]+, target 20.0/s, started [\d.]+/s, response p50 [\d.]+ ms, max ", Cli.Output);
        var report = Cli.Written(RunFolder.LoadReportFile);
        Assert.Matches(@"\| *Started/s *\|", report);
        foreach (var column in (string[])["Completed/s", "Completed/s median", "MiB/s", "P99", "P99 ms median"])
            Assert.DoesNotMatch($@"\| *{column} *\|", report);
    }
}
