namespace Serdica.Perf.Reports.Documents;

/// <summary>
/// As many digits as a curve can show. The rest is cut off and not rounded, because the page rounds what it shows of a point, and a
/// figure that is rounded twice may be wrong: 8.4449996 is 8.44, and 8.445 would be 8.45.
/// </summary>
internal static class Significant
{
    private const int Digits = 6;

    /// <summary>From here on a number is whole for every reader, and a decimal may not hold it.</summary>
    private const double Large = 1e15;

    public static double Of(double value) =>
        value == 0 || !double.IsFinite(value) ? 0
        : Math.Abs(value) >= Large ? value
        // As a decimal, because 0.29 is a little less than that as a double, and 0.28 would be left of it.
        : (double)
            Math.Round(
                (decimal)value,
                Math.Clamp(Digits - 1 - (int)Math.Floor(Math.Log10(Math.Abs(value))), 0, 15),
                MidpointRounding.ToZero
            );

    public static double? Of(double? value) => value is { } number && double.IsFinite(number) ? Of(number) : null;
}
