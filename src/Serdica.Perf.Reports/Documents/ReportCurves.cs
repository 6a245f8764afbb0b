namespace Serdica.Perf.Reports.Documents;

/// <summary>Generator, engine, database and host on one time axis.</summary>
/// <param name="SamplesPerPoint">More than 1 when there were too many to draw: rates are over all of them, states are means.</param>
/// <param name="Seconds">The time of each point, from the start of the measured window.</param>
/// <param name="Panels">One chart each.</param>
internal sealed record ReportCurves(int SamplesPerPoint, IReadOnlyList<double> Seconds, IReadOnlyList<ReportPanel> Panels);

/// <summary>One curve of a <see cref="ReportPanel"/>.</summary>
/// <param name="Values">One for each point of time; null where it is not available.</param>
internal sealed record ReportCurve(string Name, IReadOnlyList<double?> Values);

/// <summary>How many operations took how long, by interval of their completion.</summary>
/// <param name="Columns">How many there are, empty ones too.</param>
/// <param name="UpperMs">The upper bound of each row, rising.</param>
/// <param name="Cells">Triples of column, row and count; empty cells are left out.</param>
internal sealed record ReportHeatMap(
    double IntervalSeconds,
    int Columns,
    IReadOnlyList<double> UpperMs,
    IReadOnlyList<IReadOnlyList<long>> Cells
);

/// <summary>Something that happened while a scenario was measured.</summary>
/// <param name="FromSeconds">From the start of the measured window, or, for a load test, from the start of the test.</param>
/// <param name="ToSeconds">Null for a moment.</param>
/// <param name="Label">For people, for instance <c>drain</c>.</param>
/// <param name="IsFault">Whether something went wrong there, or was broken on purpose.</param>
/// <param name="IsMeasured">Whether it is a phase whose operations are in the figures.</param>
internal sealed record ReportMark(double FromSeconds, double? ToSeconds, string Label, bool IsFault = false, bool IsMeasured = false);

/// <summary>Curves that share an axis.</summary>
/// <param name="Unit">The unit of all of them.</param>
/// <param name="Curves">Only those with a figure.</param>
internal sealed record ReportPanel(string Title, string Unit, IReadOnlyList<ReportCurve> Curves);
