namespace Serdica.Perf.Measurement.Tests.Scenarios;

public sealed class FurtherScenarioTests
{
    private const string Cancel = "cancel-under-load";
    private const string Poison = "poison-signal";
    private const string Duplicates = "duplicate-and-early-signals";
    private const string Recovery = "recovery-backlog";
    private const string FanOut = "child-fan-out";
    private const string Full = "full-host";
    private const string Large = "large-state";
    private const int Backlog = 300;

    /// <summary>The scenario of the catalogue, turned faster.</summary>
    private static readonly Scenario Wheel = ScenarioCatalog.Find("timer-wheel")! with
    {
        CreateWorkload = (store, parameters) => new TimerWheel(store, parameters, FromMilliseconds(300)),
    };

    /// <summary>The scenarios, and their operations where those of the catalogue would last too long.</summary>
    public static TheoryData<string, int?> Shortened =>
        new()
        {
            { Cancel, null },
            { Poison, null },
            { Duplicates, null },
            { Recovery, Backlog },
            { FanOut, null },
            { Full, 200 },
            { Large, null },
        };

    [Theory]
    [MemberData(nameof(Shortened))]
    public async Task A_correct_backend_passes(string name, int? operations)
    {
        var result = await MutantRun.RunAsync(name, Mutation.None, operations);

        MutantRun.AssertPassed(result);
        Assert.Equal(operations ?? ScenarioCatalog.Find(name)!.Parameters.Operations, result.Counts.Completed);
    }

    [Theory]
    [MemberData(nameof(Shortened))]
    public async Task A_backend_that_decides_directly_passes(string name, int? operations)
    {
        var result = await MutantRun.RunDirectAsync(name, operations);

        MutantRun.AssertPassed(result);

        // The signals of a backlog are sent while no host runs.
        var expected = name == Recovery ? null : "on";
        Assert.Equal(expected, result.Parameters.Engine.GetValueOrDefault(ScenarioParameters.DirectSetting));
    }

    [Theory]
    [InlineData(Cancel, Mutation.LoseCancellation, "operations completed")]
    [InlineData(Cancel, Mutation.ReviveCancelled, "every instance closed as it must (240)")]
    [InlineData(Cancel, Mutation.KeepWithdrawn, "no signal for later left")]
    [InlineData(Cancel, Mutation.CorruptState, "every state and version as expected (240)")]
    [InlineData(Cancel, Mutation.LoseInstance, "every instance found (240)")]
    [InlineData(Poison, Mutation.LoseDeadLetter, "no dead letter but the intended ones")]
    [InlineData(Poison, Mutation.LoseDeadLetter, "every dead letter as expected (20)")]
    [InlineData(Poison, Mutation.CorruptDeadLetter, "every dead letter as expected (20)")]
    [InlineData(Poison, Mutation.ApplyTwice, "every state and version as expected (100)")]
    [InlineData(Poison, Mutation.CorruptState, "every state and version as expected (100)")]
    [InlineData(Poison, Mutation.LoseInstance, "every instance found (100)")]
    [InlineData(Duplicates, Mutation.AcceptDuplicate, "every state and version as expected (120)")]
    [InlineData(Duplicates, Mutation.AcceptDuplicate, "every repeat answered as a duplicate")]
    [InlineData(Duplicates, Mutation.ApplyTwice, "every state and version as expected (120)")]
    [InlineData(Duplicates, Mutation.CorruptState, "every state and version as expected (120)")]
    [InlineData(Duplicates, Mutation.LoseInstance, "every instance found (120)")]
    [InlineData(Recovery, Mutation.DropSignal, "operations completed")]
    [InlineData(Recovery, Mutation.ApplyTwice, "every state and version as expected (300)")]
    [InlineData(Recovery, Mutation.CorruptState, "every state and version as expected (300)")]
    [InlineData(Recovery, Mutation.LoseInstance, "every instance found (300)")]
    [InlineData(FanOut, Mutation.LoseChildResult, "no instance stuck")]
    [InlineData(FanOut, Mutation.ApplyTwice, "every state and version as expected (660)")]
    [InlineData(FanOut, Mutation.CorruptState, "every state and version as expected (660)")]
    [InlineData(FanOut, Mutation.LoseInstance, "every instance found (660)")]
    [InlineData(Full, Mutation.CorruptState, "every state and version as expected (200)")]
    [InlineData(Full, Mutation.LoseInstance, "every instance found (200)")]
    [InlineData(Full, Mutation.IgnoreSkippedActivities, "waiting instances left alone")]
    [InlineData(Large, Mutation.AlterState, "every state and version as expected (96)")]
    [InlineData(Large, Mutation.CorruptState, "every state and version as expected (96)")]
    public async Task A_wrong_backend_fails_by_name_of_the_check(string name, Mutation mutation, string check) =>
        MutantRun.AssertFailed(await MutantRun.RunAsync(name, mutation, Fewer(name)), check);

    private static int? Fewer(string name) =>
        name switch
        {
            Recovery => Backlog,
            Full => 200,
            _ => null,
        };

    [Fact]
    public async Task Timers_fire_when_they_are_due()
    {
        var result = await MutantRun.RunAsync(Wheel, Mutation.None, operations: 200);

        MutantRun.AssertPassed(result);
        Assert.Equal(200, result.Lateness!.Count);
    }

    [Theory]
    [InlineData(Mutation.FireEarly, "no timer before its due time")]
    [InlineData(Mutation.LoseTimer, "operations completed")]
    [InlineData(Mutation.ApplyTwice, "every state and version as expected (200)")]
    public async Task A_wrong_backend_fails_the_timer_wheel(Mutation mutation, string check) =>
        MutantRun.AssertFailed(await MutantRun.RunAsync(Wheel, mutation, operations: 200), check);

    [Fact]
    public async Task A_timer_wheel_that_can_t_read_the_clock_of_the_database_fails_with_the_reason()
    {
        var result = await MutantRun.RunAsync(Wheel, Mutation.LoseInstance, operations: 1);

        Assert.Equal(ScenarioStatus.Failed, result.Status);
        Assert.Contains("was started and is not there", Assert.Single(result.FailureReasons));
    }

    [Fact]
    public async Task Under_cancellations_the_counts_balance_and_an_accepted_signal_is_handled_or_a_dead_letter()
    {
        var result = await MutantRun.RunAsync(Cancel, Mutation.None);

        // A quarter is cancelled while it waits, a quarter at work, and a quarter may be: it is raced for.
        Assert.InRange(result.Intended!.Cancelled, 120, 180);
        Assert.InRange(result.Intended.DeadLetters, 0, result.Intended.Cancelled - 120);
        Assert.Equal(0, result.Counts.DeadLettered);
        Assert.Equal(120, result.Phases[PhaseNames.CancelToClosed].Count);
    }

    [Fact]
    public async Task Attempts_of_poisonous_signals_are_capped_and_their_dead_letters_are_no_failure()
    {
        var result = await MutantRun.RunAsync(Poison, Mutation.None);

        Assert.Equal(new IntendedTrouble(DeadLetters: 20, HandlerFailures: 20 * PoisonSignal.Attempts), result.Intended);
        Assert.Equal((0, 100), (result.Counts.DeadLettered, result.Counts.Redeliveries));
        Assert.Equal((80, 20), (result.Phases[PhaseNames.SignalToCompletion].Count, result.Phases[PhaseNames.PoisonToCompletion].Count));
    }

    [Fact]
    public async Task A_backlog_is_left_before_the_host_starts()
    {
        var result = await MutantRun.RunAsync(Recovery, Mutation.None, Backlog);

        Assert.Equal(1, result.Phases[PhaseNames.HostStart].Count);
        Assert.Equal(Backlog, result.Phases[PhaseNames.HostStartToCompletion].Count);
    }

    [Theory]
    [InlineData(Cancel)]
    [InlineData(Poison)]
    public async Task A_warm_up_leaves_no_dead_letter_that_could_be_taken_for_a_measured_one(string name)
    {
        var scenario = ScenarioCatalog.Find(name)!;
        var options = new RunOptions { WarmUp = 40, Operations = 40 };
        await using var store = new TestStore(new MutantBackend(Mutation.None));
        var progress = new ScenarioProgress(name, options.Apply(scenario, repeat: 1));

        var measurement = await new ScenarioRunner(options).RunAsync(scenario, store, progress, Token);

        MutantRun.AssertPassed(measurement.Result);
    }
}
