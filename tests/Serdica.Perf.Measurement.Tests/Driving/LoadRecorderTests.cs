namespace Serdica.Perf.Measurement.Tests.Driving;

public sealed class LoadRecorderTests
{
    [Fact]
    public void Response_and_lag_count_from_the_intended_start_and_the_generator_answers_for_its_own_part_only()
    {
        var clock = new ManualClock();
        var recorder = new LoadRecorder(clock);
        var due = recorder.Begin;
        clock.Advance(FromMilliseconds(300));
        var ready = clock.GetTimestamp();
        clock.Advance(FromMilliseconds(20));
        var start = clock.GetTimestamp();

        recorder.Start(due, ready, start, lateAfter: FromMilliseconds(10));
        clock.Advance(FromMilliseconds(5));
        recorder.Complete(due, start);

        var outcome = recorder.Outcome(offered: 1, recorder.ToLastCompletion, recorder.LastCompletion);
        Assert.Equal((5, 325), (Milliseconds(outcome.ServiceTime.SumNanoseconds), Milliseconds(outcome.ResponseTime.SumNanoseconds)));
        Assert.Equal((320, 20), (Milliseconds(outcome.ScheduleLag!.SumNanoseconds), Milliseconds(outcome.GeneratorLag.SumNanoseconds)));
        Assert.Equal(1, outcome.Late);
    }

    [Fact]
    public void Counts_balance_when_every_offered_operation_has_completed_failed_or_was_dropped()
    {
        Assert.Null(Outcome(offered: 3, starts: 2, completions: 1).Imbalance);
        Assert.Contains("4 offered", Outcome(offered: 4, starts: 2, completions: 1).Imbalance);
        Assert.NotNull(Outcome(offered: 3, starts: 2, completions: 2).Imbalance);
    }

    [Fact]
    public async Task A_drain_ends_with_the_last_operation_or_at_its_limit()
    {
        var recorder = new LoadRecorder();
        recorder.Start(recorder.Begin, recorder.Begin, recorder.Begin);

        await recorder.DrainAsync(TimeSpan.Zero, Token);
        Assert.Equal(1, recorder.InFlight);
        var draining = recorder.DrainAsync(FromHours(1), Token);
        Assert.False(draining.IsCompleted);
        recorder.Complete(recorder.Begin, recorder.Begin);
        await draining;

        Assert.False(recorder.Outcome(offered: 1, TimeSpan.Zero, recorder.LastEnd).Stalled);
    }

    /// <summary>With one failure and one dropped arrival.</summary>
    private static LoadOutcome Outcome(int offered, int starts, int completions)
    {
        var recorder = new LoadRecorder();
        for (var number = 0; number < starts; number++)
            Assert.Equal(number, recorder.Start(recorder.Begin, recorder.Begin, recorder.Begin));
        for (var number = 0; number < completions; number++)
            recorder.Complete(recorder.Begin, recorder.Begin);
        recorder.Fail(new TimeoutException("too slow"), recorder.Begin, recorder.Begin);
        recorder.Drop(recorder.Begin);
        return recorder.Outcome(offered, FromSeconds(1), recorder.LastEnd) with { Stalled = false };
    }

    private static long Milliseconds(Int128 nanoseconds) => (long)nanoseconds / 1_000_000;
}
