namespace Serdica.Perf.Measurement.Tests.Verification;

/// <summary>Each count of the database that is off by one fails the check of its name, and no other.</summary>
public sealed class CensusAuditTests
{
    /// <summary>Left of the run before; what is audited is what has been added.</summary>
    private static readonly BackendCensus Before = Census(completed: 5, faulted: 2, cancelled: 3) with { DeadLetters = 4 };

    private static readonly BackendCensus After = Census(completed: 15, faulted: 2, cancelled: 3) with { DeadLetters = 4 };

    [Fact]
    public void Run_that_left_what_it_should_passes_every_check() => Assert.Empty(Failed(After));

    public static TheoryData<string, string> Faults =>
        new()
        {
            { "lost", "instances completed in the database: expected 10, found 9." },
            { "surplus", "instances completed in the database: expected 10, found 11." },
            { "faulted", "no instance faulted: expected 0, found 1." },
            { "cancelled", "no instance cancelled: expected 0, found 1." },
            { "running", "no instance open: expected 0, found 1." },
            { "waiting", "no instance open: expected 0, found 1." },
            { "stuck", "no instance stuck: expected 0, found 1." },
            { "dead", "no dead letter: expected 0, found 1." },
            { "due", "no signal due left: expected 0, found 1." },
            { "later", "no signal for later left: expected 0, found 1." },
            { "message", "no message left: expected 0, found 1." },
            { "dead message", "no message put aside by the database: expected 0, found 1." },
        };

    [Theory]
    [MemberData(nameof(Faults))]
    public void One_too_many_or_too_few_fails_its_own_check(string what, string failure)
    {
        var after = what switch
        {
            "lost" => With(InstanceStatus.Completed, 14),
            "surplus" => With(InstanceStatus.Completed, 16),
            "faulted" => With(InstanceStatus.Faulted, 3),
            "cancelled" => With(InstanceStatus.Cancelled, 4),
            "running" => With(InstanceStatus.Running, 1),
            "waiting" => With(InstanceStatus.Waiting, 1),
            "stuck" => After with { Stuck = 1 },
            "dead" => After with { DeadLetters = 5 },
            "due" => After with { SignalsDue = 1 },
            "later" => After with { SignalsLater = 1 },
            "dead message" => After with { DeadMessages = 1 },
            _ => After with { Messages = 1 },
        };

        Assert.Equal([failure], Failed(after));
    }

    [Fact]
    public void Handler_that_failed_is_found_among_the_counts_of_the_host() =>
        Assert.Equal(["no handler failed: expected 0, found 1."], Failed(After, host: new() { HandlerFailures = 1 }));

    /// <summary>A conflict is repeated, and is of no interest once nothing is left to repeat.</summary>
    [Fact]
    public void Conflict_is_unresolved_only_while_something_is_left()
    {
        Assert.Empty(Failed(After, host: new() { Conflicts = 7 }));
        Assert.Equal(
            ["no unresolved conflict: expected 0, found 7.", "no message left: expected 0, found 1."],
            Failed(After with { Messages = 1 }, host: new() { Conflicts = 7 })
        );
    }

    [Fact]
    public void Intended_trouble_is_expected_to_the_last_one_and_named()
    {
        var intended = new IntendedTrouble(Cancelled: 2, DeadLetters: 3, HandlerFailures: 4);
        var after = Census(completed: 13, faulted: 2, cancelled: 5) with { DeadLetters = 7 };

        Assert.Empty(Failed(after, intended, new() { HandlerFailures = 4 }));
        Assert.Equal(
            [
                "instances completed in the database: expected 8, found 10.",
                "no instance cancelled but the intended ones: expected 2, found 0.",
                "no dead letter but the intended ones: expected 3, found 0.",
                "no handler failed but the intended ones: expected 4, found 0.",
            ],
            Failed(After, intended)
        );
    }

    [Fact]
    public void Nothing_is_idle_that_workers_would_take_now_or_later()
    {
        Assert.True(CensusAudit.IsIdle(After));
        Assert.True(CensusAudit.IsIdle(After with { DeadLetters = 9, Stuck = 1 }));
        Assert.DoesNotContain(
            [
                After with { SignalsDue = 1 },
                After with { SignalsLater = 1 },
                After with { Messages = 1 },
                With(InstanceStatus.Running, 1),
                With(InstanceStatus.Waiting, 1),
            ],
            left => CensusAudit.IsIdle(left)
        );
        Assert.True(CensusAudit.IsIdle(With(InstanceStatus.Waiting, 1), mayWait: 1));
        Assert.False(CensusAudit.IsIdle(With(InstanceStatus.Waiting, 2), mayWait: 1));
        Assert.False(CensusAudit.IsIdle(With(InstanceStatus.Waiting, 1) with { SignalsDue = 1 }, mayWait: 1));
        Assert.Equal(3, new CensusAudit(Before, After with { SignalsDue = 1, SignalsLater = 2 }, new()).SignalsLeft);
    }

    private static string[] Failed(BackendCensus after, IntendedTrouble? intended = null, HostCounters? host = null) =>
        [
            .. new CensusAudit(Before, after, host ?? new())
                .Checks(10, intended ?? IntendedTrouble.None)
                .Where(check => !check.Passed)
                .Select(check => check.Failure),
        ];

    private static BackendCensus With(InstanceStatus status, long count) =>
        After with { Instances = new Dictionary<InstanceStatus, long>(After.Instances) { [status] = count } };

    private static BackendCensus Census(long completed, long faulted, long cancelled) =>
        new()
        {
            Instances = new Dictionary<InstanceStatus, long>
            {
                [InstanceStatus.Completed] = completed,
                [InstanceStatus.Faulted] = faulted,
                [InstanceStatus.Cancelled] = cancelled,
            },
            SignalsDue = 0,
            SignalsLater = 0,
            DeadLetters = 0,
            Stuck = 0,
            Messages = 0,
        };
}
