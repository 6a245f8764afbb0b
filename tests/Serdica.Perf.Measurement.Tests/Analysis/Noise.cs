namespace Serdica.Perf.Measurement.Tests.Analysis;

/// <summary>Random numbers that are the same in every run.</summary>
internal static class Noise
{
    /// <summary>Standard normal, by Box and Muller.</summary>
    public static double Normal(Random random) =>
        Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
}
