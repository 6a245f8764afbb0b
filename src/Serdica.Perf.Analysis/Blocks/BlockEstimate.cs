using MathNet.Numerics.Distributions;
using MathNet.Numerics.Statistics;
using Serdica.Perf.Analysis.Comparison;

namespace Serdica.Perf.Analysis.Blocks;

/// <summary>The ratio of candidate to base from the ratios of blocks, with what chance makes of it.</summary>
/// <remarks>
/// In logarithms, as in <see cref="RatioEstimate"/>. The interval is the studentized bootstrap over the blocks: each resample
/// gives the error of its mean in units of its own standard error, and the quantiles of those take the place of Student's t
/// (B. Efron and R. J. Tibshirani, <i>An Introduction to the Bootstrap</i>, 1993, section 12.5). The plain percentiles of
/// so few blocks would be too narrow.
/// </remarks>
internal static class BlockEstimate
{
    private const int Resamples = 2_000;

    /// <summary>Always the same, so that a comparison gives the same figures whenever it is made.</summary>
    private const int Seed = 20_261_121;

    /// <param name="logarithms">Of the ratio of each block; two at least.</param>
    public static RatioEstimate Of(IReadOnlyList<double> logarithms)
    {
        var values = logarithms.ToArray();
        var mean = values.Mean();
        var error = StandardError(values, mean);
        if (error == 0)
            return new(Math.Exp(mean), Math.Exp(mean), Math.Exp(mean), 0);

        var random = new Random(Seed);
        var studentized = new List<double>(Resamples);
        var resample = new double[values.Length];
        for (var round = 0; round < Resamples; round++)
        {
            for (var index = 0; index < resample.Length; index++)
                resample[index] = values[random.Next(values.Length)];
            var center = resample.Mean();

            // One block, drawn every time, has no spread and tells nothing of its error.
            if (StandardError(resample, center) is > 0 and var spread)
                studentized.Add((center - mean) / spread);
        }

        var sorted = studentized.Order().ToArray();
        return new(
            Math.Exp(mean),
            Math.Exp(mean - error * SortedArrayStatistics.Quantile(sorted, (1 + RatioEstimate.Confidence) / 2)),
            Math.Exp(mean - error * SortedArrayStatistics.Quantile(sorted, (1 - RatioEstimate.Confidence) / 2)),
            Math.Exp(StudentT.InvCDF(0, 1, values.Length - 1, 1 - RatioEstimate.FloorExceedance / 2) * error) - 1);
    }

    private static double StandardError(double[] values, double mean) =>
        Math.Sqrt(values.Sum(value => (value - mean) * (value - mean)) / (values.Length - 1) / values.Length);
}
