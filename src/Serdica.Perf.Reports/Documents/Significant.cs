namespace Serdica.Perf.Reports.Documents;

/// <summary>As many digits as a curve can show: what is drawn need not be carried along to the last bit.</summary>
internal static class Significant
{
    private const int Digits = 5;

    public static double Of(double value) => value == 0 || !double.IsFinite(value)
        ? 0
        : Math.Round(value, Math.Clamp(Digits - 1 - (int)Math.Floor(Math.Log10(Math.Abs(value))), 0, 15));

    public static double? Of(double? value) => value is { } number && double.IsFinite(number) ? Of(number) : null;
}
