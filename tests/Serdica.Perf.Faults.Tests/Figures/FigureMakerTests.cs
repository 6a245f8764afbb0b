namespace Serdica.Perf.Faults.Tests.Figures;

/// <summary>100 round trips a second, except that none ends for 2 s.</summary>
public sealed class FigureMakerTests
{
    private const double Gap = 10;
    private const double GapEnd = 12;

    [Fact]
    public void Fault_of_the_database_counts_from_its_end()
    {
        var figures = Make(FaultKind.KillDatabase, lasted: 1.5, failures: [9, 10.25, 10.5], repeats: []);

        Assert.Equal((10, 1.5, 100), (figures.At, figures.Lasted, figures.RateBefore));
        Assert.Equal(500, figures.RecoveredAfter!.Value, tolerance: 60);
        Assert.Equal((250, 2), (figures.DetectedAfter!.Value, figures.FailedCalls));
        Assert.Equal(2_000, figures.LongestPause, tolerance: 15);
        Assert.Null(figures.P99During);
        Assert.Equal(5, figures.P99After!.Value, tolerance: 0.1);
    }

    [Fact]
    public void Fault_of_a_host_counts_from_its_beginning()
    {
        var figures = Make(FaultKind.KillHost, lasted: 1.5, failures: [], repeats: [9.5, 11, 12.5]);

        Assert.Equal(2_000, figures.RecoveredAfter!.Value, tolerance: 60);
        Assert.Null(figures.DetectedAfter);
        Assert.Equal((2, 2_500), (figures.RepeatedActivities, figures.LastRepeatAfter!.Value));
    }

    [Fact]
    public void Rate_that_does_not_come_back_before_the_next_fault_has_no_recovery()
    {
        var faults = Maker([10.5, 11], [10.5, 11]).Make([Struck(FaultKind.KillDatabase, 0.2), Struck(FaultKind.KillDatabase, 0.2, at: 11)]);

        Assert.Null(faults[0].RecoveredAfter);
        Assert.NotNull(faults[1].RecoveredAfter);
        Assert.Equal(1_000, faults[0].LongestPause);
        Assert.All(faults, fault => Assert.Equal((1, 1), (fault.FailedCalls, fault.RepeatedActivities)));
    }

    [Theory]
    [InlineData(13, 100)]
    [InlineData(6, 80)]
    public void Rate_before_a_fault_is_that_of_half_of_the_time_without_one(double last, double rate)
    {
        var second = Struck(FaultKind.KillHost, 0.1, at: last > Gap ? 19 : 16);

        var faults = Maker([], []).Make([Struck(FaultKind.KillHost, 0, at: last), second]);

        Assert.Equal(rate, faults[1].RateBefore);
    }

    [Fact]
    public void Rate_of_nothing_before_a_fault_has_no_recovery()
    {
        var figures = Assert.Single(Maker([], []).Make([Struck(FaultKind.KillDatabase, 0.2, at: 0)]));

        Assert.Equal(0, figures.RateBefore);
        Assert.Null(figures.RecoveredAfter);
        Assert.Null(figures.RateKept);
        Assert.Null(figures.Backlog);
    }

    [Fact]
    public void Rate_is_kept_in_part_by_a_fault_that_stops_nearly_all()
    {
        var figures = Make(FaultKind.HoldSnapshot, lasted: 4, failures: [], repeats: []);

        Assert.Equal(0.5, figures.RateKept!.Value, tolerance: 0.01);
    }

    [Fact]
    public void Recovery_is_watched_until_a_second_before_the_next_fault()
    {
        var figures = Make(FaultKind.KillDatabase, lasted: 1.5, failures: [], repeats: []);

        Assert.Equal(7_500, figures.WatchedFor, tolerance: 0.1);
    }

    [Fact]
    public void Round_trips_that_a_fault_left_late_are_its_backlog_until_the_last_has_ended()
    {
        // The fault ends at 12: one is late by then, one has just begun, and one has ended before.
        Completion[] others = [Spanning(9.5, 12.75), Spanning(11.999, 13), Spanning(9.5, 11)];

        var figures = Assert.Single(Maker([], [], others).Make([Struck(FaultKind.KillDatabase, 2)]));

        Assert.Equal(1, figures.Backlog);
        Assert.Equal(750, figures.DrainedAfter!.Value, tolerance: 0.1);
    }

    [Fact]
    public void Fault_that_makes_nothing_late_has_no_backlog()
    {
        var figures = Make(FaultKind.KillDatabase, lasted: 2, failures: [], repeats: []);

        Assert.Equal(0, figures.Backlog);
        Assert.Null(figures.DrainedAfter);
    }

    [Fact]
    public void Each_second_of_the_load_has_its_round_trips_and_failed_calls()
    {
        var timeline = Maker([10, 10.999, 11, 20.5], []).Timeline();

        Assert.Equal(Range(0, 20), timeline.Select(second => second.At));
        Assert.Equal((100, 0), (timeline[9].Completed, timeline[9].Failed));
        Assert.Equal(5, timeline[9].P99!.Value, tolerance: 0.1);
        Assert.Equal((0, 2, null), (timeline[10].Completed, timeline[10].Failed, timeline[10].P99));
        Assert.Equal((100, 0), (timeline[12].Completed, timeline[12].Failed));
    }

    private static Completion Spanning(double from, double to) => new(Ticks(to), FromSeconds(to - from));

    private static FaultFigures Make(FaultKind kind, double lasted, double[] failures, double[] repeats) =>
        Assert.Single(Maker(failures, repeats).Make([Struck(kind, lasted)]));

    private static FigureMaker Maker(double[] failures, double[] repeats, params Completion[] others) =>
        new(
            0,
            Ticks(20),
            Range(0, 2_000)
                .Select(n => n / 100.0)
                .Where(at => at is < Gap or >= GapEnd)
                .Select(at => new Completion(Ticks(at), FromMilliseconds(5)))
                .Concat(others),
            failures.Select(Ticks),
            repeats.Select(Ticks)
        );

    private static StruckFault Struck(FaultKind kind, double lasted, double at = Gap) =>
        new(new(kind, "database", FromSeconds(at), FromSeconds(lasted)), Ticks(at), Ticks(at + lasted), new(1, "it struck"));

    private static long Ticks(double seconds) => (long)(seconds * Stopwatch.Frequency);
}
