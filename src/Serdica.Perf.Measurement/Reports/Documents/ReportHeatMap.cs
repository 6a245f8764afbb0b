namespace Serdica.Perf.Measurement.Reports.Documents;

/// <summary>How many operations took how long, by interval of their completion.</summary>
/// <param name="IntervalSeconds">Width of a column.</param>
/// <param name="Columns">How many there are, empty ones too.</param>
/// <param name="UpperMs">The upper bound of each row, rising.</param>
/// <param name="Cells">Triples of column, row and count; empty cells are left out.</param>
public sealed record ReportHeatMap(
    double IntervalSeconds, int Columns, IReadOnlyList<double> UpperMs, IReadOnlyList<IReadOnlyList<long>> Cells);
