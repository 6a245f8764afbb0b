namespace Serdica.Perf.Faults.Reduction;

/// <summary>
/// Reduces the plan of a run that violated an invariant: runs parts of it, and keeps the smallest that violates one of the same
/// invariants in a file that repeats it.
/// </summary>
/// <param name="folder">Its folder; gets the file, and a folder for each try.</param>
/// <param name="progress">Gets a line for each try.</param>
internal sealed class PlanReduction(
    FaultResult violated,
    string folder,
    Func<FaultPlan, string, CancellationToken, Task<FaultResult>> run,
    Action<string> progress
)
{
    public const string FileName = "reduced-plan.json";

    private readonly int[] _invariants = [.. Violated(violated)];
    private FaultPlan? _smallest;
    private int _tries;

    /// <value>What was found until now, and the command that repeats it.</value>
    public string Outcome =>
        _smallest switch
        {
            null => $"None of {Tries} with fewer faults failed. Repeat the whole plan with: {violated.Plan.Command}",
            { Faults.Count: 0 } => $"The load fails even without any fault (found in {Tries}). Repeat it with: {_smallest.Command}",
            { Faults.Count: var count } => Invariant($"{count} of the {violated.Plan.Faults.Count} faults ")
                + $"{(count == 1 ? "is" : "are")} enough to cause the violation (found in {Tries}). "
                + $"Repeat {(count == 1 ? "it" : "them")} with: {_smallest.Command}",
        };

    private string Tries => _tries == 1 ? "1 try" : Invariant($"{_tries} tries");

    /// <param name="cancellationToken">Ends the tries; what was found before is kept.</param>
    /// <returns>The smallest plan that was seen to fail; null when no part of the plan was.</returns>
    public async Task<FaultPlan?> ReduceAsync(int most, CancellationToken cancellationToken)
    {
        var search = new DeltaDebugging<PlannedFault>(
            async faults =>
            {
                var plan = violated.Plan.With(faults);
                if (!await TryAsync(plan, cancellationToken))
                    return false;
                _smallest = Keep(plan, Path.Combine(folder, FileName));
                return true;
            },
            most
        );
        await search.ReduceAsync(violated.Plan.Faults);
        return _smallest;
    }

    private async Task<bool> TryAsync(FaultPlan plan, CancellationToken cancellationToken)
    {
        var faults = plan.Faults.Count == 0 ? "no fault" : string.Join(", ", plan.Faults.Select(fault => $"{fault.Kind} {fault.Target}"));
        var name = Invariant($"try-{++_tries}");
        progress($"{name}: {faults}");
        var place = Path.Combine(folder, name);
        OwnFolder.Create(place);
        FaultResult result;
        try
        {
            result = await run(Keep(plan, Path.Combine(place, FaultPlan.FileName)), place, cancellationToken);
        }
        catch (Exception e) when (e is FaultImpossibleException || FaultRunException.IsExpected(e))
        {
            progress($"{name}: could not be finished, and shows nothing: {e.Message}");
            return false;
        }

        int[] again = [.. Violated(result).Intersect(_invariants)];
        if (again.Length > 0)
        {
            progress($"{name}: violates {(again.Length == 1 ? "invariant" : "invariants")} {string.Join(", ", again)} too");
            return true;
        }

        // Its history is as long as that of any run, and has nothing to show.
        OwnFolder.Delete(place);
        progress($"{name}: violates none of the same invariants");
        return false;
    }

    private static FaultPlan Keep(FaultPlan plan, string file)
    {
        plan = plan with { Source = Path.GetRelativePath(Directory.GetCurrentDirectory(), file) };
        plan.Write(file);
        return plan;
    }

    private static IEnumerable<int> Violated(FaultResult result) =>
        result
            .Invariants.Where(finding => finding.Verdict == InvariantVerdict.Violated && finding.Number != NonVacuity.Place)
            .Select(finding => finding.Number);
}
