namespace Serdica.Perf.Faults.Tests;

/// <summary>The checker finds what a wrong engine does, by the invariant that it breaks, and nothing in a right one.</summary>
public sealed class MutantTests
{
    private const int Seeds = 200;
    private const int SeedsOfRightEngine = 40;

    /// <summary>Each mutation, the shape that shows it, and the invariant that must name it.</summary>
    public static TheoryData<Mutation, string, int> Mutants =>
        new()
        {
            { Mutation.DropSignal, "signals", 2 },
            { Mutation.ApplyTwice, "signals", 2 },
            { Mutation.SkipFencing, "activity", 7 },
            { Mutation.SkipVersionCheck, "signals", 6 },
            { Mutation.IgnoreDedupKeys, "repeats", 2 },
            { Mutation.FireEarly, "timer", 11 },
            { Mutation.FireEarly, "timer at the start", 11 },
            { Mutation.FireTwice, "timer", 11 },
            { Mutation.LoseChild, "children", 5 },
            { Mutation.LoseChildResult, "children", 5 },
            { Mutation.LeakLease, "activity", 5 },
            { Mutation.BreakLease, "activity", 8 },
            { Mutation.AcknowledgeStartBeforeCommit, "signals", 9 },
            { Mutation.AcknowledgeSignalBeforeCommit, "signals", 2 },
            { Mutation.AcknowledgeTurnWithoutCommit, "signals", 6 },
            { Mutation.ForgetBufferedSignals, "buffered signals", 2 },
            { Mutation.WrongOrder, "signals", 12 },
            { Mutation.BreakBusinessKey, "repeats", 10 },
            { Mutation.TakeFailedAttempt, "activity", 13 },
            { Mutation.RetryPoison, "poison", 14 },
            { Mutation.InventSignal, "signals", 3 },
            { Mutation.ForgetCancel, "cancellation", 5 },
            { Mutation.HideInstance, "signals", 4 },
            { Mutation.ReopenClosed, "signals", 5 },
            { Mutation.KeyWithoutSignal, "repeats", 2 },
            { Mutation.CompleteEarly, "signals", 5 },
            { Mutation.FaultInstance, "signals", 5 },
            { Mutation.BuryAccepted, "signals", 14 },
            { Mutation.SkipActivity, "activity", 1 },
            { Mutation.ForgetSecondChild, "children", 1 },
        };

    /// <summary>Each shape that shows a mutant.</summary>
    public static TheoryData<string> Shapes => [.. Shape.All.Select(shape => shape.Name)];

    [Theory]
    [MemberData(nameof(Mutants))]
    public async Task A_wrong_engine_is_caught_by_the_invariant_that_it_breaks(Mutation mutation, string shape, int invariant)
    {
        var caught = new List<InvariantFinding>();
        for (var seed = 0; seed < Seeds && caught.TrueForAll(finding => finding.Number != invariant); seed++)
            caught.AddRange((await RunAsync(mutation, shape, seed)).Violated);

        var found = caught.Find(finding => finding.Number == invariant);
        Assert.True(found is not null, $"{mutation} was not caught by invariant {invariant} in {Seeds} seeds; others: {Names(caught)}");
        Assert.NotEmpty(found.Witnesses[0].Lines);
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task A_right_engine_violates_nothing_in_the_same_runs(string shape)
    {
        for (var seed = 0; seed < SeedsOfRightEngine; seed++)
            Assert.Empty(Names((await RunAsync(Mutation.None, shape, seed)).Violated.Where(finding => finding.Number != 16)));
    }

    [Fact]
    public void Every_mutation_has_a_test() =>
        Assert.Equal(
            Enum.GetValues<Mutation>().Where(mutation => mutation != Mutation.None),
            Mutants.Select(row => row.Data.Item1).Distinct().Order()
        );

    private static async Task<CheckReport> RunAsync(Mutation mutation, string shape, int seed)
    {
        using var folder = new TemporaryFolder();
        var plan = new SimulatedPlan
        {
            Shape = Shape.All.Single(candidate => candidate.Name == shape),
            Seed = seed,
            Clients = 2,
            Pauses = true,
            AttemptFails = attempt => attempt == 1 && seed % 2 == 0,
            HostFaults = call => call == 2 + (seed % 6) ? SeamFault.DieAfter : SeamFault.None,
            SignalAttempts = mutation == Mutation.RetryPoison ? 8 : 3,
            Patience = mutation == Mutation.None ? HangGuard.Limit : FromSeconds(1),
        };
        var (report, _) = await SimulatedRun.CheckAsync(plan, folder.Path, time => new MutantEngine(
            new InMemoryWorkflowBackend(time),
            mutation
        ));
        return report;
    }

    private static string Names(IEnumerable<InvariantFinding> findings) =>
        string.Join("; ", findings.Select(finding => $"{finding.Number} {finding.Name}: {finding.Witnesses[0].Sentence}").Distinct());
}
