using System.Globalization;

namespace Serdica.Perf.Measurement.Scenarios;

/// <summary>What a closed load right before a soak has shown.</summary>
/// <param name="PerSecond">Operations a second; 0 when nothing completed.</param>
/// <param name="BytesPerOperation">What each operation left on the heap of this process.</param>
internal sealed record SoakCalibration(double PerSecond, double BytesPerOperation)
{
    public double Offered => PerSecond * SoakPlan.Utilisation;

    /// <summary>Why the soak can't be run; null when it can.</summary>
    /// <param name="soak">What is wanted.</param>
    /// <param name="availableBytes">Memory that this process may use.</param>
    public string? Problem(SoakPlan soak, long availableBytes)
    {
        if (PerSecond <= 0)
            return "Nothing completed in the calibration, so there is no maximum to take a part of.";

        // The in-memory backend keeps every instance: better said now than after minutes by the system's killer.
        var needed = BytesPerOperation * soak.Arrivals(Offered);
        return needed > availableBytes / 2.0
            ? string.Create(
                CultureInfo.InvariantCulture,
                $"The soak would need {needed / (1L << 30):0.0} GiB in this process, {BytesPerOperation:0} bytes for each of {soak.Arrivals(Offered):N0} operations, and it has {availableBytes / (double)(1L << 30):0.0} GiB: shorten it with --duration.")
            : null;
    }
}
