namespace Serdica.Perf.Analysis.LoadTests;

/// <summary>
/// Steps that started with much more of the database's work put off than the first step: dead rows for a vacuum, and log for a
/// checkpoint. They pay for what earlier steps did.
/// </summary>
internal static class CarriedDebt
{
    /// <summary>With less, a debt is not much larger than the first step's.</summary>
    private const double Times = 3;

    /// <summary>A vacuum of fewer rows takes milliseconds.</summary>
    private const double FewestRows = 50_000;

    /// <summary>Less log than this fits into the limits that PostgreSQL has by default.</summary>
    private const double FewestBytes = 1L << 30;

    /// <returns>One sentence for each such step.</returns>
    public static IEnumerable<string> Of(IReadOnlyList<StepResult> steps)
    {
        if (steps.Count == 0 || steps[0].Debt is not { } first)
            yield break;

        foreach (var step in steps.Skip(1))
        {
            var (rows, bytes) = (step.Debt?.DeadRowsAtStart, step.Debt?.LogBytesAtStart);
            List<string> parts = [];
            if (IsLarge(rows, first.DeadRowsAtStart, FewestRows))
                parts.Add(Invariant($"{rows:N0} dead rows (the first step: {first.DeadRowsAtStart:N0})"));
            if (IsLarge(bytes, first.LogBytesAtStart, FewestBytes))
            {
                var before = Mebibytes(first.LogBytesAtStart);
                parts.Add(Invariant($"{Mebibytes(bytes):N0} MiB of log since the last checkpoint (the first step: {before:N0} MiB)"));
            }

            if (parts.Count > 0)
                yield return $"{step.Name} started with {string.Join(" and ", parts)}: its figures include work that earlier steps left. "
                    + "A longer --cooldown or --fresh-steps shows how much.";
        }
    }

    private static bool IsLarge(double? debt, double? first, double fewest) => debt >= fewest && debt >= Times * first;

    private static double? Mebibytes(double? bytes) => bytes / (1 << 20);
}
