namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class LoadAdviceTests
{
    [Fact]
    public void A_step_that_was_held_gets_no_advice_and_no_rate_that_nobody_tried() =>
        Assert.Empty(
            Of(
                SampleStep.Good,
                busyCores: 1.58,
                walBytes: 1_500,
                waits: [new("IO", "WALSync", 8_000_000, 900), new("CPU", "running", 2_000_000, 200)]
            )
        );

    [Fact]
    public void A_step_without_processors_to_spare_gets_more_cores_for_its_target()
    {
        var advice = Assert.Single(Of(SampleStep.Good with { Verdict = StepVerdict.Failed, TargetPerSecond = 200 }, busyCores: 1.8));

        Assert.Equal((AdviceKind.Infrastructure, "cores", "2", "6"), (advice.Kind, advice.Subject, advice.Now, advice.Advised));
        Assert.Empty(Of(SampleStep.Good with { Verdict = StepVerdict.Failed, TargetPerSecond = 200 }, busyCores: 1.6));
    }

    [Fact]
    public void Users_are_advised_where_all_were_busy_and_processors_were_free()
    {
        var step = SampleStep.Good with
        {
            Verdict = StepVerdict.Failed,
            TargetPerSecond = 1_000,
            MaxUsers = 3,
            Counts = SampleStep.Good.Counts with { Dropped = 5 },
        };

        var advice = Assert.Single(Of(step, busyCores: 0.5));

        // 1,000 a second of 19 ms each are 19 at a time, and a quarter more.
        Assert.Equal((AdviceKind.Configuration, "users (--users)", "3", "24"), (advice.Kind, advice.Subject, advice.Now, advice.Advised));
        Assert.DoesNotContain(Of(step, busyCores: 1.9), other => other.Subject == advice.Subject);
        Assert.Empty(Of(step with { PeakUsers = 2 }, busyCores: 0.5));
    }

    /// <summary>2,000 a second of 1,500 bytes for 15 minutes, times 1.9, are 4.8 GiB.</summary>
    [Theory]
    [InlineData("4GB", "15min", "5GB")]
    [InlineData("4096MB", "900s", "5GB")]
    [InlineData("4194304kB", "0.25h", "5GB")]
    [InlineData("6GB", "900000ms", null)]
    [InlineData("6144MB", "15min", null)]
    [InlineData("6291456kB", "15min", null)]
    [InlineData("1TB", "1d", null)]
    [InlineData("0.4TB", "1d", "459GB")]
    public void Room_for_the_log_is_advised_where_it_would_not_last_to_the_next_checkpoint(string room, string timeout, string? advised)
    {
        var step = SampleStep.Good with { Verdict = StepVerdict.Failed, TargetPerSecond = 2_000 };

        var advice = Of(step, busyCores: 0.1, walBytes: 1_500, maxWalSize: room, timeout: timeout).SingleOrDefault();

        Assert.Equal(advised, advice?.Advised);
        if (advice is not null)
            Assert.Equal((AdviceKind.Configuration, "max_wal_size", room), (advice.Kind, advice.Subject, advice.Now));
    }

    [Fact]
    public void A_faster_disk_is_advised_where_the_log_has_most_of_the_time()
    {
        var advice = Assert.Single(
            Of(
                SampleStep.Good with { Verdict = StepVerdict.Failed, Saturation = "The backlog grew." },
                busyCores: 0.5,
                waits: [new("IO", "WALSync", 8_000_000, 900), new("CPU", "running", 2_000_000, 200)]
            )
        );

        // 80 % for the log: it would be half if a flush took a quarter of its time.
        Assert.Equal((AdviceKind.Infrastructure, "0.80 ms", "0.20 ms"), (advice.Kind, advice.Now, advice.Advised));
    }

    [Fact]
    public void Where_the_generator_was_the_limit_there_is_nothing_to_advise()
    {
        var step = SampleStep.Good with { Verdict = StepVerdict.Failed, TargetPerSecond = 200 };

        Assert.NotEmpty(Of(step, busyCores: 1.8));
        Assert.Empty(Of(step with { GeneratorLimited = true }, busyCores: 1.8));
    }

    private static IReadOnlyList<Advice> Of(
        StepResult step,
        double busyCores,
        double? walBytes = null,
        string maxWalSize = "4GB",
        ServerWait[]? waits = null,
        string timeout = "15min"
    )
    {
        var scenario = SampleRun.LoadStep("test-step") with
        {
            EngineMetrics = new Metrics
            {
                [MetricNames.EngineCpu] = MetricValue.Of(busyCores * 5_000, "ms"),
                [MetricNames.MachineCpu] = MetricValue.Of(busyCores * 10_000, "ms"),
            },
            DatabaseMetrics = new Metrics { [MetricNames.DatabaseCpu] = MetricValue.Of(busyCores * 5_000, "ms") },
            CostPerOperation = walBytes is { } bytes
                ? new Metrics { [MetricNames.WalBytes] = MetricValue.Of(bytes, "bytes") }
                : [],
            TopWaits = waits ?? [],
            Drain = null,
        };
        var database = SampleRun.Database with
        {
            Settings = new Dictionary<string, string> { ["max_wal_size"] = maxWalSize, ["checkpoint_timeout"] = timeout },
        };

        return LoadAdvice.Of(
            new()
            {
                Verdict = step.Verdict,
                RunId = "advised",
                StartedAt = DateTimeOffset.UnixEpoch,
                Backend = "postgresql",
                Profile = new() { Name = "advised", Steps = [] },
                Steps = [step with { Scenario = scenario.Name }],
                Command = "",
            },
            SampleRun.Passed with { Scenarios = [scenario], Databases = [database] }
        );
    }
}
