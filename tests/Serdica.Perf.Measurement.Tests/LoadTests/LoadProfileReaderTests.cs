using Serdica.Perf.Measurement.LoadTests.Profiles;

namespace Serdica.Perf.Measurement.Tests.LoadTests;

public sealed class LoadProfileReaderTests
{
    public static TheoryData<string> Shipped =>
        [
            .. Directory
                .GetFiles(Path.Combine(RepositoryRoot.Folder, "profiles"), "*.yml")
                .Select(path => Path.GetFileNameWithoutExtension(path)!),
        ];

    [Theory]
    [MemberData(nameof(Shipped))]
    public void A_shipped_profile_parses_under_the_name_of_its_file(string name)
    {
        var profile = LoadProfileReader.Read(Path.Combine(RepositoryRoot.Folder, "profiles", name + ".yml"));

        Assert.Equal(name, profile.Name);
        Assert.NotEmpty(profile.Steps);
        EachItem.Holds(profile.Steps, step => Assert.True(step.PerSecond > 0));
    }

    [Fact]
    public void Loads_that_swing_are_said_in_a_line()
    {
        var profile = LoadProfileReader.Parse(
            "steps:\n  - { oscillate: 100..500, period: 4s }\n  - { rate: 1000, backlogBetween: 50..9000 }\n",
            "swings"
        );

        Assert.Equal((new(500, 100, FromSeconds(4)), 300), (profile.Steps[0].Wave, profile.Steps[0].PerSecond));
        Assert.Equal((new(50, 9_000), 18_000), (profile.Steps[1].BacklogBetween, profile.Steps[1].MaxUsers));
        Assert.Throws<LoadProfileException>(() => LoadProfileReader.Parse("steps: [{ users: 3, backlogBetween: 1..2 }]", "wrong"));
        Assert.Throws<LoadProfileException>(() => LoadProfileReader.Parse("steps: [{ rate: 3, period: 1s }]", "wrong"));
    }

    [Fact]
    public void A_profile_says_everything_that_a_load_test_has()
    {
        var profile = LoadProfileReader.Parse(
            """
            name: all
            workers: 3
            slots: 40
            warmUp: 500ms
            cooldown: 1.5m
            drain: 10s
            workerDelay: 2s
            waitForClean: true
            seed: 7
            objectives: { p99: 25ms, errorRate: 1%, lateness: 0.5 }
            thresholds: ["queueTime:p99.9 < 5ms", "throughput >= 12", "lateness < 40%"]
            abortOnThreshold: true
            mix: { signal-roundtrip: 70, start-only: 30 }
            work: { payload: Medium, state: 1kb, fanOut: 2, children: 3, timers: 1, timerDelay: 5ms, delay: 7ms,
              failureRate: 10%, trigger: direct }
            steps:
              - { name: open, rate: 12.5, duration: 2s, arrivals: poisson, reads: 3, users: 5..20 }
              - { rate: 70%, operations: 100 }
              - { users: 8, duration: 1h }
              - { backlog: 500 }
              - { name: up, ramp: 100 }
            """,
            "file"
        );

        Assert.Equal(("all", 3, 40, 7, true), (profile.Name, profile.Workers, profile.Slots, profile.Seed, profile.WaitForClean));
        Assert.Equal(
            (FromMilliseconds(500), FromSeconds(90), FromSeconds(10), FromSeconds(2)),
            (profile.WarmUp, profile.Cooldown, profile.DrainLimit, profile.WorkerDelay)
        );
        Assert.Equal(
            ["responseTime:p99 <= 25ms", "errorRate <= 1%", "queueTime:p99.9 < 5ms", "throughput >= 12", "lateness < 40%"],
            profile.Thresholds.Select(threshold => threshold.Text)
        );
        Assert.True(profile.AbortOnThreshold);
        Assert.Equal([new("signal-roundtrip", 70), new("start-only", 30)], profile.Mix);
        Assert.Equal(
            new()
            {
                PayloadBytes = 4_096,
                StateBytes = 1_000,
                FanOut = 2,
                Children = 3,
                Timers = 1,
                TimerDelay = FromMilliseconds(5),
                ActivityDelay = FromMilliseconds(7),
                FailureRate = 0.1,
                Trigger = WorkTrigger.Direct,
            },
            profile.Work
        );
        Assert.Equal(["open", "step-2", "step-3", "step-4", "up-50", "up-75", "up-100"], profile.Steps.Select(step => step.Name));
        Assert.Equal(
            new()
            {
                Name = "open",
                Kind = LoadKind.Open,
                PerSecond = 12.5,
                Duration = FromSeconds(2),
                Arrivals = ArrivalPattern.Poisson,
                ReadsPerSecond = 3,
                MinUsers = 5,
                MaxUsers = 20,
            },
            profile.Steps[0]
        );
        Assert.Equal((0.7, 100), (profile.Steps[1].ShareOfMaximum, profile.Steps[1].Operations));
        Assert.Equal((LoadKind.Closed, 8), (profile.Steps[2].Kind, profile.Steps[2].MinUsers));
        Assert.Equal((LoadKind.BurnDown, 500), (profile.Steps[3].Kind, profile.Steps[3].Backlog));
        Assert.Equal([50, 75, 100], profile.Steps.Skip(4).Select(step => step.PerSecond!.Value));
    }

    [Fact]
    public void A_volume_a_day_is_a_rate_by_the_size_of_the_payload()
    {
        var profile = LoadProfileReader.Parse("{ work: { payload: 5kb }, steps: [{ volumePerDay: 432GB }] }", "volume");

        Assert.Equal(1_000, profile.Steps[0].PerSecond);
    }

    [Theory]
    [InlineData("steps: []", "Profile 'p' has no steps; it needs a list 'steps', each with a rate, users or a backlog.")]
    [InlineData("steps: [{ name: a }]", "Profile 'p', step a: it needs a rate, a ramp, a volumePerDay, a backlog, oscillate, or users.")]
    [InlineData(
        "steps: [{ rate: 1, backlog: 2 }]",
        "Profile 'p', step 1: rate, ramp, volumePerDay, backlog and oscillate exclude each other."
    )]
    [InlineData("steps: [{ rate: 1, rampBy: 10% }]", "Profile 'p', step 1: rampBy belongs to ramp; add ramp, or leave rampBy out.")]
    [InlineData("steps: [{ backlog: 0 }]", "Profile 'p', step 1: backlog is 0, so nothing would be measured; it must be 1 or more.")]
    [InlineData(
        "steps: [{ rate: fast }]",
        "Profile 'p', step 1: rate is 'fast'; it must be a number per second above 0, or a share of the measured maximum such as 70%."
    )]
    [InlineData(
        "steps: [{ rate: 1, duration: 5 }]",
        "Profile 'p', step 1: duration is '5'; it must be a number followed by ms, s, m or h, for instance 250ms, 30s or 5m, and at "
            + "most 240h."
    )]
    [InlineData(
        "steps: [{ rate: 1, users: 9..3 }]",
        "Profile 'p', step 1: users is '9..3'; it must be a whole number from 1 to 1,000,000, or two such as 5..20, of which the second is "
            + "not the smaller one."
    )]
    [InlineData(
        "{ work: { payload: huge }, steps: [{ rate: 1 }] }",
        "Profile 'p': payload is 'huge'; it must be small (256 bytes), medium (4 KiB), large (64 KiB), or a size such as 512, 1kb or 4KiB."
    )]
    [InlineData("steps: [{ ramp: 0 }]", "Profile 'p', step 1: ramp is '0'; it must be a number per second above 0.")]
    [InlineData("{ work: { trigger: push }, steps: [{ rate: 1 }] }", "Profile 'p': trigger is 'push'; it must be one of event, direct.")]
    public void A_mistake_is_answered_with_its_place_and_what_would_be_right(string text, string sentence) =>
        Assert.Equal(sentence, Mistake(() => LoadProfileReader.Parse(text, "p")));

    [Theory]
    [InlineData("steps: [{ rate: 1, duration: 0s }]", "lasts 0 s; ")]
    [InlineData("steps: [{ users: 1, duration: 0s }]", "lasts 0 s; ")]
    [InlineData("steps: [{ volumePerDay: 0 }]", "has 0 operations a second; ")]
    [InlineData("{ work: { payload: 0 }, steps: [{ volumePerDay: 1GB }] }", "has Infinity operations a second; ")]
    [InlineData("steps: [{ oscillate: 1..2, period: 0s }]", "alternates every 0 s; ")]
    public void A_profile_by_which_nothing_can_be_measured_is_refused_before_it_runs(string text, string sentence)
    {
        var profile = LoadProfileReader.Parse(text, "p");

        var mistake = Mistake(() => LoadWork.Of(profile).Check(profile));
        Assert.StartsWith($"Step '{profile.Steps[0].Name}' {sentence}", mistake);
    }

    [Fact]
    public void A_key_that_is_not_known_is_refused_with_its_line()
    {
        var mistake = Mistake(() => LoadProfileReader.Parse("name: x\nsteps:\n  - rate: 1\n    frob: 2\n", "p"));

        Assert.Contains("line 4", mistake);
        Assert.Contains("frob", mistake);
    }

    [Fact]
    public void A_scaled_profile_is_shorter_at_the_same_rates_and_keeps_a_second()
    {
        var profile = LoadProfileReader
            .Parse("{ cooldown: 100s, steps: [{ rate: 50, duration: 5m }, { rate: 9, duration: 10s }] }", "p")
            .Scaled(0.05);

        Assert.Equal([(50, 15), (9, 1)], profile.Steps.Select(step => (step.PerSecond!.Value, step.Duration.TotalSeconds)));
        Assert.Equal(FromSeconds(5), profile.Cooldown);
    }
}
