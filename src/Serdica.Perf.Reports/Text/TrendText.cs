namespace Serdica.Perf.Reports.Text;

/// <summary>The words of a trend, the same in every form of it.</summary>
internal static class TrendText
{
    private const string Blocks = "▁▂▃▄▅▆▇█";

    /// <summary>Points of a course; of a longer series the newest.</summary>
    private const int MostPoints = 40;

    /// <summary>For instance <c>0123456789ab (2026-11-21): 10,000 to 8,900 op/s, -11.0 %, worse (p 0.000031)</c>.</summary>
    public static string Change(TrendSeries series, ChangePoint change)
    {
        var point = series.Points[change.Index];
        var unit = point.Unit is null ? "" : $" {point.Unit}";
        var share = double.IsFinite(change.Change) ? Invariant($", {change.Change * 100:+0.0;-0.0} %") : "";
        var direction = series.IsWorse(change) switch
        {
            true => ", worse",
            false => ", better",
            null => "",
        };
        var also = series.AlsoChanged.GetValueOrDefault(change.Index) is { } conditions ? $"; also changed: {conditions}" : "";
        return Invariant($"{Commit(point)} ({point.At.UtcDateTime:yyyy-MM-dd}): {Value(change.Before)} to {Value(change.After)}{unit}")
            + Invariant($"{share}{direction} ({Probability(change.PValue)}){also}");
    }

    public static string Commit(TrendPoint point) => point.Commit[..Math.Min(12, point.Commit.Length)];

    /// <summary>The course of the newest points as a line of blocks, from the lowest to the highest of them.</summary>
    public static string Course(TrendSeries series)
    {
        var values = series.Points.TakeLast(MostPoints).Select(point => point.Value).ToArray();
        var (least, most) = (values.Min(), values.Max());
        return string.Concat(
            values.Select(value =>
                most > least ? Blocks[(int)Math.Round((value - least) / (most - least) * (Blocks.Length - 1))] : Blocks[0]
            )
        );
    }

    /// <summary>Three digits or more, whatever the size.</summary>
    public static string Value(double value) => ComparisonText.Value(value);

    private static string Probability(double p) => p < 0.000001 ? "p below 0.000001" : Invariant($"p {p:0.######}");
}
