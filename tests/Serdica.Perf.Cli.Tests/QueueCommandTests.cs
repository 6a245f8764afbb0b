namespace Serdica.Perf.Cli.Tests;

public sealed class QueueCommandTests : CliTests
{
    [Theory]
    [InlineData("in-memory", "--mode queue --duration 1s")]
    [InlineData("in-memory", "--mode pubsub --subscribers 3 --queues 2 --duration 1s")]
    [InlineData("in-memory", "--throttle 200 --duration 1s")]
    [InlineData("postgresql", "--mode queue --max-unread 50 --duration 1s")]
    [InlineData("postgresql", "--mode pubsub --queues 2 --no-vacuum-tuning --duration 3s")]
    public async Task No_message_is_lost_and_none_read_twice(string backend, string options)
    {
        var source = backend == "postgresql" ? "--source local " : "";

        var exitCode = await Cli.MeasureAsync($"queue --backend {backend} --warmup 0s --report 250ms --drain 60s --json {source}{options}");

        Cli.SkipWithoutPostgreSql(exitCode);
        using var result = JsonDocument.Parse(Cli.Output);
        var root = result.RootElement;
        Assert.Equal(FallsBehind(root) ? ExitCodes.Failed : ExitCodes.Success, exitCode);
        var written = root.Int64("written");
        var copies = options.Contains("pubsub") ? root.GetProperty("plan").Int64("subscribers") : 1;
        Assert.True(written > 0);
        Assert.Equal((written * copies, 0, 0), (root.Int64("read"), root.Int64("lost"), root.Int64("duplicates")));
        Assert.Equal(written * copies, root.GetProperty("endToEnd").Int64("count"));
        Assert.Equal(written, root.GetProperty("write").Int64("count"));
        Assert.True(File.Exists(Cli.PathOf(RunFolder.QueueReportFile)));
        Assert.Single(Directory.GetFiles(Cli.PathOf("histograms"), "*.hlog"));
    }

    [Fact]
    public async Task Repeats_stand_beside_the_one_in_the_middle()
    {
        var exitCode = await Cli.MeasureAsync("queue --backend in-memory --throttle 200 --duration 1s --warmup 0s --repeat 3");

        using var queue = Cli.Parsed(RunFolder.QueueFile);
        var all = queue.Items("repeats").ToArray();
        var behind = all.Count(repeat => repeat.Text("verdict") == "failed");
        var reasons = queue.Items("reasons");
        Assert.Equal(behind, reasons.Count(reason => reason.GetString()!.Contains("the unread messages grew")));
        Assert.Equal(behind == 0 ? ExitCodes.Success : ExitCodes.Failed, exitCode);
        var repeats = all.Select(repeat => repeat.GetProperty("endToEnd").Number("p99Ms")).ToArray();
        Assert.Equal(3, repeats.Length);
        Assert.Equal(repeats.Order().ElementAt(1), queue.RootElement.GetProperty("endToEnd").Number("p99Ms"));
        Assert.Equal(3 - behind, Assert.Single(BaselineReader.Read(Cli.RunFolder).Repeats).Passed);
        Assert.Contains("the figures above", Cli.Output);
    }

    [Fact]
    public async Task Few_messages_have_neither_a_throughput_nor_rare_percentiles()
    {
        await Cli.MeasureAsync("queue --backend in-memory --throttle 10 --duration 1s --warmup 0s --repeat 2");

        Assert.Matches(@"Written \d+; read \d+; \d+ unread when writing ended", Cli.Output);
        Assert.Matches(@"  end to end: p50 [\d.,]+ ms, (p95 [\d.,]+ ms, )?max [\d.,]+ ms, \d+ samples", Cli.Output);
        Assert.Matches(@"  #1: [A-Z]+, end to end p50 [\d.,]+ ms(;|\r?\n)", Cli.Output);
        var report = Cli.Written(RunFolder.QueueReportFile);
        Assert.Matches(@"\| *Samples *\|", report);
        foreach (var column in (string[])["Messages/s", "MiB/s", "Written/s", "Read/s", "P99", "P99.9", "Write P99 ms"])
            Assert.DoesNotMatch($@"\| *{column} *\|", report);
    }

    [Fact]
    public async Task A_test_whose_server_is_lost_in_the_second_repeat_fails_although_the_first_one_held()
    {
        var server = await LocalServer.StartOrSkipAsync();
        await using (server)
        {
            foreach (var (name, value) in DatabaseEnvironment.HandOver(DatabaseEnvironment.PostgreSql, server))
                Cli.Variables[name] = value;

            // The throttle leaves the first repeat nothing that it could miss. A write that is late by a hundredth of the duration, on a
            // busy machine, makes it degraded.
            Cli.OnLine = line =>
            {
                if (line.StartsWith("postgresql-queue (repeat 2): for"))
                    server.DisposeAsync().AsTask().GetAwaiter().GetResult();
            };
            var exitCode = await Cli.MeasureAsync("queue --throttle 20 --duration 4s --warmup 0s --drain 60s --repeat 2");

            Assert.Matches("postgresql-queue: (PASSED|DEGRADED)", Cli.Output);
            Assert.Equal(RunStatus.Aborted, BaselineReader.Read(Cli.RunFolder).Status);
            Assert.Equal(ExitCodes.Failed, exitCode);
        }
    }

    [Fact]
    public async Task A_ladder_says_where_more_writers_stop_to_pay()
    {
        var exitCode = await Cli.MeasureAsync("queue --backend in-memory --ladder 1,8 --duration 1s --warmup 0s");

        using var queue = Cli.Parsed(RunFolder.QueueFile);
        Assert.Equal(FallsBehind(queue.RootElement) ? ExitCodes.Failed : ExitCodes.Success, exitCode);
        Assert.Matches(
            "Throughput (stopped growing at 1 writer, .*: 8 wrote .*|still grew at 8 writers, the most that were tried)\\.",
            Cli.Output
        );
        Assert.Contains("## Writers", Cli.Written(RunFolder.QueueReportFile));
        Assert.Equal(
            ["in-memory-queue-w1", "in-memory-queue-w8"],
            BaselineReader.Read(Cli.RunFolder).Scenarios.Select(scenario => scenario.Name)
        );
    }

    [Fact]
    public async Task A_backend_without_a_vacuum_says_so()
    {
        Assert.Equal(
            ExitCodes.Failed,
            await Cli.RunAsync("queue", "--backend", "in-memory", "--no-vacuum-tuning", "--duration", "1s", "--output", Cli.Folder)
        );
        Assert.Contains("The queue of 'in-memory' has no vacuum to tune; leave the option out.", Cli.Output);
    }

    /// <summary>On a machine that is busy readers may be behind all the time; that fails a test, and loses nothing.</summary>
    internal static bool FallsBehind(JsonElement test) =>
        test.Text("verdict") == "failed"
        && test.GetProperty("reasons")[0].GetString()!.Contains("the unread messages grew");
}
