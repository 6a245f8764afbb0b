using Serdica.Perf.Measurement.Soak;

namespace Serdica.Perf.Measurement.Tests.Scenarios;

public sealed class LongSoakTests
{
    private const string Name = "long-soak";

    private static readonly RunOptions Brief = new()
    {
        WarmUp = 0,
        Duration = FromSeconds(1),
        Concurrency = 4,
    };

    [Fact]
    public async Task A_soak_offers_a_part_of_the_calibrated_maximum_and_accounts_for_every_arrival()
    {
        var result = await RunAsync(Mutation.None, Brief);

        Assert.True(result.FailureReasons.Count == 0, string.Join(" ", result.FailureReasons));
        var soak = result.Soak!;
        Assert.Equal(soak.MaximumPerSecond * 0.7, soak.OfferedPerSecond, 1e-9);
        Assert.Equal(Math.Max(1, Math.Round(soak.OfferedPerSecond)), result.Counts.Started + result.Counts.Dropped);
        Assert.True(result.Counts.Balanced);
        Assert.Equal(result.Counts.Started, result.Operations);
        Assert.Equal(result.Counts.Completed, result.ResponseTime.Count);
        Assert.Equal(result.Counts.Started, result.Phases[PhaseNames.ScheduleLag].Count);
        Assert.Equal(result.Counts.Started, result.GeneratorLag!.Count);
        Assert.Null(result.LatencyToDrain);
        Assert.Equal(("poisson", "1"), (result.Parameters.Options["arrivals"], result.Parameters.Options["seed"]));
    }

    [Fact]
    public async Task Intervals_follow_each_other_and_hold_no_completion_twice()
    {
        var result = await RunAsync(Mutation.None, Brief);
        var soak = result.Soak!;

        Assert.InRange(soak.Intervals.Count, 1, 10);
        Assert.Equal(0, soak.Intervals[0].OffsetSeconds);
        EachItem.Holds(soak.Intervals.Zip(soak.Intervals.Skip(1)), pair =>
            Assert.Equal(pair.First.OffsetSeconds + pair.First.LengthSeconds, pair.Second.OffsetSeconds, 1e-9)
        );
        Assert.InRange(
            soak.Intervals.Sum(interval => interval.Completed),
            soak.Intervals.Count > 1 ? 1 : 0,
            (long)Math.Round(soak.OfferedPerSecond)
        );
        EachItem.Holds(
            soak.Intervals,
            interval =>
            {
                Assert.Equal(interval.Completed, interval.PerSecond * interval.LengthSeconds, 1e-6);
                Assert.InRange(interval.P99Ms ?? 0, 0, 2 * result.ResponseTime.MaxMs!.Value);
            }
        );
    }

    [Fact]
    public void Trend_is_by_minute_and_leaves_out_intervals_without_a_value()
    {
        var intervals = Range(0, 12)
            .Select(index => new SoakInterval(index * 30, 30, 1, 1, index == 5 ? null : index, new Dictionary<string, double>()))
            .ToArray();

        var trend = SoakWatch.TrendOf(intervals, interval => interval.P99Ms);

        Assert.Equal(11, trend.Points);
        Assert.Equal(2, trend.Slope!.Value, 1e-9);
    }

    /// <summary>A soak that would run out of memory after minutes is refused before.</summary>
    [Theory]
    [InlineData(1_400_000, false)]
    [InlineData(1_399_999, true)]
    public void A_soak_may_need_half_of_the_memory_for_what_its_operations_leave(long availableBytes, bool isRefused)
    {
        var problem = new SoakCalibration(PerSecond: 100, BytesPerOperation: 1_000).Problem(new(FromSeconds(10)), availableBytes);

        Assert.Equal(isRefused, problem is not null);
        if (isRefused)
            Assert.Contains("1000 bytes for each of 700 operations", problem);
    }

    [Fact]
    public async Task Gauges_without_a_server_are_missing_with_the_reason_and_those_of_the_process_are_there()
    {
        var series = (await RunAsync(Mutation.None, Brief)).Soak!.Series.ToDictionary(series => series.Name);

        Assert.Equal(["throughput", "p99", "deadRows", "connections", "tableBytes", "workingSet", "managedHeap"], series.Keys);
        EachItem.Holds(["deadRows", "connections", "tableBytes"], name =>
            Assert.Equal((null, "The backend has no server that could report it."), (series[name].Trend, series[name].Reason))
        );
        EachItem.Holds(["throughput", "p99", "workingSet", "managedHeap"], name =>
            Assert.True(series[name] is { Trend: not null } or { Reason: "The soak was too short for a sample." })
        );
    }

    [Fact]
    public async Task Gauges_of_a_server_are_sampled_and_those_it_lacks_have_its_reason()
    {
        var result = await RunAsync(Mutation.None, Brief with { Duration = FromSeconds(8) }, new GrowingStatistics());

        var series = result.Soak!.Series.ToDictionary(series => series.Name);
        // On a busy machine an interval may end before its sample has come.
        double[] sampled =
        [
            .. result
                .Soak.Intervals.Where(interval => interval.Gauges.ContainsKey("deadRows"))
                .Select(interval => interval.Gauges["deadRows"]),
        ];
        Assert.NotEmpty(sampled);
        Assert.Equal(sampled.Distinct().Order(), sampled);
        Assert.NotEqual(TrendVerdict.Falling, series["deadRows"].Trend?.Verdict);
        Assert.Equal("The server is too old.", series["connections"].Reason);
        Assert.Equal("The server's statistics have no 'tableBytes'.", series["tableBytes"].Reason);
    }

    /// <summary>Arrivals that find all calls in flight wait for the store, and the generator is not to blame for it.</summary>
    [Fact]
    public async Task A_store_that_stalls_until_the_cap_is_reached_makes_operations_late_and_does_not_excuse_them()
    {
        var stall = new Lazy<Task>(() => Task.Delay(FromSeconds(3)));

        var result = await RunAsync(Mutation.None, Brief with { Duration = FromSeconds(2) }, submitting: progress =>
            progress.Phase == ScenarioPhase.Measuring ? stall.Value : Task.CompletedTask
        );

        Assert.True(result.FailureReasons.Count == 0, string.Join(" ", result.FailureReasons));
        Assert.NotEqual(0, result.Counts.Late);
        Assert.InRange(result.Phases[PhaseNames.ScheduleLag].MaxMs!.Value, 100, double.MaxValue);
        Assert.False(GeneratorLimit.IsOf(result), $"The generator's own lag had a p99 of {result.GeneratorLag?.P99Ms} ms.");
    }

    /// <summary>Arrivals that were never started are in no response time, so their number must not be passed over.</summary>
    [Fact]
    public async Task A_store_that_does_not_recover_fails_the_soak_by_the_arrivals_that_were_dropped()
    {
        var result = await RunAsync(Mutation.None, Brief with { Concurrency = 1 }, submitting: StallAsync, dropAfter: FromMilliseconds(1));

        Assert.NotEqual(0, result.Counts.Dropped);
        Assert.Equal(
            (ScenarioStatus.Failed, $"arrivals dropped because no caller became free: expected 0, found {result.Counts.Dropped}."),
            (result.Status, Assert.Single(result.FailureReasons))
        );

        static async Task StallAsync(ScenarioProgress progress)
        {
            while (progress.Phase == ScenarioPhase.Measuring && progress.Dropped == 0)
                await Task.Delay(1, CancellationToken.None);
        }
    }

    [Fact]
    public async Task A_backend_that_loses_an_instance_fails_by_name_of_the_check()
    {
        var result = await RunAsync(Mutation.LoseInstance, Brief);

        Assert.Equal(ScenarioStatus.Failed, result.Status);
        Assert.Null(result.ThroughputPerSecond);
        Assert.Contains(result.Verification, check => !check.Passed && check.Check.StartsWith("every instance found"));
    }

    [Fact]
    public async Task A_backend_on_which_nothing_completes_has_no_maximum_to_take_a_part_of()
    {
        var result = await RunAsync(Mutation.DropSignal, Brief with { Concurrency = 1, StallLimit = FromSeconds(1) });

        Assert.Equal(ScenarioStatus.Failed, result.Status);
        Assert.Equal(["Nothing completed in the calibration, so there is no maximum to take a part of."], result.FailureReasons);
    }

    private static async Task<ScenarioResult> RunAsync(
        Mutation mutation,
        RunOptions options,
        IBackendStatistics? statistics = null,
        Func<ScenarioProgress, Task>? submitting = null,
        TimeSpan? dropAfter = null
    )
    {
        var scenario = ScenarioCatalog.Find(Name)!;
        var progress = new ScenarioProgress(Name, options.Apply(scenario, repeat: 1));
        var backend = new MutantBackend(mutation, submitting is null ? null : () => submitting(progress));
        await using var store = new TestStore(backend, statistics);
        var runner = new ScenarioRunner(options) { DropAfter = dropAfter ?? HangGuard.Limit };
        return (await runner.RunAsync(scenario, store, progress, Token)).Result;
    }

    /// <summary>A server whose dead rows grow with every look, and that does not know everything.</summary>
    private sealed class GrowingStatistics : IBackendStatistics
    {
        private int _looks;

        public Task<StatisticsSnapshot> TakeSnapshotAsync(SnapshotDepth depth, CancellationToken cancellationToken) =>
            Task.FromResult<StatisticsSnapshot>(
                new(
                    new Dictionary<string, Statistic>
                    {
                        ["deadRows"] = new(++_looks, IsGauge: true),
                        ["connections"] = new(null, Missing: "The server is too old.", IsGauge: true),
                    }
                )
            );

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
