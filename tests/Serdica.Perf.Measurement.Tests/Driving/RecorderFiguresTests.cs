namespace Serdica.Perf.Measurement.Tests.Driving;

/// <summary>Which operation is in which figure of a load.</summary>
public sealed class RecorderFiguresTests
{
    private readonly ManualClock _clock = new();

    /// <summary>The backlog decides whether a rate was sustained: an arrival counts from when it was due, to whatever end.</summary>
    [Fact]
    public void Backlog_counts_from_the_intended_start_to_the_end_of_every_kind()
    {
        var recorder = new LoadRecorder(_clock);
        var due = recorder.Begin;
        Advance(100);
        var start = _clock.GetTimestamp();
        recorder.Start(due, due, start);
        recorder.Start(due, due, start);
        Advance(50);
        recorder.Complete(due, start);
        Advance(50);
        recorder.Fail(new TimeoutException(), due, start);
        Advance(50);
        recorder.Drop(due);
        Advance(50);

        var points = recorder.Backlog.Points(FromMilliseconds(600));

        // Three were due at the start, and one has ended after 150, 200 and 250 ms each.
        Assert.Equal([3, 3, 2, 1, 0, 0], new[] { 5, 14, 17, 22, 26, 59 }.Select(index => Math.Round(points[index].Backlog, 6)));
        var completed = Assert.Single(points, point => point.Completed > 0);
        Assert.Equal((points[15], 1, 150), (completed, completed.Completed, completed.ResponseMs));
    }

    [Fact]
    public void Failed_operation_is_in_the_time_until_failure_from_its_intended_start_and_in_no_other()
    {
        var recorder = new LoadRecorder(_clock);
        var due = recorder.Begin;
        Advance(300);
        recorder.Start(due, due, _clock.GetTimestamp());
        Advance(5);
        var end = recorder.Fail(new TimeoutException("late"), due, recorder.Begin);

        var outcome = recorder.Outcome(1, FromSeconds(1), recorder.LastEnd);

        Assert.Equal(_clock.GetTimestamp(), end);
        Assert.Equal((0, 0, 1), (outcome.ServiceTime.Count, outcome.ResponseTime.Count, outcome.UntilFailure.Count));
        Assert.Equal(305_000_000, outcome.UntilFailure.SumNanoseconds);
        Assert.Single(outcome.Errors);
        Assert.Equal((1, 0, 1, false), (outcome.Started, outcome.Completed, outcome.Failed, outcome.Stalled));
    }

    /// <summary>docs/figures.md states the rule.</summary>
    [Fact]
    public void A_p99_is_the_same_with_and_without_operations_that_failed()
    {
        LatencySummary Measure(int failures)
        {
            var recorder = new LoadRecorder(_clock);
            for (var operation = 1; operation <= 200; operation++)
            {
                var start = _clock.GetTimestamp();
                recorder.Start(start, start, start);
                Advance(operation);
                recorder.Complete(start, start);
            }

            for (var failure = 0; failure < failures; failure++)
            {
                // Refused at once, or after a time limit.
                var start = _clock.GetTimestamp();
                recorder.Start(start, start, start);
                Advance(failure % 2 == 0 ? 0 : 30_000);
                recorder.Fail(new TimeoutException("refused"), start, start);
            }

            var outcome = recorder.Outcome(200 + failures, FromSeconds(1), recorder.LastEnd);
            Assert.Equal(failures, outcome.UntilFailure.Count);
            return outcome.ResponseTime.Summarize();
        }

        Assert.Equal(Measure(failures: 0), Measure(failures: 100));
    }

    [Fact]
    public void Completion_is_at_the_end_that_it_reports()
    {
        var recorder = new LoadRecorder(_clock);
        recorder.Start(recorder.Begin, recorder.Begin, recorder.Begin);
        Advance(7);

        var end = recorder.Complete(recorder.Begin, recorder.Begin);

        Assert.Equal((_clock.GetTimestamp(), end, end), (end, recorder.LastCompletion, recorder.LastEnd));
        Assert.Equal(FromMilliseconds(7), recorder.ToLastCompletion);
        recorder.Close();
        Advance(1);
        Assert.Equal(_clock.GetTimestamp(), recorder.Complete(recorder.Begin, recorder.Begin));
        Assert.Equal(_clock.GetTimestamp(), recorder.Fail(new TimeoutException(), recorder.Begin, recorder.Begin));
        Assert.Equal(end, recorder.LastEnd);
    }

    [Theory]
    [InlineData(3, 2, 1.5)]
    [InlineData(0, 0, 0)]
    public void Rate_is_the_completions_in_a_second_of_the_window(int completed, double seconds, double perSecond)
    {
        var recorder = new LoadRecorder(_clock);
        for (var operation = 0; operation < completed; operation++)
            recorder.Complete(recorder.Begin, recorder.Begin);

        Assert.Equal(perSecond, recorder.Outcome(completed, FromSeconds(seconds), recorder.LastCompletion).PerSecond);
    }

    [Fact]
    public void Starts_are_kept_by_number_as_far_as_there_is_room()
    {
        var recorder = new LoadRecorder(_clock, keptStarts: 3);
        Advance(10);
        var first = _clock.GetTimestamp();
        Assert.Equal(0, recorder.Start(recorder.Begin, recorder.Begin, first));
        Assert.Equal([first, 0, 0], recorder.Starts);

        Advance(10);
        for (var number = 1; number <= 3; number++)
            Assert.Equal(number, recorder.Start(recorder.Begin, recorder.Begin, _clock.GetTimestamp()));

        Assert.Equal([first, _clock.GetTimestamp(), _clock.GetTimestamp()], recorder.Starts);
        Assert.Equal((4, 4), (recorder.Started, recorder.InFlight));
        Assert.Equal(FromMilliseconds(20), recorder.ToLastStart);
        Assert.Empty(new LoadRecorder(_clock).Starts);
    }

    [Fact]
    public async Task Load_is_idle_when_all_that_was_started_has_ended_in_either_way()
    {
        var recorder = new LoadRecorder(_clock);
        Assert.True(recorder.WhenIdleAsync().IsCompletedSuccessfully);
        recorder.Start(recorder.Begin, recorder.Begin, recorder.Begin);
        recorder.Start(recorder.Begin, recorder.Begin, recorder.Begin);
        recorder.Start(recorder.Begin, recorder.Begin, recorder.Begin);
        var idle = recorder.WhenIdleAsync();

        recorder.Complete(recorder.Begin, recorder.Begin);
        recorder.Drop(recorder.Begin);
        recorder.Fail(new TimeoutException(), recorder.Begin, recorder.Begin);
        Assert.False(idle.IsCompleted);
        Assert.Equal((1, 1, 1, 1), (recorder.Completed, recorder.Failed, recorder.Dropped, recorder.InFlight));
        recorder.Fail(new TimeoutException(), recorder.Begin, recorder.Begin);

        await idle;
        Assert.Equal(0, recorder.InFlight);
    }

    [Fact]
    public async Task Drain_that_is_cancelled_says_so()
    {
        var recorder = new LoadRecorder(_clock);
        recorder.Start(recorder.Begin, recorder.Begin, recorder.Begin);
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => recorder.DrainAsync(FromHours(1), cancelled.Token));
    }

    [Fact]
    public void Outcome_has_the_figures_and_closes_the_recorder()
    {
        var recorder = new LoadRecorder(_clock);
        recorder.Start(recorder.Begin, recorder.Begin, recorder.Begin, TimeSpan.Zero);
        Advance(1);
        recorder.Start(recorder.Begin, recorder.Begin, _clock.GetTimestamp(), TimeSpan.Zero);
        recorder.Complete(recorder.Begin, recorder.Begin);
        recorder.Drop(recorder.Begin);

        var outcome = recorder.Outcome(offered: 9, FromSeconds(3), end: 77);

        Assert.Equal(
            (9, 2, 1, 0, 1, 1, true),
            (outcome.Offered, outcome.Started, outcome.Completed, outcome.Failed, outcome.Dropped, outcome.Late, outcome.Stalled)
        );
        Assert.Equal((FromSeconds(3), 77), (outcome.Window, outcome.EndTimestamp));
        Assert.Equal((2, 2), (outcome.ScheduleLag!.Count, outcome.GeneratorLag.Count));
        recorder.Complete(recorder.Begin, recorder.Begin);
        Assert.Equal(1, recorder.Completed);
    }

    [Fact]
    public void Time_of_a_reading_counts_from_the_start_of_the_load()
    {
        Advance(40);
        var recorder = new LoadRecorder(_clock);

        Assert.Equal(FromSeconds(1), recorder.Elapsed(recorder.Begin + Stopwatch.Frequency));
        Assert.Equal((TimeSpan.Zero, TimeSpan.Zero), (recorder.ToLastStart, recorder.ToLastCompletion));
        Assert.Equal(recorder.Begin, recorder.LastEnd);
    }

    private void Advance(int milliseconds) => _clock.Advance(FromMilliseconds(milliseconds));
}
