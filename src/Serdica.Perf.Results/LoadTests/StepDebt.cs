namespace Serdica.Perf.Results.LoadTests;

/// <summary>
/// Work that the database has put off, which a later step pays for. A figure is null where the database does not report it.
/// </summary>
public sealed record StepDebt
{
    /// <summary>Dead rows that no vacuum had removed when the step started.</summary>
    public double? DeadRowsAtStart { get; init; }

    /// <summary>Dead rows after its drain.</summary>
    public double? DeadRowsAtEnd { get; init; }

    /// <summary>Bytes of log since the last checkpoint when the step started.</summary>
    public double? LogBytesAtStart { get; init; }

    /// <summary>Bytes of log since the last checkpoint after its drain.</summary>
    public double? LogBytesAtEnd { get; init; }

    /// <summary>The debt of generators that share one server and each have a store; null when none has one.</summary>
    internal static StepDebt? Of(IEnumerable<StepDebt?> generators)
    {
        var all = generators.OfType<StepDebt>().ToArray();
        return all.Length == 0
            ? null
            : new()
            {
                DeadRowsAtStart = Sum(all.Select(debt => debt.DeadRowsAtStart)),
                DeadRowsAtEnd = Sum(all.Select(debt => debt.DeadRowsAtEnd)),
                LogBytesAtStart = all.Max(debt => debt.LogBytesAtStart),
                LogBytesAtEnd = all.Max(debt => debt.LogBytesAtEnd),
            };
    }

    private static double? Sum(IEnumerable<double?> rows) => rows.Aggregate((double?)0, (sum, value) => sum + value);
}
