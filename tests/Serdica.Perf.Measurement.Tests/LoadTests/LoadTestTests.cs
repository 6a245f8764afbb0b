using System.Reflection;
using Serdica.Perf.Compliance;
using Serdica.Perf.Measurement.Tests.Baselines;
using Serdica.Perf.Measurement.Tests.Scenarios;

namespace Serdica.Perf.Measurement.Tests.LoadTests;

/// <summary>Load tests from end to end, in memory.</summary>
public sealed class LoadTestTests : FolderTests
{
    private static readonly LoadProfile Brief = new()
    {
        Name = "test",
        WarmUp = TimeSpan.Zero,
        DrainLimit = FromSeconds(60),
        Steps = [Open("open", 200)],
    };

    [Theory]
    [InlineData(ArrivalPattern.Uniform)]
    [InlineData(ArrivalPattern.Poisson)]
    public async Task An_open_load_accounts_for_every_arrival(ArrivalPattern arrivals)
    {
        var step = await StepAsync(Brief with { Steps = [Open("open", 200) with { Arrivals = arrivals }] });

        AssertCorrect(step);
        Assert.Equal(step.Counts.Started, step.Response.Count);
        Assert.True(step.QueueTime.Count >= step.Counts.Completed, "Each operation has a signal.");
        if (arrivals == ArrivalPattern.Uniform)
            Assert.Equal(200, step.Counts.Started);
    }

    [Fact]
    public async Task Repeats_have_a_fresh_store_each_and_one_name_in_the_summary()
    {
        var result = await RunAsync((Brief with { Steps = [Open("low", 100), Open("high", 200)] }).Repeated(2));

        Assert.Equal(["low #1", "high #1", "low #2", "high #2"], result.Steps.Select(step => step.Name));
        EachItem.Holds(result.Steps, AssertCorrect);
        Assert.Equal(4, result.Steps.Select(step => step.Histograms[PhaseNames.ResponseTime]).Distinct().Count());
        Assert.Equal(
            [("in-memory-test-low", 2), ("in-memory-test-high", 2)],
            StepRepeats.Of(result.Steps).Select(step => (step.Name, step.Repeats))
        );
        Assert.Equal(
            [LoadPhaseKind.WarmUp, LoadPhaseKind.Step, LoadPhaseKind.Step, LoadPhaseKind.WarmUp, LoadPhaseKind.Step, LoadPhaseKind.Step],
            result.Phases.Select(phase => phase.Kind).Where(kind => kind is LoadPhaseKind.WarmUp or LoadPhaseKind.Step)
        );
    }

    [Fact]
    public async Task A_load_is_warm_by_the_rule_of_scenarios_before_its_first_step()
    {
        var profile = Brief with { WarmUp = LoadProfile.ShortestWarmUp, Steps = [Open("one", 50), Open("two", 50)] };

        var (_, run) = await RunAsync(profile, LoadWork.Of(profile));

        var warmUp = run.Scenarios[0].WarmUp!;
        Assert.True(warmUp.Operations >= 2_000, $"{warmUp}");

        // In memory, a fast machine ends it by its operations.
        Assert.True(
            warmUp is { DurationMs: >= 3_000, End: WarmUpEnd.Steady or WarmUpEnd.TimeLimit }
                or { Operations: >= 250_000, End: WarmUpEnd.OperationCount },
            $"{warmUp}"
        );
        Assert.Null(run.Scenarios[1].WarmUp);
    }

    [Fact]
    public async Task A_warm_up_that_is_too_short_to_be_judged_ends_after_its_time_and_is_a_warning()
    {
        var profile = Brief with { WarmUp = FromMilliseconds(100) };

        var (_, run) = await RunAsync(profile, LoadWork.Of(profile));

        var step = Assert.Single(run.Scenarios);
        Assert.Equal(WarmUpEnd.TimeLimit, step.WarmUp!.End);
        Assert.Equal(
            step.Status == ScenarioStatus.Passed,
            run.Warnings.Any(warning => (warning.Code, warning.Scenario) == (WarningCodes.NotWarm, step.Name))
        );
    }

    [Fact]
    public async Task A_closed_load_lasts_its_time_and_a_limit_of_operations_ends_it_sooner()
    {
        var users = new LoadStep { Name = "users", Kind = LoadKind.Closed, MinUsers = 4, Duration = FromSeconds(0.3) };

        var result = await RunAsync(
            Brief with { Steps = [users, users with { Name = "few", Operations = 10, Duration = FromMinutes(1) }] }
        );

        EachItem.Holds(result.Steps, AssertCorrect);

        // How many it completes in its time is the machine's; that users begin again shows the second.
        Assert.Equal(0.3, result.Steps[0].PlannedSeconds, 1e-9);
        Assert.True(result.Steps[1].PlannedSeconds < 60, $"It was to last {result.Steps[1].PlannedSeconds} s.");
        Assert.Equal((10, 4), (result.Steps[1].Counts.Completed, result.Steps[1].PeakUsers));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_closed_load_has_no_bound_but_that_of_its_work_and_says_when_that_ended_it(bool canBeEndless)
    {
        var asked = 0;
        var idle = IdleWorkload.Scenario(canBeEndless, count => asked = count);
        var users = new LoadStep
        {
            Name = "users",
            Kind = LoadKind.Closed,
            MinUsers = 2,
            Duration = canBeEndless ? FromSeconds(0.2) : FromSeconds(60),
        };

        var step = await StepAsync(Brief with { Workflow = "idle", Steps = [users] }, idle);

        AssertCorrect(step);
        if (canBeEndless)
        {
            Assert.Equal((OperationSet.Endless, false, 0.2), (asked, step.UsedUp, step.PlannedSeconds));
            return;
        }

        Assert.Equal((asked, StepVerdict.Degraded), (step.Counts.Completed, step.Verdict));
        Assert.True(step.PlannedSeconds < 60);
        Assert.Equal(step.Counts.Completed / Math.Max(step.PlannedSeconds, step.ElapsedSeconds), step.CompletedPerSecond, 1e-6);
        Assert.Contains(step.Reasons, reason => reason.Contains("operations were used up after "));
    }

    [Theory]
    [InlineData(LoadKind.Closed, ArrivalPattern.Uniform)]
    [InlineData(LoadKind.Open, ArrivalPattern.Uniform)]
    [InlineData(LoadKind.Open, ArrivalPattern.Poisson)]
    public async Task A_number_of_operations_ends_the_time_that_rates_are_over(LoadKind kind, ArrivalPattern arrivals)
    {
        var few = new LoadStep
        {
            Name = "few",
            Kind = kind,
            PerSecond = kind == LoadKind.Open ? 200 : null,
            Arrivals = arrivals,
            MinUsers = 2,
            Operations = 10,
            Duration = FromMinutes(1),
        };

        var step = await StepAsync(Brief with { Workflow = "idle", Steps = [few] }, IdleWorkload.Scenario(true, _ => { }));

        AssertCorrect(step);
        Assert.Equal((10, false), (step.Counts.Completed, step.UsedUp));
        Assert.InRange(step.PlannedSeconds, 0, 59);
        Assert.True(step.CompletedPerSecond > 10 / 60.0);
        if (kind == LoadKind.Open)
            Assert.Equal(10 / step.PlannedSeconds, step.OfferedPerSecond!.Value, 1e-6);
    }

    [Fact]
    public async Task A_backlog_is_prepared_before_the_workers_start_and_burnt_down()
    {
        var burn = new LoadStep { Name = "burn", Kind = LoadKind.BurnDown, Backlog = 300 };

        var step = await StepAsync(Brief with { Steps = [burn] });

        AssertCorrect(step);
        Assert.Equal((300, 0), (step.Counts.Completed, step.Contamination));
    }

    [Fact]
    public async Task The_phases_follow_one_another_and_name_what_is_measured()
    {
        var step = Open("one", 100) with { Duration = FromMilliseconds(200) };

        var result = await RunAsync(
            Brief with { Cooldown = FromMilliseconds(20), Steps = [step, step with { Name = "two" }] },
            driver: new()
        );

        Assert.True(result.GeneratorCeilingPerSecond > 0);
        LoadPhaseKind[] each = [LoadPhaseKind.Audit, LoadPhaseKind.Step, LoadPhaseKind.Drain, LoadPhaseKind.Audit];
        Assert.Equal(
            [LoadPhaseKind.Ceiling, LoadPhaseKind.WarmUp, .. each, LoadPhaseKind.Cooldown, .. each],
            result.Phases.Select(phase => phase.Kind)
        );
        Assert.Equal(["one", "two"], result.Phases.Where(phase => phase.Kind == LoadPhaseKind.Step).Select(phase => phase.Step));
        EachItem.Holds(result.Phases, phase => Assert.True(phase.FromSeconds <= phase.ToSeconds && !phase.BrokenOff));
        EachItem.Holds(result.Phases.Zip(result.Phases.Skip(1)), pair => Assert.True(pair.First.ToSeconds <= pair.Second.FromSeconds));
    }

    [Fact]
    public async Task A_test_that_is_stopped_says_in_which_phase()
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(Token);
        var (suite, backend) = await BeginAsync(Root);
        var profile = Brief with
        {
            Steps =
            [
                Open("first", 100) with { Duration = FromMilliseconds(100) },
                Open("endless", 100) with { Duration = FromHours(1) },
            ],
        };
        var test = new LoadTest(suite, backend, profile, LoadWork.Of(profile));

        var running = test.RunAsync(stop.Token);
        while (test.Result("", DateTimeOffset.UnixEpoch, 1, null).Phases is not [.., { Kind: LoadPhaseKind.Step, Step: "endless" }])
            await Task.Delay(5, Token);
        await stop.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        var phases = test.Result("", DateTimeOffset.UnixEpoch, 1, null).Phases;
        Assert.Equal((LoadPhaseKind.Step, "endless", true), (phases[^1].Kind, phases[^1].Step, phases[^1].BrokenOff));
        EachItem.Holds(phases.SkipLast(1), phase => Assert.False(phase.BrokenOff));

        // The first step was right, and the test as a whole was not.
        var result = test.Result("", DateTimeOffset.UnixEpoch, 1, null);
        AssertCorrect(Assert.Single(result.Steps));
        Assert.Equal((StepVerdict.Failed, "endless"), (result.Verdict, Assert.Single(result.NotRun)));
    }

    [Fact]
    public async Task Each_step_waits_for_the_other_generators()
    {
        var (suite, backend) = await BeginAsync(Root);
        var few = Open("few", 200) with { Operations = 5 };
        var profile = (Brief with { Steps = [few, few with { Name = "more" }] }).Repeated(2);
        List<int> done = [];

        await new LoadTest(suite, backend, profile, LoadWork.Of(profile))
        {
            BeforeEachStep = _ =>
            {
                done.Add(suite.SoFar().Scenarios.Count);
                return Task.CompletedTask;
            },
        }.RunAsync(Token);

        Assert.Equal([0, 1, 2, 3], done);
    }

    /// <summary>Generators that still prepared theirs while others drained would not burn down one backlog.</summary>
    [Fact]
    public async Task Backlog_is_prepared_before_the_wait_for_the_other_generators()
    {
        var (suite, _) = await BeginAsync(Root);
        var store = new InMemoryWorkflowBackend();
        var profile = Brief with { Steps = [new() { Name = "burn", Kind = LoadKind.BurnDown, Backlog = 30 }] };
        long open = 0;

        await new LoadTest(suite, new MemoryBackend(() => store), profile, LoadWork.Of(profile))
        {
            BeforeEachStep = async token => open = (await store.TakeCensusAsync(token)).Open,
        }.RunAsync(Token);

        Assert.Equal(30, open);
    }

    [Fact]
    public async Task A_backlog_swings_between_its_bounds()
    {
        // One slot of 20 ms ends 50 a second, of which 500 arrive.
        var profile = Brief with
        {
            Work = new() { ActivityDelay = FromMilliseconds(20) },
            Slots = 1,
            Steps = [LoadSteps.WithBacklogBetween(Open("swing", 500) with { Duration = FromSeconds(1.5) }, low: 5, high: 20)],
        };

        var step = await StepAsync(profile);

        AssertCorrect(step);
        Assert.Null(step.TargetPerSecond);
        Assert.True(step.Oscillation!.Cycles >= 1, "A slot of 20 ms and 500 arrivals a second never made a backlog of 20.");
        Assert.InRange(step.Oscillation.PeakBacklog, 20, 499);
    }

    [Fact]
    public async Task A_rate_that_alternates_is_held_against_its_own_schedule()
    {
        var step = await StepAsync(Brief with { Steps = [LoadSteps.Oscillating(Open("wave", 0), 50, 250, FromSeconds(0.5))] });

        AssertCorrect(step);
        Assert.Equal((150, 150), (step.TargetPerSecond, step.Counts.Started));
    }

    [Fact]
    public async Task Workers_that_start_late_leave_a_backlog_which_is_in_the_response_times()
    {
        var step = await StepAsync(Brief with { WorkerDelay = FromMilliseconds(400) });

        AssertCorrect(step);
        Assert.True(step.Response.MaxMs >= 350, $"The longest response took {step.Response.MaxMs} ms.");
    }

    [Fact]
    public async Task A_part_of_the_maximum_is_a_rate_after_a_calibration()
    {
        var result = await RunAsync(
            Brief with { Steps = [Open("part", 1) with { PerSecond = null, ShareOfMaximum = 0.01, Duration = FromSeconds(0.5) }] }
        );

        Assert.True(result.MaximumPerSecond > 0);
        Assert.Equal(result.MaximumPerSecond * 0.01, result.Steps[0].TargetPerSecond);
        AssertCorrect(result.Steps[0]);
    }

    [Fact]
    public async Task A_part_of_a_maximum_that_could_not_be_measured_is_no_rate()
    {
        // All of its operations fail.
        var idle = IdleWorkload.Scenario(canBeEndless: true, _ => { }, failing: -1);

        var error = await Assert.ThrowsAsync<WorkflowBackendException>(() =>
            RunAsync(Brief with { Workflow = "idle", Steps = [Open("part", 1) with { PerSecond = null, ShareOfMaximum = 0.7 }] }, idle)
        );

        Assert.Equal("Nothing completed in the calibration, so there is no maximum to take a part of.", error.Message);
    }

    [Fact]
    public async Task Resources_of_the_machine_are_by_all_its_processors()
    {
        Root.Write("proc/cpuinfo", string.Concat(Range(0, 640).Select(number => $"processor\t: {number}\n\n")));
        var (suite, _) = await BeginAsync(Root, Root.Path);
        var resources = suite.Resources();

        resources.Add(ResourceSeriesTests.At(0, 0, null, null));
        resources.Add(ResourceSeriesTests.At(1, 0, null, machine: 0.5));

        Assert.Equal(320, resources.Figures().Single(component => component.Component == "machine").Cpu!.Max);
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task Work_of_every_shape_is_done_and_read_back(WorkShape shape)
    {
        var step = await StepAsync(Brief with { Work = shape, Steps = [Open("shaped", 100)] });

        AssertCorrect(step);
        Assert.Equal(100, step.Counts.Completed);
        Assert.Equal((long)(100 * shape.FanOut * shape.FailureRate), step.Counts.InjectedFailures);
        var bytes = shape.FanOut * (shape.Trigger == WorkTrigger.Event ? shape.PayloadBytes : shape.StateBytes);
        Assert.Equal(bytes, step.BytesPerSecond!.Value / step.CompletedPerSecond, 1e-6);
    }

    public static TheoryData<WorkShape> Shapes =>
        [
            new WorkShape { PayloadBytes = 10_000, StateBytes = 5_000 },
            new WorkShape { PayloadBytes = 2_000, FanOut = 3 },
            new WorkShape { Children = 2 },
            new WorkShape { Timers = 2, TimerDelay = FromMilliseconds(1) },
            new WorkShape { ActivityDelay = FromMilliseconds(1) },
            new WorkShape { FailureRate = 0.1, FanOut = 2 },
            new WorkShape { Trigger = WorkTrigger.Direct },
            new WorkShape { Trigger = WorkTrigger.Direct, ActivityDelay = FromMilliseconds(1), Children = 1, Timers = 1 },
        ];

    [Fact]
    public async Task Reads_have_a_rate_of_their_own_beside_the_load()
    {
        var step = await StepAsync(Brief with { Steps = [Open("mixed", 100) with { ReadsPerSecond = 50 }] });

        AssertCorrect(step);
        Assert.Equal((50, 0), (step.Reads!.Completed, step.Reads.Failed));
    }

    [Fact]
    public async Task Reads_that_failed_have_ended_too()
    {
        var (step, _) = await RunAsync(
            Brief with { Steps = [Open("mixed", 100) with { ReadsPerSecond = 50 }] },
            new MemoryBackend(() => new CountedReads(failing: 40))
        );

        Assert.Equal((10, 40), (step.Reads!.Completed, step.Reads.Failed));
        Assert.InRange(step.Reads.AchievedPerSecond, 25, 50);
    }

    [Fact]
    public async Task Reads_end_with_the_operations_that_they_are_beside()
    {
        var few = Open("mixed", 10) with { Operations = 20, ReadsPerSecond = 200, Duration = FromMinutes(1) };

        var step = await StepAsync(Brief with { Steps = [few] });

        AssertCorrect(step);
        Assert.Equal((20, 0), (step.Counts.Completed, step.Reads!.Failed));
        Assert.InRange(step.Reads.Completed, 1, 2_000);
    }

    [Theory]
    [InlineData(0, 10_000)]
    [InlineData(10_000, 1)]
    public void More_arrivals_than_a_step_can_have_are_refused(double reads, double rate)
    {
        var day = Open("day", rate) with { ReadsPerSecond = reads, Duration = FromDays(1) };
        var profile = Brief with { Steps = [day] };

        Assert.Equal(
            "Step 'day' has 864,000,000 arrivals, and a step can have 536,870,911; give it a shorter duration or a lower rate.",
            Mistake(() => LoadWork.Of(profile).Check(profile))
        );
        profile = Brief with { Steps = [Open("most", 1) with { Duration = FromSeconds(ArrivalTimes.Most) }] };
        LoadWork.Of(profile).Check(profile);
    }

    [Fact]
    public async Task Read_of_an_instance_that_is_lost_fails()
    {
        await using var backend = new CountedReads();
        await backend.InitializeAsync(Token);
        var reads = new InstanceReads(2, backend, new Lost());

        // While no instance was started, the database is asked all the same.
        await reads.LaunchAsync(0, Token);
        Assert.Equal(1, backend.Reads);

        await Assert.ThrowsAsync<OperationFailedException>(() => reads.LaunchAsync(1, Token).AsTask());
    }

    /// <summary>A drain begins with the last start, or with the end of the planned time where that is later.</summary>
    [Theory]
    [InlineData(1_000)]
    [InlineData(1)]
    public async Task Drain_lasts_from_the_end_of_the_load_to_the_last_completion(int users)
    {
        var result = await RunAsync(
            Brief with
            {
                Slots = 1,
                Work = new() { ActivityDelay = FromMilliseconds(20) },
                Steps = [Open("burst", 100) with { Duration = FromSeconds(0.2), MinUsers = 1, MaxUsers = users }],
            }
        );

        var step = Assert.Single(result.Steps);
        double Of(LoadPhaseKind kind, Func<LoadPhase, double> time) => time(result.Phases.Last(phase => phase.Kind == kind));
        var loaded = step.Counts.Started / step.StartedPerSecond;
        var (begun, drained) = (Of(LoadPhaseKind.Step, phase => phase.FromSeconds), Of(LoadPhaseKind.Drain, phase => phase.ToSeconds));
        Assert.InRange(step.DrainSeconds + loaded, step.ElapsedSeconds - 1e-6, drained - begun + 1e-6);
    }

    [Fact]
    public async Task Failures_on_purpose_are_counted_where_they_are_thrown()
    {
        var shape = new WorkShape { Trigger = WorkTrigger.Direct, FailureRate = 0.5 };
        await using var workload = new ShapedWorkload(
            new TestStore(new InMemoryWorkflowBackend()),
            shape,
            new WorkflowOptions { Workers = 1 }
        );
        await workload.OpenAsync(Token);
        var operations = workload.CreateOperations(OperationSet.Endless, warmUp: false);

        for (var operation = 0; operation < 3; operation++)
            await await operations.LaunchAsync(operation, Token);

        // The second of each two.
        Assert.Equal(1, workload.InjectedFailures);
    }

    [Fact]
    public async Task What_the_work_cannot_do_is_said_before_anything_is_started()
    {
        var store = new TestStore(new InMemoryWorkflowBackend());
        var scenario = ScenarioCatalog.Find("child-fan-out")!;
        var reads = Brief with { Workflow = "child-fan-out", Steps = [Open("mixed", 10) with { ReadsPerSecond = 5 }] };
        var burnDownLate = Brief with { Steps = [Open("first", 10), new() { Name = "burn", Kind = LoadKind.BurnDown, Backlog = 3 }] };

        await Assert.ThrowsAsync<LoadProfileException>(() => LoadWork.Of(reads, scenario).CheckAsync(reads, store));
        await Assert.ThrowsAsync<LoadProfileException>(() => LoadWork.Of(burnDownLate).CheckAsync(burnDownLate, store));
        await Assert.ThrowsAsync<LoadProfileException>(() =>
            LoadWork
                .Of(Brief, IdleWorkload.Scenario(true, _ => { }))
                .CheckAsync(Brief with { WorkerDelay = FromSeconds(1) }, store)
        );
        await LoadWork.Of(reads).CheckAsync(reads with { WorkerDelay = FromSeconds(1) }, store);
        await LoadWork.Of(burnDownLate).CheckAsync(burnDownLate with { FreshSteps = true }, store);
    }

    [Theory]
    [InlineData(WorkTrigger.Direct, 0, "", true)]
    [InlineData(WorkTrigger.Event, 0, "", false)]
    [InlineData(WorkTrigger.Direct, 1, "", false)]
    [InlineData(WorkTrigger.Event, 0, "round-trip,start-only", true)]
    public void A_backlog_without_work_for_the_workers_is_refused(WorkTrigger trigger, int children, string mix, bool isRefused)
    {
        var profile = Brief with
        {
            Work = new() { Trigger = trigger, Children = children },
            Mix = [.. mix.Split(',', RemoveEmptyEntries).Select(name => new MixPart(name, 1))],
            Steps = [new() { Name = "burn", Kind = LoadKind.BurnDown, Backlog = 3 }],
        };

        var error = Record.Exception(() => LoadWork.Of(profile).Check(profile));

        Assert.Equal(isRefused, error is LoadProfileException);
    }

    /// <summary>One scenario of each kind of work.</summary>
    public static TheoryData<string> Kinds =>
        [.. ScenarioCatalog.All.DistinctBy(scenario => scenario.CreateWorkload.Method).Select(scenario => scenario.Name)];

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Any_scenario_can_be_driven_by_its_name_in_steps_on_one_store(string name)
    {
        var scenario = ScenarioCatalog.Find(name)!;
        if (name == "timer-wheel")
            scenario = scenario with { CreateWorkload = (store, parameters) => new TimerWheel(store, parameters, FromSeconds(0.1)) };
        var counted = Open("one", 200) with { Operations = 24, Duration = FromMinutes(1) };

        var result = await RunAsync(Brief with { Workflow = name, Steps = [counted, counted with { Name = "two" }] }, scenario);

        Assert.Equal([24, 24], result.Steps.Select(step => step.Counts.Completed));
        EachItem.Holds(result.Steps, AssertCorrect);
    }

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task A_scenario_that_prepares_instances_says_so_and_needs_a_number_of_them(string name)
    {
        var scenario = ScenarioCatalog.Find(name)!;
        await using var workload = scenario.CreateWorkload(new TestStore(new InMemoryWorkflowBackend()), scenario.Parameters);
        var operations = workload.GetType().GetNestedType("Operations", BindingFlags.NonPublic);
        void Check(LoadStep step) => LoadWork.Of(Brief, scenario).Check(Brief with { Workflow = name, Steps = [step] });
        var users = new LoadStep { Name = "users", Kind = LoadKind.Closed };
        var random = Open("few", 100) with { Arrivals = ArrivalPattern.Poisson };

        Assert.Equal(operations?.GetMethod("PrepareAsync")!.DeclaringType?.IsNested ?? false, scenario.PreparesInstances);
        Check(Open("all", 10) with { Operations = 10 });
        Check(random with { Operations = 40 });
        Check(users with { Operations = 5 });
        if (!scenario.PreparesInstances)
            return;
        EachItem.Holds(
            (LoadStep[])
                [
                    Open("none", 10),
                    Open("late", 10) with { Operations = 11 },
                    random with { Operations = 41 },
                    random with { PerSecond = null, ShareOfMaximum = 0.7, Operations = 1 },
                    users,
                    users with { Kind = LoadKind.BurnDown },
                ],
            step =>
            {
                var mistake = Mistake(() => Check(step));
                Assert.StartsWith($"'{name}' starts the instances of a step before it", mistake);
            }
        );
    }

    [Fact]
    public async Task A_start_that_is_answered_with_an_older_instance_fails_its_operation()
    {
        var store = new TestStore(new InMemoryWorkflowBackend());
        async Task StartAsync()
        {
            await using var work = new QuoteOrAplCancel(store, ScenarioCatalog.Find("bulstrad-quote-or-apl-cancel-smoke")!.Parameters);
            await work.OpenAsync(Token);
            await await work.CreateOperations(1, warmUp: false).LaunchAsync(0, Token);
        }

        await StartAsync();

        var error = await Assert.ThrowsAsync<WorkflowBackendException>(StartAsync);
        Assert.StartsWith("The key 'cancel-0' had an instance before: ", error.Message);
    }

    [Fact]
    public async Task A_generator_slowed_on_purpose_is_caught_as_the_limit()
    {
        var step = await StepAsync(Brief, driver: new() { Pause = static () => Thread.Sleep(200) });

        Assert.True(step.GeneratorLimited);
        Assert.NotEqual(StepVerdict.Passed, step.Verdict);
        Assert.Contains(step.Reasons, reason => reason.StartsWith("Generator-limited"));
        Assert.Equal("generator", step.LimitedBy);
        Assert.Equal(200, step.Counts.Completed);
    }

    [Fact]
    public async Task A_throttled_engine_fails_its_load_with_the_throttle_as_the_limit()
    {
        // One slot and 20 ms: 50 a second at most, and 400 arrive.
        var profile = Brief with
        {
            Slots = 1,
            DrainLimit = TimeSpan.Zero,
            Work = new() { ActivityDelay = FromMilliseconds(20) },
            Steps = [Open("too-much", 400)],
        };

        var step = await StepAsync(profile);

        Assert.Equal((StepVerdict.Failed, "configured limit: slots"), (step.Verdict, step.LimitedBy));
        Assert.True(step.Counts.Running > 0);
        Assert.True(step.Counts.Balanced);
        Assert.StartsWith("1 slots with activities of 20 ms can do 50.0 operations a second at most", step.LimitEvidence);
    }

    /// <summary>Its rates would otherwise be over a time in which nothing was driven.</summary>
    [Fact]
    public async Task A_load_that_is_given_up_has_its_rates_over_the_time_until_then()
    {
        var profile = Brief with
        {
            Slots = 1,
            Work = new() { ActivityDelay = FromMilliseconds(20) },
            Steps = [Open("futile", 4_000) with { Duration = FromSeconds(60), MinUsers = 1, MaxUsers = 1 }],
        };

        var step = await StepAsync(profile, driver: new() { DropAfter = FromMilliseconds(10), GiveUpShare = 0.01 });

        Assert.True(step.GivenUp);
        Assert.InRange(step.PlannedSeconds, 0.1, 59);
        Assert.Equal(step.Counts.Offered / step.PlannedSeconds, step.OfferedPerSecond!.Value, 1e-6);
        Assert.Equal(step.Counts.Completed / Math.Max(step.PlannedSeconds, step.ElapsedSeconds), step.CompletedPerSecond, 1e-6);
        Assert.InRange(step.Counts.Started / step.StartedPerSecond, step.PlannedSeconds - 1e-6, 59);
    }

    [Fact]
    public async Task A_step_behind_one_that_left_a_backlog_is_marked_and_can_be_made_to_wait()
    {
        var profile = Brief with
        {
            Slots = 1,
            DrainLimit = TimeSpan.Zero,
            Work = new() { ActivityDelay = FromMilliseconds(20) },
            Steps = [Open("too-much", 200) with { Duration = FromSeconds(0.5) }, Open("behind", 1)],
        };

        Assert.True((await RunAsync(profile with { Work = new() { ActivityDelay = FromSeconds(1) } })).Steps[1].Contamination > 0);
        Assert.Equal(0, (await RunAsync(profile with { FreshSteps = true })).Steps[1].Contamination);

        var waited = (await RunAsync(profile with { WaitForClean = true, DrainLimit = FromSeconds(60) })).Steps[1];
        Assert.Equal((0, 1), (waited.Contamination, waited.Counts.Completed));
    }

    [Fact]
    public void Everything_that_may_still_be_worked_on_is_left()
    {
        var instances = Enum.GetValues<InstanceStatus>().ToDictionary(status => status, _ => 1_000_000L);
        instances[InstanceStatus.Running] = 1;
        instances[InstanceStatus.Waiting] = 20;

        var left = StepFigures.Left(
            new()
            {
                Instances = instances,
                SignalsDue = 300,
                SignalsLater = 4_000,
                Messages = 50_000,
                DeadLetters = 1_000_000,
                Stuck = 1_000_000,
            }
        );

        Assert.Equal(54_321, left);
    }

    [Fact]
    public async Task One_operation_that_never_ends_does_not_switch_the_verification_of_the_others_off()
    {
        var (step, run) = await RunAsync(
            Brief with { DrainLimit = FromSeconds(1) },
            new MemoryBackend(() => new MutantBackend(Mutation.DropSignal))
        );

        Assert.True(step.Counts.Running > 0);
        Assert.True(step is { DrainLimitReached: true, DrainSeconds: > 0.9 }, $"It was drained for {step.DrainSeconds} s.");
        Assert.InRange(run.Scenarios[0].Drain!.DurationMs, 100, HangGuard.Limit.TotalMilliseconds);
        Assert.Null(step.Unverified);
        Assert.Contains(
            run.Scenarios[0].Verification,
            check => check.Check.StartsWith("every state and version as expected") && check.Passed
        );
        Assert.Contains(
            run.Scenarios[0].Verification,
            check => check.Check.StartsWith("instances of completed operations") && check.Passed
        );
    }

    [Theory]
    [InlineData("")]
    [InlineData("order=1,start-only=1")]
    public async Task A_tolerated_failure_does_not_switch_the_verification_of_an_own_workflow_off(string mix)
    {
        var profile = Brief with
        {
            Workflow = OwnWork.Name,
            Mix = mix.Length == 0 ? [] : OperationMix.Parse(mix),
            Thresholds = [Threshold.ErrorRate(0.5)],
        };
        var work =
            mix.Length == 0
                ? LoadWork.Of(profile, OwnWork.Scenario)
                : LoadWork.Of(profile, new Dictionary<string, Scenario> { [OwnWork.Name] = OwnWork.Scenario });

        var (result, run) = await RunAsync(profile, work, new MemoryBackend(() => new MutantBackend(Mutation.CorruptState)));

        var step = Assert.Single(result.Steps);
        Assert.Equal((1, 0), (step.Counts.Failed, step.Counts.Running));
        Assert.Equal((StepVerdict.Failed, ScenarioStatus.Failed), (step.Verdict, run.Scenarios[0].Status));
        Assert.Contains("every state and version as expected", Assert.Single(step.FailedChecks).Check);
    }

    [Fact]
    public async Task An_own_state_is_read_as_its_definition_writes_it_and_a_check_that_throws_names_the_instance()
    {
        var profile = Brief with { Workflow = OwnWork.Name };

        var (right, _) = await RunAsync(profile, LoadWork.Of(profile, OwnWork.Snake));
        var (wrong, _) = await RunAsync(profile, LoadWork.Of(profile, OwnWork.Throwing));

        AssertCorrect(Assert.Single(right.Steps));
        var check = Assert.Single(Assert.Single(wrong.Steps).FailedChecks);
        Assert.Matches(
            "200 deviations, for instance: the check of the state of instance [0-9a-f-]{36} threw InvalidOperationException: No items\\.",
            check.Actual
        );
    }

    [Fact]
    public async Task A_kind_of_which_nothing_was_verified_is_named()
    {
        var profile = Brief with { Mix = OperationMix.Parse("order=1,start-only=1"), Thresholds = [Threshold.ErrorRate(0.5)] };

        var (result, _) = await RunAsync(
            profile,
            LoadWork.Of(profile, new Dictionary<string, Scenario> { [OwnWork.Name] = OwnWork.Blind })
        );

        var step = Assert.Single(result.Steps);
        Assert.Equal("operations failed or never ended, and nothing verified what the completed ones left in order.", step.Unverified);
        Assert.NotEqual(StepVerdict.Passed, step.Verdict);
    }

    /// <summary>The counts of the database are no verification when an operation failed: they say nothing about a state.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_step_that_nothing_was_verified_of_says_so_in_every_output(bool isCounted)
    {
        var (suite, backend) = await BeginAsync(Root);
        var scenario = isCounted ? OwnWork.Blind : IdleWorkload.Scenario(true, _ => { }, failing: 3);
        var profile = Brief with { Workflow = scenario.Name, Thresholds = [Threshold.ErrorRate(0.5)], Steps = [Open("open", 50)] };
        var test = new LoadTest(suite, backend, profile, LoadWork.Of(profile, scenario));

        await test.RunAsync(Token);

        var result = test.Result("serdica-perf load", DateTimeOffset.UnixEpoch, 1, null);
        var run = suite.End();
        suite.Folder.Write(result);
        RunReports.Write(suite.Folder, run, result, []);
        Assert.NotEqual(StepVerdict.Passed, result.Verdict);
        Assert.Equal((1, 1), (result.Steps[0].Counts.Failed, result.Steps[0].UntilFailure.Count));
        Assert.Equal(isCounted, run.Scenarios[0].Verification.Any(check => check.Passed));
        Assert.Empty(result.Steps[0].FailedChecks);
        var read = RunArtifacts.Read(suite.Folder.Path);
        Assert.StartsWith("operations failed or never ended", read.Run.Scenarios[0].Unverified);
        Assert.Equal(read.Run.Scenarios[0].Unverified, read.LoadTest!.Steps[0].Unverified);
        foreach (
            var file in Directory.EnumerateFiles(suite.Folder.Path).Where(file => Path.GetExtension(file) is ".md" or ".csv" or ".html")
        )
            Assert.Contains("unverified", await File.ReadAllTextAsync(file, Token), OrdinalIgnoreCase);
    }

    [Fact]
    public async Task A_threshold_that_is_broken_fails_the_step()
    {
        var step = await StepAsync(Brief with { Thresholds = [Threshold.P99(FromTicks(1))] });

        Assert.Equal(StepVerdict.Failed, step.Verdict);
        Assert.Contains(step.Reasons, reason => reason.StartsWith("The p99 of the response time was "));
    }

    [Fact]
    public async Task A_mix_has_figures_and_checks_of_each_kind()
    {
        var profile = Brief with
        {
            Mix = OperationMix.Parse("signal-roundtrip=5,start-only=3,with-timer=1,with-child=1,large-state=1"),
            Steps = [Open("open", 300)],
        };
        var work = LoadWork.Of(profile, new Dictionary<string, Scenario> { ["large-state"] = ScenarioCatalog.Find("large-state")! });

        var (result, run) = await RunAsync(profile, work);

        var step = Assert.Single(result.Steps);
        AssertCorrect(step);
        Assert.Equal(profile.Mix.Select(part => part.Name), step.Kinds.Select(kind => kind.Name));
        Assert.Equal(
            (step.Counts.Started, step.Counts.Completed, 0L),
            (step.Kinds.Sum(kind => kind.Started), step.Kinds.Sum(kind => kind.Completed), step.Kinds.Sum(kind => kind.Failed))
        );
        Assert.Equal(step.CompletedPerSecond, step.Kinds.Sum(kind => kind.CompletedPerSecond), 1e-6);
        EachItem.Holds(
            step.Kinds,
            kind =>
            {
                Assert.True(kind.Started > 0);
                Assert.Equal((kind.Completed, kind.Completed), (kind.Response.Count, kind.Service.Count));
                Assert.Contains(
                    run.Scenarios[0].Verification,
                    check => check.Check.StartsWith($"{kind.Name}: every state") && check.Passed
                );
                Assert.Contains($"{kind.Name}-responseTime", step.Histograms.Keys);
            }
        );
        var chosen = new MixChoice([5, 3, 1, 1, 1], profile.Seed);
        Assert.Equal(
            Range(0, (int)step.Counts.Started).CountBy(chosen.KindOf).OrderBy(kind => kind.Key).Select(kind => (long)kind.Value),
            step.Kinds.Select(kind => kind.Started)
        );
    }

    [Fact]
    public async Task A_kind_whose_results_are_wrong_fails_its_own_check()
    {
        var profile = Brief with { Mix = OperationMix.Parse("signal-roundtrip=1,start-only=1"), DrainLimit = FromSeconds(1) };
        var (_, run) = await RunAsync(
            profile,
            LoadWork.Of(profile, new Dictionary<string, Scenario>()),
            new MemoryBackend(() => new MutantBackend(Mutation.DropSignal))
        );

        Assert.Contains(run.Scenarios[0].Verification, check => check.Check.StartsWith("start-only: ") && check.Passed);
        Assert.Equal(ScenarioStatus.Failed, run.Scenarios[0].Status);
    }

    [Fact]
    public void A_scenario_that_prepares_its_operations_is_refused_in_a_mix()
    {
        var profile = Brief with { Mix = OperationMix.Parse("poison-signal=1") };

        var mistake = Mistake(() =>
            LoadWork
                .Of(profile, new Dictionary<string, Scenario> { ["poison-signal"] = ScenarioCatalog.Find("poison-signal")! })
                .Create(new TestStore(new InMemoryWorkflowBackend()))
        );

        Assert.Contains("'poison-signal' prepares its operations or has no host", mistake);
    }

    [Theory]
    [InlineData("responseTime:p85 <= 60s", true)]
    [InlineData("signalToCompletion:max < 60s", true)]
    [InlineData("start:min >= 1h", false)]
    [InlineData("cost.allocated > 0", true)]
    [InlineData("engineCpu <= 0", false)]
    [InlineData("throughput >= 1000000", false)]
    [InlineData("drain <= 1m", true)]
    public async Task A_threshold_can_be_on_any_figure(string threshold, bool held)
    {
        var step = await StepAsync(Brief with { Thresholds = [Threshold.Parse(threshold)] });

        var result = Assert.Single(step.Thresholds);
        Assert.Equal((Threshold.Parse(threshold).Text, held), (result.Threshold, result.Held));
        Assert.NotNull(result.Value);
        Assert.Equal(!held, step.Reasons.Any(reason => reason.EndsWith('.') && reason.Contains("; the threshold is ")));
    }

    [Fact]
    public async Task A_threshold_without_a_figure_is_broken()
    {
        var step = await StepAsync(Brief with { Thresholds = [Threshold.Parse("walBytes < 1")] });

        Assert.Equal(StepVerdict.Failed, step.Verdict);
        Assert.Contains("The threshold 'walBytes < 1' could not be judged: neither server nor engine reported it.", step.Reasons);
        Assert.Equal((false, null), (step.Thresholds[0].Held, step.Thresholds[0].Value));
    }

    [Fact]
    public async Task A_threshold_that_is_surely_broken_ends_the_test()
    {
        var result = await RunAsync(
            Brief with
            {
                Work = new() { ActivityDelay = FromMilliseconds(20) },
                Thresholds = [Threshold.Parse("responseTime:p99 < 1ms")],
                AbortOnThreshold = true,
                Steps = [Open("first", 200) with { Duration = FromMinutes(5) }, Open("second", 200)],
            }
        );

        var step = Assert.Single(result.Steps);
        Assert.StartsWith("Ended early after ", step.EndedEarly);
        Assert.Contains("because 'responseTime:p99 < 1ms' was surely broken: ", step.EndedEarly);
        Assert.Equal((StepVerdict.Failed, step.EndedEarly), (result.Verdict, step.Reasons[0]));
        Assert.True(step.PlannedSeconds < 200, $"It took {step.PlannedSeconds} s.");
        Assert.Equal(0, step.Counts.Running);
        Assert.Equal(["second"], result.NotRun);
        Assert.DoesNotContain(step.Reasons, reason => reason.StartsWith("It started"));
    }

    [Fact]
    public async Task A_search_finds_a_rate_that_holds_below_what_the_slots_allow()
    {
        // One slot and 4 ms: a step has room for 75 activities, and one more can be under way at its end.
        var duration = FromSeconds(0.3);
        var profile = Brief with
        {
            Slots = 1,
            Work = new() { ActivityDelay = FromMilliseconds(4) },
            Steps = [Open("search", 1) with { PerSecond = null, Duration = duration }],
        };
        var (suite, _) = await BeginAsync(Root);
        await using var backend = new MemoryBackend(() => new ClearAtTheSecondLook());

        var test = new LoadTest(suite, backend, profile, LoadWork.Of(profile)) { Confirmation = FromSeconds(1) };
        var found = await test.FindMaximumAsync(Token);

        // Whatever this machine holds, the search says of its trials what they were.
        var trials = test.Result("serdica-perf load", DateTimeOffset.UnixEpoch, 1, found)
            .Steps.Where(step => step.TargetPerSecond is not null)
            .ToArray();
        var held = trials.Where(trial => trial.Verdict == StepVerdict.Passed).Select(trial => trial.TargetPerSecond!.Value).ToArray();
        Assert.True(trials.Length > 0 || found.Sentence.EndsWith("use a longer --duration."), found.Sentence);
        EachItem.Holds(trials, trial => Assert.Equal(0, trial.Contamination));
        Assert.DoesNotContain(held, rate => rate * duration.TotalSeconds > 76);
        Assert.Equal(found.Confirmed, found.PerSecond is not null);
        if (found.HighestHeld is { } highest)
        {
            Assert.Contains(highest, held);
            Assert.False(highest >= found.LowestFailed, $"{highest} held and is not below {found.LowestFailed}, which did not.");
            Assert.DoesNotContain(held, rate => rate > highest && !(rate >= found.LowestFailed));
        }

        if (held.Length > 0)
            Assert.Contains(" for 1 s, which is short: a rate is confirmed by 60 s", found.Sentence);
        if (found.Confirmed)
            Assert.Equal(found.PerSecond!.Value, held[^1], 1e-6);
        else
            Assert.DoesNotContain(trials.TakeLast(1), trial => trial.Verdict == StepVerdict.Passed);
        var run = suite.End();
        Assert.Equal((found.HighestHeld is null ? RunStatus.Failed : RunStatus.Passed, found.Sentence), (run.Status, run.StatusReason));
        Assert.Equal(trials.Length, run.Scenarios.Count(scenario => scenario.IsTrial));
        Assert.Equal(trials.Length, run.Scenarios.Count);
        Assert.Equal(
            found.Confirmed ? StepVerdict.Passed
                : found.HighestHeld is null ? StepVerdict.Failed
                : StepVerdict.Degraded,
            test.Result("serdica-perf load", DateTimeOffset.UnixEpoch, 1, found).Verdict
        );
    }

    [Theory]
    [InlineData(true, RunStatus.Passed)]
    [InlineData(false, RunStatus.Failed)]
    public async Task A_trial_that_did_not_hold_fails_nothing_unless_an_answer_was_wrong(bool right, RunStatus status)
    {
        var (suite, _) = await BeginAsync(Root);
        foreach (var (name, outcome) in ((string, ScenarioStatus)[])[("held", ScenarioStatus.Passed), ("did-not", ScenarioStatus.Failed)])
        {
            suite.Record(
                new(
                    SampleRun.Serial with
                    {
                        Name = name,
                        IsTrial = true,
                        Status = outcome,
                        Verification = [new("no dead letter", right || outcome == ScenarioStatus.Passed, "0", "1")],
                    },
                    new Dictionary<string, LatencyHistogram>()
                )
            );
        }

        suite.Conclude(new(500, 600, Confirmed: true, "500.0 a second held."));

        Assert.Equal(status, suite.End().Status);
    }

    [Fact]
    public async Task A_search_that_had_nothing_to_try_says_why_and_fails_the_run()
    {
        var (suite, _) = await BeginAsync(Root);

        suite.Conclude(new(null, null, Confirmed: false, "No rate to look for."));

        var run = suite.End();
        Assert.Equal((RunStatus.Failed, "No rate to look for."), (run.Status, run.StatusReason));
    }

    /// <summary>Correct, whatever the machine's speed makes of its verdict.</summary>
    private static void AssertCorrect(StepResult step)
    {
        Assert.True(step.Counts.Balanced);
        Assert.Equal((0, 0, 0), (step.Counts.Failed, step.Counts.Running, step.Counts.Dropped));
        Assert.Empty(step.FailedChecks);
    }

    private static LoadStep Open(string name, double perSecond) =>
        new()
        {
            Name = name,
            Kind = LoadKind.Open,
            PerSecond = perSecond,
            Duration = FromSeconds(1),
            Arrivals = ArrivalPattern.Uniform,
        };

    private static async Task<StepResult> StepAsync(LoadProfile profile, Scenario? scenario = null, DriverOptions? driver = null) =>
        Assert.Single((await RunAsync(profile, scenario, driver)).Steps);

    /// <summary>With a driver of its own the test measures the generator's ceiling too.</summary>
    private static async Task<LoadTestResult> RunAsync(LoadProfile profile, Scenario? scenario = null, DriverOptions? driver = null)
    {
        using var root = new TemporaryFolder();
        var (suite, backend) = await BeginAsync(root);
        var test = new LoadTest(suite, backend, profile, scenario is null ? LoadWork.Of(profile) : LoadWork.Of(profile, scenario))
        {
            Driver = driver ?? new(),
            Ceiling = driver is null ? GeneratorCeiling.Given : null,
        };
        await test.RunAsync(Token);
        var result = test.Result("serdica-perf load", DateTimeOffset.UnixEpoch, 1, null);
        var run = suite.End();
        suite.Folder.Write(result);
        RunReports.Write(
            suite.Folder,
            run,
            result,
            EngineSettings.Values(EngineSettings.Options(result.Profile.Workers, result.Profile.Engine))
        );

        // What is printed while a test runs, and what at its end, is one figure.
        EachItem.Holds(
            result.Steps,
            step => Assert.Equal(step.CompletedPerSecond, step.Counts.Completed / run.Scenarios.Single(step.IsOf).DurationMs * 1_000, 1e-6)
        );
        var read = LoadResultReader.Read(suite.Folder.Path);
        Assert.Equal(result.Steps.Select(step => step.Counts), read.Steps.Select(step => step.Counts));
        Assert.Empty(
            JsonSchemaValidator.Validate(
                "load",
                JsonNode.Parse(await File.ReadAllTextAsync(Path.Combine(suite.Folder.Path, RunFolder.LoadFile), Token))
            )
        );
        return result;
    }

    private static async Task<(StepResult Step, RunResult Run)> RunAsync(LoadProfile profile, IMeasuredBackend backend)
    {
        var (result, run) = await RunAsync(profile, LoadWork.Of(profile), backend);
        return (result.Steps[0], run);
    }

    private static async Task<(LoadTestResult Result, RunResult Run)> RunAsync(
        LoadProfile profile,
        LoadWork work,
        IMeasuredBackend? backend = null
    )
    {
        using var root = new TemporaryFolder();
        var (suite, memory) = await BeginAsync(root);
        var test = new LoadTest(suite, backend ?? memory, profile, work);
        await test.RunAsync(Token);
        return (test.Result("serdica-perf load", DateTimeOffset.UnixEpoch, 1, null), suite.End());
    }

    /// <summary>Begins a run of a load test in memory.</summary>
    internal static async Task<(SuiteRun Suite, IMeasuredBackend Backend)> BeginAsync(
        TemporaryFolder root,
        string systemRoot = "/",
        IRunObserver? observer = null
    )
    {
        var suite = await SuiteRun.BeginAsync(
            new()
            {
                OutputRoot = root.Path,
                Backends = "in-memory",
                Tier = "load",
                Command = "serdica-perf load",
                FsyncProbe = TimeSpan.Zero,
                Environment = new() { SourceDirectory = root.Path, SystemRoot = systemRoot },
            },
            observer ?? new SilentObserver(),
            Token
        );
        return (suite, new MemoryBackend());
    }

    /// <summary>Something is left whenever its census is taken, and is gone the next time.</summary>
    private sealed class ClearAtTheSecondLook() : BackendDecorator(new InMemoryWorkflowBackend())
    {
        private bool _isLeft;

        public override async Task<BackendCensus> TakeCensusAsync(CancellationToken cancellationToken)
        {
            var census = await Inner.TakeCensusAsync(cancellationToken);
            _isLeft = !_isLeft;
            return _isLeft ? census with { SignalsDue = census.SignalsDue + 1 } : census;
        }

        public override ValueTask DisposeAsync() => Inner.DisposeAsync();
    }

    private sealed class CountedReads(int failing = 0) : BackendDecorator(new InMemoryWorkflowBackend())
    {
        public int Reads { get; private set; }

        public override Task<InstanceRecord?> FindAsync(Guid instanceId, CancellationToken cancellationToken)
        {
            Reads++;
            return Interlocked.Decrement(ref failing) >= 0
                ? throw new TimeoutException()
                : Inner.FindAsync(instanceId, cancellationToken);
        }

        public override ValueTask DisposeAsync() => Inner.DisposeAsync();
    }

    private sealed class Lost : IReadableOperations
    {
        public Guid? InstanceToRead(int number) => number == 0 ? null : Guid.NewGuid();
    }
}
