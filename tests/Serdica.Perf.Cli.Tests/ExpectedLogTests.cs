using Serdica.Perf.Measurement.Catalog;
using Serdica.Perf.Results.Queues;

namespace Serdica.Perf.Cli.Tests;

public sealed class ExpectedLogTests
{
    private const long Mebibyte = 1 << 20;

    private static readonly Scenario Roundtrip = ScenarioCatalog.Find("signal-roundtrip-throughput-parallel")!;

    [Fact]
    public void More_operations_and_repeats_write_more()
    {
        var counted = new RunOptions { WarmUp = 200 };

        Assert.Equal(296 * 4_096, ExpectedLog.Of([Roundtrip], counted, repeats: 1));
        Assert.Equal(5 * 296 * 4_096, ExpectedLog.Of([Roundtrip], counted, repeats: 5));
        Assert.Equal(1_000_200L * 4_096, ExpectedLog.Of([Roundtrip], counted with { Operations = 1_000_000 }, repeats: 1));
    }

    [Fact]
    public void A_warm_up_writes_for_its_time_and_that_of_a_smoke_test_for_its_operations()
    {
        var burst = ScenarioCatalog.Find("immediate-burst-smoke")!;

        Assert.Equal((96 * 4_096) + (6 * 64 * Mebibyte), ExpectedLog.Of([Roundtrip], new(), repeats: 1));
        Assert.Equal((24 + 200) * 4_096, ExpectedLog.Of([burst], new(), repeats: 1));
    }

    [Fact]
    public void What_lasts_for_a_time_is_not_known_by_its_operations() =>
        Assert.Null(ExpectedLog.Of([Roundtrip, ScenarioCatalog.Find("long-soak")!], new(), repeats: 1));

    [Fact]
    public void Load_and_queue_are_known_by_their_time()
    {
        var step = new LoadStep { Name = "step", Kind = LoadKind.Closed, Duration = FromSeconds(4) };
        var queue = new QueuePlan { WarmUp = FromSeconds(1), Duration = FromSeconds(4) };

        Assert.Equal(10 * 64 * Mebibyte, ExpectedLog.Of(new LoadProfile { Name = "two", Steps = [step, step], WarmUp = FromSeconds(2) }));
        Assert.Equal((3 + 1 + 4) * 64 * Mebibyte, ExpectedLog.Of(new LoadProfile { Name = "one", Steps = [step] }));
        Assert.Equal(2 * 10 * 64 * Mebibyte, ExpectedLog.Of([queue, queue], repeats: 2));
    }

    [Fact]
    public void Blocks_of_raw_sql_and_the_engine_are_known_by_their_time()
    {
        // A block has two of raw SQL and two of the engine, which is also measured once before the first block.
        Assert.Equal((4 + (5 * 2)) * 64 * Mebibyte, ExpectedLog.OfBlocks(levels: 1, blocks: 2, FromSeconds(1)));
        Assert.Equal(3 * (10 + (3 * (5 + 4))) * 64 * Mebibyte, ExpectedLog.OfBlocks(levels: 3, blocks: 1, FromSeconds(5)));
    }

    [Fact]
    public void Callers_who_pause_write_less_and_never_more_than_those_who_do_not()
    {
        var minute = FromMinutes(1);

        Assert.Equal(60 * 64 * Mebibyte, ExpectedLog.OfCallers(20, TimeSpan.Zero, minute));
        Assert.Equal(20 * 600 * 8 * 4_096, ExpectedLog.OfCallers(20, FromMilliseconds(100), minute));
        Assert.Equal(60 * 64 * Mebibyte, ExpectedLog.OfCallers(20, FromMicroseconds(1), minute));
    }

    [Fact]
    public void A_comparison_writes_for_the_four_runs_of_each_block()
    {
        var command = new Command("ab");
        var options = new AbOptionSet(command);
        string[] sides = ["--base", "--operations 3000", "--candidate", "here", "--operations", "1000", "--warmup", "200"];

        var request = options.Read(command.Parse([.. sides, "--scenario", "signal-roundtrip-throughput-parallel", "--blocks", "5"]));

        Assert.Equal(5 * (2 * 3_200 + 2 * 1_200) * 4_096, request.ExpectedLogBytes);
    }
}
