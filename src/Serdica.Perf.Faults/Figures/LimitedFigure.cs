namespace Serdica.Perf.Faults.Figures;

/// <summary>A figure of a fault that a threshold can limit.</summary>
internal sealed class LimitedFigure
{
    private const string Time = "a number followed by ms, s, m or h, for instance 3s";
    private const string Share = "a share from 0% to 100%, or from 0 to 1";
    private const string Count = "a number";

    private readonly Func<FaultFigures, double?> _read;

    private LimitedFigure(string property, string valid, Func<FaultFigures, double?> read) =>
        (Name, Valid, _read) = (JsonNamingPolicy.CamelCase.ConvertName(property), valid, read);

    public static LimitedFigure RecoveredAfter { get; } = new(nameof(FaultFigures.RecoveredAfter), Time, fault => fault.RecoveredAfter);

    /// <summary>Absent when no call failed.</summary>
    public static LimitedFigure DetectedAfter { get; } = new(nameof(FaultFigures.DetectedAfter), Time, fault => fault.DetectedAfter);

    /// <summary>Absent when no activity was repeated.</summary>
    public static LimitedFigure LastRepeatAfter { get; } = new(nameof(FaultFigures.LastRepeatAfter), Time, fault => fault.LastRepeatAfter);

    /// <summary>Absent without a backlog.</summary>
    public static LimitedFigure DrainedAfter { get; } = new(nameof(FaultFigures.DrainedAfter), Time, fault => fault.DrainedAfter);

    public static IReadOnlyList<LimitedFigure> All { get; } =
    [
        RecoveredAfter,
        DetectedAfter,
        new(nameof(FaultFigures.RateKept), Share, fault => fault.RateKept),
        new(nameof(FaultFigures.FailedCalls), Count, fault => fault.FailedCalls),
        new(nameof(FaultFigures.P99During), Time, fault => fault.P99During),
        new(nameof(FaultFigures.P99After), Time, fault => fault.P99After),
        new(nameof(FaultFigures.LongestPause), Time, fault => fault.LongestPause),
        new(nameof(FaultFigures.Backlog), Count, fault => fault.Backlog),
        DrainedAfter,
        new(nameof(FaultFigures.RepeatedActivities), Count, fault => fault.RepeatedActivities),
        LastRepeatAfter,
    ];

    public static IReadOnlyList<string> Names { get; } = [.. All.Select(figure => figure.Name)];

    /// <value>As <c>faults.json</c> has it.</value>
    public string Name { get; }

    /// <value>What a limit looks like.</value>
    public string Valid { get; }

    /// <summary>The figure of a fault; null when it was not measured.</summary>
    public double? Of(FaultFigures fault) => _read(fault);

    /// <summary>A limit that was typed; null when it is invalid.</summary>
    public double? Value(string text) =>
        Valid switch
        {
            Time => Quantity.Duration(text)?.TotalMilliseconds,
            Share => Quantity.Share(text) is { } share and <= 1 ? share : null,
            _ => Quantity.Number(text),
        };

    /// <summary>A limit as <see cref="Value"/> reads it.</summary>
    public string Typed(double limit) => Text(limit, "0.###", "");

    /// <summary>A measured value with its unit.</summary>
    public string Shown(double value) => Text(value, "#,0.##", " ");

    private string Text(double value, string format, string blank) =>
        Valid switch
        {
            Time => value.ToString(format, CultureInfo.InvariantCulture) + blank + "ms",
            Share => (value * 100).ToString(format, CultureInfo.InvariantCulture) + blank + "%",
            _ => value.ToString(format, CultureInfo.InvariantCulture),
        };
}
