namespace Serdica.Perf.Measurement.Tests.Driving;

/// <summary>
/// Every figure of latency counts from the intended start, those over time too: a figure that counts from the call hides the
/// operations that waited behind a slow one (coordinated omission).
/// </summary>
public sealed class IntendedStartTests : FolderTests
{
    /// <summary>The operation waited this long for a caller, and lasted <see cref="Served"/> from the call.</summary>
    private static readonly TimeSpan Waited = FromMilliseconds(300);

    private static readonly TimeSpan Served = FromMilliseconds(5);

    private readonly ManualClock _clock = new();

    [Fact]
    public void Percentiles_over_time_count_from_the_intended_start()
    {
        var recorder = new LoadRecorder(_clock);

        Operate(recorder);

        var timeline = recorder.Outcome(1, Second, recorder.LastEnd).Timeline.Snapshot(Second);
        var interval = Assert.Single(timeline.Intervals, interval => interval.Count > 0);
        AssertWaitIsIn(interval.P99Ms);
        AssertWaitIsIn(timeline.WorstP99Ms);
    }

    [Fact]
    public void Heat_map_counts_from_the_intended_start()
    {
        var recorder = new LoadRecorder(_clock);

        Operate(recorder);

        var intervals = recorder.Timeline.Histograms(Second).Intervals;
        var bucket = Assert.Single(Assert.Single(intervals, interval => interval.Counts.Count > 0).Indexes);
        var (low, high) = IntervalHistograms.Bounds(bucket);
        Assert.InRange((Waited + Served).TotalNanoseconds, low, high);
    }

    /// <summary>A slow second must not be moved to when its operations were due, for the server was slow at their end.</summary>
    [Fact]
    public void Completion_is_in_the_interval_of_its_end()
    {
        var recorder = new LoadRecorder(_clock);
        _clock.Advance(FromSeconds(24));

        Operate(recorder, due: recorder.Begin);

        var timeline = recorder.Timeline.Snapshot(FromSeconds(30));
        Assert.Equal(24_000, Assert.Single(timeline.Intervals, interval => interval.Count > 0).OffsetMs);
        Assert.InRange(timeline.WorstP99Ms!.Value, 24_305, 24_305 * (1 + LatencyHistogram.RelativeError));
    }

    [Fact]
    public async Task Log_of_operations_has_the_intended_start_beside_the_call()
    {
        var path = Root.Below("operations.ndjson");
        await using (var log = new OperationLog(path, "scenario", repeat: 1))
        {
            var recorder = new LoadRecorder(_clock, log);
            Operate(recorder);
            Operate(recorder, fails: true);
            recorder.Drop(_clock.GetTimestamp());
        }

        var lines = await File.ReadAllLinesAsync(path, Token);
        Assert.Equal(
            ["0 300000 305000 completed", "305000 605000 610000 failed", "610000 null null dropped"],
            lines
                .Select(line => JsonDocument.Parse(line).RootElement)
                .Select(line =>
                    $"{line.GetProperty("intendedUs")} {Text(line, "startUs")} {Text(line, "endUs")} {line.GetProperty("result")}"
                )
        );
    }

    [Fact]
    public void Operation_that_ends_after_the_load_was_given_up_is_in_no_figure()
    {
        var recorder = new LoadRecorder(_clock, keptStarts: 1);
        recorder.Start(recorder.Begin, recorder.Begin, recorder.Begin);

        recorder.Close();
        _clock.Advance(Served);
        recorder.Complete(recorder.Begin, recorder.Begin);
        recorder.Fail(new TimeoutException(), recorder.Begin, recorder.Begin);
        recorder.Drop(recorder.Begin);

        var outcome = recorder.Outcome(1, Second, recorder.LastEnd);
        Assert.Equal((1, 0, 0, 0, true), (outcome.Started, outcome.Completed, outcome.Failed, outcome.Dropped, outcome.Stalled));
        Assert.Equal((0, 0), (outcome.ResponseTime.Count, outcome.ServiceTime.Count));
        Assert.Empty(outcome.Errors);
        Assert.Equal(recorder.Begin, recorder.LastEnd);
        Assert.DoesNotContain(outcome.Timeline.Snapshot(Second).Intervals, interval => interval.Count > 0);
    }

    [Theory]
    [InlineData(10, 0)]
    [InlineData(11, 1)]
    public void Start_is_late_beyond_the_limit_and_not_at_it(int lagMs, int late)
    {
        var recorder = new LoadRecorder(_clock);
        _clock.Advance(FromMilliseconds(lagMs));

        recorder.Start(recorder.Begin, recorder.Begin, _clock.GetTimestamp(), lateAfter: FromMilliseconds(10));
        recorder.Start(recorder.Begin, recorder.Begin, _clock.GetTimestamp());

        Assert.Equal(late, recorder.Late);
    }

    /// <summary>A caller that became free after its call was due is the database's doing, and one that calls early owes nothing.</summary>
    [Fact]
    public void Generator_owes_no_negative_lag()
    {
        var recorder = new LoadRecorder(_clock);
        var ready = _clock.GetTimestamp() + Stopwatch.Frequency;

        recorder.Start(recorder.Begin, ready, _clock.GetTimestamp());

        Assert.Equal(
            (1, 0, (Int128)0),
            (
                recorder.GeneratorLag.Snapshot().Count,
                recorder.GeneratorLag.Snapshot().OutOfRange,
                recorder.GeneratorLag.Snapshot().SumNanoseconds
            )
        );
    }

    [Fact]
    public void Failed_operation_moves_the_end_and_not_the_last_completion()
    {
        var recorder = new LoadRecorder(_clock);
        Operate(recorder);
        var completion = recorder.LastCompletion;

        Operate(recorder, fails: true);

        Assert.Equal(Waited + Served, recorder.ToLastCompletion);
        Assert.Equal((2 * Waited) + Served, recorder.ToLastStart);
        Assert.Equal((completion, _clock.GetTimestamp()), (recorder.LastCompletion, recorder.LastEnd));
    }

    private static TimeSpan Second { get; } = FromSeconds(1);

    private void Operate(LoadRecorder recorder, bool fails = false, long? due = null)
    {
        var intended = due ?? _clock.GetTimestamp();
        _clock.Advance(Waited);
        var start = _clock.GetTimestamp();
        recorder.Start(intended, intended, start);
        _clock.Advance(Served);
        if (fails)
            recorder.Fail(new TimeoutException(), intended, start);
        else
            recorder.Complete(intended, start);
    }

    private static void AssertWaitIsIn(double? milliseconds) =>
        Assert.InRange(
            milliseconds!.Value,
            (Waited + Served).TotalMilliseconds,
            (Waited + Served).TotalMilliseconds * (1 + LatencyHistogram.RelativeError)
        );

    private static string Text(JsonElement line, string name) =>
        line.GetProperty(name) is { ValueKind: JsonValueKind.Number } value ? value.GetRawText() : "null";
}
