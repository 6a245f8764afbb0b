using static Serdica.Perf.Faults.Tests.Checking.SmallHistory;

namespace Serdica.Perf.Faults.Tests.Checking;

/// <summary>Histories that do not fit into one partition: nothing is lost on the way, and memory does not grow with them.</summary>
public sealed class LongHistoryTests(ITestOutputHelper output) : FolderTests
{
    private const int SignalsOfInstance = 3;
    private const long MostMemory = 1L << 30;

    [Fact]
    public async Task A_history_of_many_partitions_is_judged_whole()
    {
        const int Instances = 25_000;
        await WriteAsync(Instances, lost: 12_345);

        var report = HistoryChecker.Check(Root.Path, Token);

        Assert.Equal((SignalsOfInstance + 1) * Instances, report.Operations);
        Assert.Equal(SignalsOfInstance * Instances, report.Invariants[1].Judged);
        Assert.Equal(Instances, report.Invariants[3].Judged);
        Assert.Contains("Signal '12345-0' was accepted and is lost.", Assert.Single(Assert.Single(report.Violated).Witnesses).Sentence);
    }

    /// <summary>Takes minutes and 10 GB of disk: run it alone.</summary>
    [Fact]
    public async Task Ten_million_operations_are_judged_in_bounded_memory()
    {
        Assert.SkipUnless(Environment.GetEnvironmentVariable("SERDICA_PERF_LONG_TESTS") == "1", "It takes minutes and 10 GB of disk.");
        await WriteAsync(2_500_000, lost: null);
        var clock = Stopwatch.StartNew();

        var report = HistoryChecker.Check(Root.Path, Token);

        using var process = Process.GetCurrentProcess();
        output.WriteLine(
            $"{report.Operations:N0} operations, {report.Lines:N0} lines, {clock.Elapsed.TotalSeconds:N0} s, "
                + $"{process.PeakWorkingSet64 >> 20:N0} MB"
        );
        Assert.Equal(10_000_000, report.Operations);
        Assert.Empty(report.Violated);
        Assert.InRange(process.PeakWorkingSet64, 0, MostMemory);
    }

    /// <summary>Each instance is started, takes its signals and completes.</summary>
    private async Task WriteAsync(int instances, int? lost)
    {
        await using var client = new HistoryWriter(Root.Path, "client", "client");
        await using var host = new HistoryWriter(Root.Path, "host", "host");
        await using var census = new HistoryWriter(Root.Path, "census", "census");
        for (var i = 0; i < instances; i++)
        {
            var id = Guid.CreateVersion7();
            var keys = Range(0, SignalsOfInstance).Select(n => $"{i}-{n}").ToList();
            var start = Call(CallKind.Start, id, 0, $"{i}") with { Instance = null };
            client.WriteAll([
                .. Answered(client, start, AckOutcome.Started, id),
                .. keys.SelectMany(key => Answered(client, Call(CallKind.Signal, id, 0, key), AckOutcome.Accepted)),
            ]);
            host.WriteAll(Answered(host, Turn(id, 0, from: 0) with { Next = SignalsOfInstance }, AckOutcome.Committed));
            var ledger = new LedgerState { Origin = $"{i}", Applied = i == lost ? keys[1..] : keys };
            census.Write(State(id, ledger) with { Version = SignalsOfInstance });
        }

        census.Write(new() { Kind = HistoryKind.Census, Census = new(0, 0, instances, 0, 0, 0, 0, 0, 0) });
    }

    private static HistoryRecord[] Answered(HistoryWriter writer, HistoryRecord line, AckOutcome outcome, Guid? instance = null)
    {
        var operation = writer.NextOperation();
        return [line with { Operation = operation }, Ack(operation, outcome) with { Instance = instance }];
    }
}
