namespace Serdica.Perf.Measurement.Tests.Recording;

public sealed class OperationLogTests : FolderTests
{
    [Fact]
    public async Task Each_operation_is_a_line_with_its_times_since_the_begin()
    {
        var log = new OperationLog(Path, "in-memory-\"quoted\"", repeat: 2);
        log.Begin(1_000);
        log.Begin(5_000);
        log.Record(Micro(10), Micro(12), Micro(500), OperationEnd.Completed);
        log.Record(Micro(20), Micro(20), Micro(700), OperationEnd.Failed);
        log.Drop(Micro(30));

        await log.DisposeAsync();

        Assert.Equal(0, log.NotKept);
        Assert.Equal(
            [
                """{"scenario":"in-memory-\u0022quoted\u0022","repeat":2,"intendedUs":10,"startUs":12,"endUs":500,"result":"completed"}""",
                """{"scenario":"in-memory-\u0022quoted\u0022","repeat":2,"intendedUs":20,"startUs":20,"endUs":700,"result":"failed"}""",
                """{"scenario":"in-memory-\u0022quoted\u0022","repeat":2,"intendedUs":30,"startUs":null,"endUs":null,"result":"dropped"}""",
            ],
            await File.ReadAllLinesAsync(Path, Token)
        );
    }

    [Fact]
    public async Task What_comes_faster_than_it_is_written_is_counted_and_the_rest_is_whole()
    {
        const int Threads = 4;
        const int Each = 50_000;
        var log = new OperationLog(Path, "scenario", repeat: 1, capacity: 16);
        log.Begin(0);

        await Task.WhenAll(
            Range(0, Threads)
                .Select(_ =>
                    Task.Run(() =>
                    {
                        for (var operation = 0; operation < Each; operation++)
                            log.Record(operation, operation, operation + 1, OperationEnd.Completed);
                    })
                )
        );
        await log.DisposeAsync();

        var lines = await File.ReadAllLinesAsync(Path, Token);
        Assert.True(log.NotKept > 0, "Nothing was lost by a buffer of sixteen, which this test is about.");
        Assert.Equal(log.NotKept, JsonDocument.Parse(lines[^1]).RootElement.GetProperty("notKept").GetInt64());
        Assert.Equal(Threads * Each, log.NotKept + lines.Length - 1);
        EachItem.Holds(lines.SkipLast(1), line => Assert.EndsWith("\"result\":\"completed\"}", line));
    }

    [Fact]
    public async Task Several_measurements_follow_one_another_in_one_file()
    {
        foreach (var scenario in (string[])["one", "two"])
        {
            await using var log = new OperationLog(Path, scenario, repeat: 1);
            log.Begin(0);
            log.Record(0, 0, 1, OperationEnd.Completed);
        }

        Assert.Equal(2, (await File.ReadAllLinesAsync(Path, Token)).Length);
    }

    /// <summary>Many times what is written at once, with a name that is longer than all the rest of its line.</summary>
    [Fact]
    public async Task Long_log_has_every_operation_in_order_and_whole()
    {
        const int Operations = 5_000;
        var scenario = new string('s', 1_000);
        await using (var log = new OperationLog(Path, scenario, repeat: 1, Operations))
        {
            log.Begin(Micro(0));
            for (var operation = 0; operation < Operations; operation++)
                log.Record(Micro(operation), Micro(operation), Micro(operation), OperationEnd.Completed);
        }

        var lines = await File.ReadAllLinesAsync(Path, Token);
        Assert.Equal(
            Range(0, Operations).Select(operation => (scenario, (long)operation)),
            lines
                .Select(line => JsonDocument.Parse(line).RootElement)
                .Select(line => (line.GetProperty("scenario").GetString()!, line.GetProperty("intendedUs").GetInt64()))
        );
    }

    private string Path => Root.Below("operations.ndjson");

    /// <summary>After the start of the first test.</summary>
    private static long Micro(long microseconds) => 1_000 + microseconds * Stopwatch.Frequency / 1_000_000;
}
