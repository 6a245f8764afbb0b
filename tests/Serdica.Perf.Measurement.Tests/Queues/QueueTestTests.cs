using System.Reflection;
using Serdica.Perf.Measurement.Tests.Scenarios;

namespace Serdica.Perf.Measurement.Tests.Queues;

/// <summary>Queue tests from end to end, in memory, with one reader that takes its time for each message.</summary>
public sealed class QueueTestTests
{
    private static readonly QueuePlan Brief = new()
    {
        Writers = 4,
        Readers = 1,
        WarmUp = TimeSpan.Zero,
        Duration = FromSeconds(0.5),
    };

    [Fact]
    public async Task Reads_are_counted_over_the_time_until_the_last_read()
    {
        var reader = SlowReads.Of(FromMilliseconds(10));
        var whole = Stopwatch.StartNew();

        var (result, _) = await RunAsync(Brief with { PerSecond = 200, PayloadBytes = 512 }, reader);

        Assert.Equal(result.Written, result.Read);
        Assert.True(
            result.ReadPerSecond < result.WrittenPerSecond,
            $"{result.ReadPerSecond} were read a second, {result.WrittenPerSecond} written."
        );
        Assert.InRange(result.Read / result.ReadPerSecond, reader.SecondsToLastRead, whole.Elapsed.TotalSeconds);

        // 2,048 messages are a mebibyte.
        Assert.Equal(result.WrittenPerSecond, result.WrittenMebibytesPerSecond * 2_048, 1e-6);
        Assert.Equal(result.ReadPerSecond, result.ReadMebibytesPerSecond * 2_048, 1e-6);
    }

    [Fact]
    public async Task The_wait_for_room_is_in_the_response_time_and_not_in_the_write()
    {
        const double WaitMs = 150;
        var reader = SlowReads.Of(FromMilliseconds(200));

        var (result, _) = await RunAsync(Brief with { Writers = 1, MaxUnread = 1, Duration = FromSeconds(3) }, reader);

        Assert.True(result.Response.MaxMs >= WaitMs, $"The longest response took {result.Response.MaxMs} ms.");
        Assert.True((result.Response.AverageMs - result.Write.AverageMs) * result.Written >= WaitMs, "The waits are in the writes.");
        Assert.Equal("the readers", result.LimitedBy);
    }

    [Fact]
    public async Task Writes_that_lag_behind_their_arrivals_degrade_the_test()
    {
        // A hundred arrive in a second, and the reader takes fifty.
        var (result, _) = await RunAsync(Brief with { PerSecond = 100, MaxUnread = 1 }, SlowReads.Of(FromMilliseconds(20)));

        Assert.Equal((StepVerdict.Degraded, "the readers"), (result.Verdict, result.LimitedBy));
        Assert.StartsWith("It wrote ", Assert.Single(result.Reasons));
    }

    [Fact]
    public async Task A_message_that_the_database_put_aside_fails_the_test()
    {
        var (result, _) = await RunAsync(Brief with { PerSecond = 100 }, SlowReads.Of(TimeSpan.Zero, dead: 1));

        Assert.Equal(StepVerdict.Failed, result.Verdict);
        Assert.Contains(result.Reasons, reason => reason.Contains("no message put aside by the database"));
    }

    [Fact]
    public async Task Unread_messages_that_grow_over_the_whole_test_fail_it()
    {
        // Shorter than the interval of reports, as in the examples of the documents, with more looks than it takes on a machine that
        // stands still for seconds.
        var brief = Brief with { PerSecond = 100, Duration = FromSeconds(6), ReportInterval = FromMinutes(1) };

        var (result, run) = await RunAsync(brief, SlowReads.Of(FromMilliseconds(20)));

        Assert.Equal(StepVerdict.Failed, result.Verdict);
        Assert.Equal(ScenarioStatus.Failed, Assert.Single(run.Scenarios).Status);
        Assert.Contains(result.Reasons, reason => reason.StartsWith("Not sustained: the unread messages grew by "));
        var (quick, _) = await RunAsync(brief, SlowReads.Of(TimeSpan.Zero));
        Assert.DoesNotContain(quick.Reasons, reason => reason.StartsWith("Not "));
    }

    [Fact]
    public async Task A_test_too_short_to_see_growth_is_not_known_to_be_sustained()
    {
        var (result, _) = await RunAsync(Brief with { PerSecond = 1_000, Duration = FromSeconds(0.02) }, SlowReads.Of(TimeSpan.Zero));

        // The looks go on until the last write: later than 0.2 s there may be enough of them.
        if (result.Written / result.WrittenPerSecond >= 0.2)
            return;
        Assert.Equal(StepVerdict.Degraded, result.Verdict);
        Assert.Contains("Not known to be sustained: the test was too short to see whether unread messages grow.", result.Reasons);
    }

    [Fact]
    public async Task Throttled_writes_arrive_at_random_which_the_result_and_the_summary_tell()
    {
        var (throttled, run) = await RunAsync(Brief with { PerSecond = 200 }, SlowReads.Of(TimeSpan.Zero));
        var (unthrottled, other) = await RunAsync(Brief with { Duration = FromSeconds(0.1) }, SlowReads.Of(TimeSpan.Zero));

        Assert.Equal((ArrivalPattern.Poisson, 1), (throttled.Arrivals, throttled.Seed));
        var options = Assert.Single(run.Scenarios).Parameters.Options;
        Assert.Equal(("poisson", "1"), (options["arrivals"], options["seed"]));
        Assert.Equal((null, null), (unthrottled.Arrivals, unthrottled.Seed));
        Assert.Equal(["plan"], Assert.Single(other.Scenarios).Parameters.Options.Keys);
    }

    [Fact]
    public async Task Writes_that_are_given_up_have_their_rates_over_the_time_until_then()
    {
        var futile = Brief with { PerSecond = 4_000, Writers = 1, MaxUnread = 1, Duration = FromSeconds(60) };

        var (result, run) = await RunAsync(
            futile,
            SlowReads.Of(FromMilliseconds(20)),
            new() { DropAfter = FromMilliseconds(10), GiveUpShare = 0.01 }
        );

        Assert.Equal(StepVerdict.Failed, result.Verdict);
        var window = Assert.Single(run.Scenarios).DurationMs / 1_000;
        Assert.InRange(window, 0.1, 59);
        Assert.Equal(result.Written / window, result.WrittenPerSecond, 1e-6);
    }

    [Fact]
    public async Task The_most_unread_messages_are_those_of_any_look()
    {
        // Until the reader has caught up there is no report.
        var (result, _) = await RunAsync(
            Brief with { PerSecond = 400, ReportInterval = FromMinutes(1) },
            SlowReads.Of(FromMilliseconds(20), slowLooks: 10)
        );

        Assert.True(result.PeakUnread >= 20, $"{result.PeakUnread}");
    }

    private static async Task<(QueueTestResult Result, RunResult Run)> RunAsync(
        QueuePlan plan,
        SlowReads reader,
        DriverOptions? driver = null
    )
    {
        using var root = new TemporaryFolder();
        var (suite, _) = await LoadTestTests.BeginAsync(root);
        var test = new QueueTest(suite, new MemoryBackend(() => (IWorkflowBackend)(object)reader), plan)
        {
            Engine = new Dictionary<string, string> { ["claim-batch"] = "1" },
            Driver = driver ?? new(),
        };
        var result = await test.RunAsync("serdica-perf queue", Token);
        return (result, suite.End());
    }
}

/// <summary>What a backend with a bare queue implements.</summary>
internal interface IQueueBackend : IWorkflowBackend, IMessageQueue;

/// <summary>The in-memory backend, in which each look for messages takes a time.</summary>
internal class SlowReads : DispatchProxy
{
    private readonly InMemoryWorkflowBackend _inner = new();
    private TimeSpan _each;
    private int _slowLooks;
    private int _dead;
    private long _firstSend;
    private long _lastRead;

    /// <summary>From the first message that was sent to the last that was read.</summary>
    public double SecondsToLastRead => Stopwatch.GetElapsedTime(_firstSend, _lastRead).TotalSeconds;

    public static SlowReads Of(TimeSpan each, int slowLooks = int.MaxValue, int dead = 0)
    {
        var reads = (SlowReads)(object)Create<IQueueBackend, SlowReads>();
        (reads._each, reads._slowLooks, reads._dead) = (each, slowLooks, dead);
        return reads;
    }

    protected override object? Invoke(MethodInfo? targetMethod, object?[]? args)
    {
        if (targetMethod!.Name == nameof(IMessageQueue.ReceiveAsync))
            return ReceiveAsync((int)args![0]!, (Action<ReceivedMessages>)args[1]!, (CancellationToken)args[2]!);
        if (targetMethod.Name == nameof(IWorkflowBackend.TakeCensusAsync))
            return CensusAsync((CancellationToken)args![0]!);
        if (targetMethod.Name == nameof(IMessageQueue.SendAsync))
            Interlocked.CompareExchange(ref _firstSend, Stopwatch.GetTimestamp(), 0);
        return targetMethod.Invoke(_inner, args);
    }

    private async Task<BackendCensus> CensusAsync(CancellationToken cancellationToken) =>
        await _inner.TakeCensusAsync(cancellationToken) with { DeadMessages = _dead };

    private async Task<ProcessOutcome> ReceiveAsync(int most, Action<ReceivedMessages> handle, CancellationToken cancellationToken)
    {
        if (_each > TimeSpan.Zero && Interlocked.Decrement(ref _slowLooks) >= 0)
            await Task.Delay(_each, cancellationToken);
        var outcome = await _inner.ReceiveAsync(most, handle, cancellationToken);
        if (outcome.Signals > 0)
            Volatile.Write(ref _lastRead, Stopwatch.GetTimestamp());
        return outcome;
    }
}
