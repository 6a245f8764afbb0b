namespace Serdica.Perf.Faults.Figures;

/// <summary>A limit on one figure of each fault, for instance <c>recoveredAfter:killHost &lt;= 1s</c>.</summary>
/// <param name="Fault">The kind of fault; null for all kinds.</param>
/// <param name="Limit">In the unit of the figure: milliseconds, a count, or a share of 1.</param>
internal sealed record FaultThreshold(LimitedFigure Figure, FaultKind? Fault, ThresholdBound Bound, double Limit)
{
    private static readonly string[] Faults = [.. Enum.GetValues<FaultKind>().Select(FaultTraits.Name)];

    /// <summary>What PostgreSQL is meant to keep on a machine that does nothing else; docs/faults.md has the reasons.</summary>
    public static IReadOnlyList<FaultThreshold> PostgreSql { get; } =
    [
        .. new[]
        {
            "recoveredAfter:killHost <= 1s",
            "lastRepeatAfter:killHost <= 3s",
            "recoveredAfter:killDatabase <= 3s",
            "recoveredAfter:crashDatabase <= 3s",
            "recoveredAfter:restartDatabase <= 3s",
            "rateKept:holdSnapshot >= 95%",
        }.Select(Parse),
    ];

    /// <summary>As it is typed.</summary>
    public string Text => $"{Figure.Name}{(Fault is { } fault ? $":{FaultTraits.Name(fault)}" : "")} {Bound.Sign()} {Figure.Typed(Limit)}";

    /// <summary>The longest time to 95 % of the rate before a fault of any kind.</summary>
    public static FaultThreshold Recovery(TimeSpan limit) =>
        new(LimitedFigure.RecoveredAfter, null, ThresholdBound.AtMost, limit.TotalMilliseconds);

    /// <summary>Parses <c>FIGURE[:FAULT] OPERATOR VALUE</c>.</summary>
    /// <exception cref="ArgumentException">A part is missing or unknown; the message says which, and what would be valid.</exception>
    public static FaultThreshold Parse(string text)
    {
        var parts = ThresholdText.Split(text)
            ?? throw new ArgumentException(
                $"The threshold '{text}' is not understood; it has the form FIGURE[:FAULT] OPERATOR VALUE, for instance "
                    + "'recoveredAfter:killHost <= 1s' or 'failedCalls < 100'."
            );
        var figure = LimitedFigure.All.FirstOrDefault(figure => figure.Name == parts.Figure)
            ?? throw new ArgumentException(
                $"The threshold '{text}' is on '{parts.Figure}', which no fault has; there are {string.Join(", ", LimitedFigure.Names)}."
                    + ClosestName.Question(parts.Figure, LimitedFigure.Names)
            );
        if (parts.Part is not null && !Faults.Contains(parts.Part))
            throw new ArgumentException(
                $"The threshold '{text}' is on faults '{parts.Part}', which do not exist; there are {string.Join(", ", Faults)}."
                    + ClosestName.Question(parts.Part, Faults)
            );
        return new(
            figure,
            parts.Part is { } fault ? Enum.Parse<FaultKind>(fault, ignoreCase: true) : null,
            parts.Bound,
            figure.Value(parts.Value)
                ?? throw new ArgumentException($"The threshold '{text}' has the limit '{parts.Value}'; it must be {figure.Valid}.")
        );
    }

    /// <summary>The thresholds of a run, all of which can be judged by its plan.</summary>
    /// <param name="defaults">Thresholds that count where the plan has their fault, and none is given on the same figure and fault.</param>
    /// <exception cref="ArgumentException">The plan has no fault that one of those given, or any of the defaults, is on.</exception>
    public static IReadOnlyList<FaultThreshold> For(
        FaultPlan plan,
        IReadOnlyList<FaultThreshold> defaults,
        IReadOnlyList<FaultThreshold> given
    )
    {
        if (given.FirstOrDefault(threshold => !threshold.IsOnAFaultOf(plan)) is { } without)
            throw new ArgumentException(
                $"The threshold '{without.Text}' is on a fault that this run does not have; it has {KindsOf(plan)}."
            );
        var applied = defaults
            .Where(threshold => threshold.IsOnAFaultOf(plan))
            .Where(threshold => !given.Any(other => other.Figure == threshold.Figure && other.Fault == threshold.Fault))
            .ToList();
        if (defaults.Count > 0 && applied.Count + given.Count == 0)
            throw new ArgumentException($"No default threshold is on a fault of this run, which has {KindsOf(plan)}; use --threshold.");
        return [.. applied, .. given];
    }

    /// <summary>Whether it is on faults of this kind.</summary>
    public bool IsOn(FaultKind kind) => Fault is null || Fault == kind;

    private static string KindsOf(FaultPlan plan) =>
        plan.Faults.Count == 0 ? "none" : string.Join(", ", plan.Faults.Select(fault => FaultTraits.Name(fault.Kind)).Distinct());

    private bool IsOnAFaultOf(FaultPlan plan) => plan.Faults.Any(fault => IsOn(fault.Kind));
}
