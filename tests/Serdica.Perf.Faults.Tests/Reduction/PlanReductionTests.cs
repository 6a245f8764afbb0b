using Serdica.Perf.Faults.Hosts;
using Serdica.Perf.Faults.Reduction;

namespace Serdica.Perf.Faults.Tests.Reduction;

/// <summary>Runs are not made: what each violates is decided by the faults of its plan.</summary>
public sealed class PlanReductionTests : FolderTests
{
    private const int LostSignal = 2;
    private const int Fork = 6;

    private static readonly FaultPlan Whole = BuiltInPlans.Make("everything", BackendNames.PostgreSql, 1, FromMinutes(10), 2);

    private readonly List<string> _lines = [];

    [Fact]
    public async Task Smallest_plan_is_a_file_that_repeats_it()
    {
        var reduction = Reduction(plan => Has(plan, FaultKind.PauseHost) && Has(plan, FaultKind.KillDatabase) ? [LostSignal] : []);

        var reduced = await reduction.ReduceAsync(200, Token);

        FaultKind[] kinds = [FaultKind.PauseHost, FaultKind.KillDatabase];
        Assert.Equal(kinds, reduced!.Faults.Select(fault => fault.Kind).Order());
        var file = Root.Below(PlanReduction.FileName);
        var read = FaultPlan.Read(file);
        Assert.Equal(reduced.Faults, read.Faults);
        Assert.Equal((Whole.Seed, Whole.Hosts, Whole.Backend), (read.Seed, read.Hosts, read.Backend));
        var command = $"serdica-perf faults --plan '{Path.GetRelativePath(Directory.GetCurrentDirectory(), file)}'";
        Assert.Contains($"\"command\": \"{command}\"", await File.ReadAllTextAsync(file, Token));
        var found = $"2 of the {Whole.Faults.Count} faults are enough to cause the violation (found in ";
        Assert.StartsWith(found, reduction.Outcome);
        Assert.EndsWith($"Repeat them with: {command}", reduction.Outcome);
    }

    [Fact]
    public async Task Each_try_is_named_and_keeps_its_folder_when_it_fails()
    {
        await Reduction(plan => Has(plan, FaultKind.PauseHost) ? [LostSignal] : []).ReduceAsync(200, Token);

        Assert.Equal(["try-1: no fault", "try-1: violates none of the same invariants"], _lines[..2]);
        var failed = _lines.Where(line => line.EndsWith(": violates invariant 2 too"));
        Assert.Equal(
            failed.Select(line => line.Split(':')[0]).Order(),
            Directory.GetDirectories(Root.Path).Select(folder => Path.GetFileName(folder)).Order()
        );
        Assert.All(Directory.GetDirectories(Root.Path), folder => FaultPlan.Read(Path.Combine(folder, FaultPlan.FileName)));
    }

    [Fact]
    public async Task Violation_of_another_invariant_is_another_failure()
    {
        var reduction = Reduction(_ => [Fork, NonVacuity.Place]);

        Assert.Null(await reduction.ReduceAsync(3, Token));
        Assert.Equal($"None of 3 tries with fewer faults failed. Repeat the whole plan with: {Whole.Command}", reduction.Outcome);
        Assert.False(File.Exists(Root.Below(PlanReduction.FileName)));
    }

    [Theory]
    [InlineData(0, "^The load fails even without any fault .found in 1 try.. Repeat it with: serdica-perf ")]
    [InlineData(1, "^1 of the [0-9]+ faults is enough to cause the violation .found in [0-9]+ tries.. Repeat it with: serdica-perf ")]
    public async Task One_fault_and_none_are_told_apart_from_several(int fewest, string outcome)
    {
        var reduction = Reduction(plan => plan.Faults.Count >= fewest ? [LostSignal] : []);

        await reduction.ReduceAsync(200, Token);

        Assert.Matches(outcome, reduction.Outcome);
    }

    [Fact]
    public async Task Run_that_cannot_be_finished_shows_nothing()
    {
        var reduction = Reduction(plan =>
            throw (
                plan.Faults.Count == 0
                    ? new WorkflowBackendException("the server is gone", isTransient: true)
                    : new FaultRunException("a host is gone")
            )
        );

        Assert.Null(await reduction.ReduceAsync(2, Token));
        Assert.Contains("try-1: could not be finished, and shows nothing: the server is gone", _lines);
        Assert.Contains("try-2: could not be finished, and shows nothing: a host is gone", _lines);
    }

    [Fact]
    public async Task Part_that_is_not_possible_shows_nothing()
    {
        Assert.Null(await Reduction(_ => throw new FaultImpossibleException("no freezer")).ReduceAsync(1, Token));
        Assert.Contains("try-1: could not be finished, and shows nothing: no freezer", _lines);
    }

    [Fact]
    public async Task What_was_found_before_a_stop_is_kept()
    {
        using var stop = new CancellationTokenSource();
        var reduction = Reduction(plan =>
        {
            if (plan.Faults.Count > 0)
                stop.Cancel();
            return plan.Faults.Count > 0 ? [LostSignal] : [];
        });

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reduction.ReduceAsync(200, stop.Token));
        Assert.True(File.Exists(Root.Below(PlanReduction.FileName)));
        Assert.Contains("faults are enough to cause the violation (found in 3 tries).", reduction.Outcome);
    }

    private PlanReduction Reduction(Func<FaultPlan, int[]> violates) =>
        new(
            Result(Whole, [LostSignal]),
            Root.Path,
            (plan, folder, cancellationToken) =>
            {
                cancellationToken.ThrowIfCancellationRequested();
                Directory.CreateDirectory(folder);
                return Task.FromResult(Result(plan, violates(plan)));
            },
            _lines.Add
        );

    private static bool Has(FaultPlan plan, FaultKind kind) => plan.Faults.Any(fault => fault.Kind == kind);

    private static FaultResult Result(FaultPlan plan, int[] violated) =>
        new()
        {
            Database = "none",
            StartedAt = DateTimeOffset.UnixEpoch,
            Plan = plan,
            Verdict = violated.Length > 0 ? InvariantVerdict.Violated : InvariantVerdict.Held,
            Operations = 1,
            Lines = 1,
            Invariants = [.. violated.Select(number => new InvariantFinding(number, "name", "promise", 1, 1, []))],
            Faults = [],
            Thresholds = [],
        };
}
