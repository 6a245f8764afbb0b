using MathNet.Numerics.LinearAlgebra;

namespace Serdica.Perf.Analysis.Capacity;

/// <summary>Fits the Universal Scalability Law to measured levels.</summary>
/// <remarks>
/// <para>
/// Fitted in the law's reciprocal form N/X = a + b(N−1) + cN(N−1), with λ = 1/a, σ = b/a, κ = c/a, as Gunther does, but
/// with each level weighted by X/N. This minimises the sum of (X/X̂ − 1)², the squares of <i>relative</i> errors,
/// because the noise of a level is in proportion to its throughput; low levels count as much as high ones. In this form
/// the problem is linear: it has one minimum and needs no start value. λ above zero and σ and κ not
/// below are ensured by comparing the four fits with either coefficient free or zero; the constrained minimum is one of them.
/// </para>
/// <para>Standard errors are those of linear least squares, carried over to λ, σ and κ to first order (delta method).</para>
/// </remarks>
internal static class ScalabilityLaw
{
    /// <summary>Three parameters fit three levels exactly; the fourth level makes an error visible.</summary>
    public const int FewestRungs = 4;

    /// <summary>
    /// Above this <see cref="ScalabilityFit.RelativeError"/> the law does not describe the levels, and its parameters mislead.
    /// </summary>
    public const double HighestRelativeError = 0.25;

    /// <param name="levels">Callers and throughput, both above zero.</param>
    /// <param name="refusal">Why there is no fit, in one sentence; null when there is one.</param>
    public static ScalabilityFit? Fit(IReadOnlyList<(double Callers, double PerSecond)> levels, out string? refusal)
    {
        refusal = null;
        var distinct = levels.DistinctBy(level => level.Callers).Count();
        if (distinct < FewestRungs)
        {
            refusal = Invariant($"The scalability law has three parameters and needs {FewestRungs} levels or more; {distinct} passed.");
            return null;
        }

        int[][] free =
        [
            [0, 1, 2],
            [0, 1],
            [0, 2],
            [0],
        ];
        var best = free.Select(terms => LeastSquares(levels, terms))
            .Where(candidate => candidate.Coefficients[0] > 0 && candidate.Coefficients.All(coefficient => coefficient >= 0))
            .MinBy(candidate => candidate.SquaredResiduals)!;
        var fit = best.ToFit(levels);
        if (fit.Contention > 1)
            refusal =
                Invariant($"The scalability law does not describe these levels: its best fit has a contention of {fit.Contention:0.00}, ")
                + "and a share of the work cannot be more than 1.";
        else if (fit.RelativeError > HighestRelativeError)
            refusal =
                "The scalability law does not describe these levels: its best fit with contention and coherency not below zero is off "
                + Invariant($"by {fit.RelativeError:0 %}, more than {HighestRelativeError:0 %}.");
        return refusal is null ? fit : null;
    }

    /// <param name="levels">All levels.</param>
    private static Reciprocal LeastSquares(IReadOnlyList<(double Callers, double PerSecond)> levels, int[] free)
    {
        var design = Matrix<double>.Build.Dense(levels.Count, free.Length, (row, column) =>
        {
            var (callers, perSecond) = levels[row];
            return perSecond
                / callers
                * free[column] switch
                {
                    0 => 1,
                    1 => callers - 1,
                    _ => callers * (callers - 1),
                };
        });

        // Columns of equal size, so that neither the solution nor the inverse loses digits to the square of a thousand callers.
        var sizes = design.ColumnNorms(2);
        var scaled = design.NormalizeColumns(2);
        var ones = Vector<double>.Build.Dense(levels.Count, 1);
        var solution = scaled.QR().Solve(ones);
        var squared = (scaled * solution - ones).DotProduct(scaled * solution - ones);
        var variance = squared / (levels.Count - free.Length);
        var inverse = scaled.TransposeThisAndMultiply(scaled).Inverse();

        var coefficients = new double[3];
        var covariance = new double[3, 3];
        for (var i = 0; i < free.Length; i++)
        {
            coefficients[free[i]] = solution[i] / sizes[i];
            for (var j = 0; j < free.Length; j++)
                covariance[free[i], free[j]] = variance * inverse[i, j] / (sizes[i] * sizes[j]);
        }

        return new(coefficients, covariance, free, squared, variance);
    }

    /// <summary>A fit of the reciprocal form, with the covariance of a, b and c.</summary>
    private sealed record Reciprocal(double[] Coefficients, double[,] Covariance, int[] Free, double SquaredResiduals, double Variance)
    {
        public ScalabilityFit ToFit(IReadOnlyList<(double Callers, double PerSecond)> levels)
        {
            var a = Coefficients[0];
            var (contention, coherency) = (Coefficients[1] / a, Coefficients[2] / a);
            var fit = new ScalabilityFit
            {
                PerCallerPerSecond = 1 / a,
                PerCallerPerSecondError = Math.Sqrt(Covariance[0, 0]) / (a * a),
                Contention = contention,
                ContentionError = ErrorOfRatio(1, contention),
                Coherency = coherency,
                CoherencyError = ErrorOfRatio(2, coherency),
                Rungs = levels.Count,
                RSquared = 0,
                RelativeError = Math.Sqrt(Variance),
                PeakConcurrency = coherency > 0 && contention <= 1 ? Math.Max(1, Math.Sqrt((1 - contention) / coherency)) : null,
            };
            return WithMost(fit) with { RSquared = Explained(fit, levels) };
        }

        /// <summary>
        /// The highest throughput, with its interval: that of its reciprocal, which is linear in the coefficients. At a peak
        /// its number of callers is stationary and adds nothing to first order.
        /// </summary>
        private ScalabilityFit WithMost(ScalabilityFit fit)
        {
            if (fit.PeakConcurrency is { } peak)
            {
                var most = fit.ThroughputAt(peak);
                var (low, high) = Interval(1 / most, [1 / peak, (peak - 1) / peak, peak - 1], fit.Rungs);
                return fit with { PeakPerSecond = most, MostLow = low, MostHigh = high };
            }

            if (fit.Contention <= 0 || Coefficients[2] > 0)
                return fit;
            var (from, to) = Interval(Coefficients[1], [0, 1, 0], fit.Rungs);
            return fit with { AsymptotePerSecond = 1 / Coefficients[1], MostLow = from, MostHigh = to };
        }

        /// <summary>The interval of 1/r, from r and its gradient in the coefficients.</summary>
        private (double Low, double? High) Interval(double reciprocal, double[] gradient, int levels)
        {
            var variance = 0.0;
            for (var i = 0; i < 3; i++)
            {
                for (var j = 0; j < 3; j++)
                    variance += gradient[i] * Covariance[i, j] * gradient[j];
            }

            var width = StudentT.InvCDF(0, 1, levels - Free.Length, 0.975) * Math.Sqrt(Math.Max(0, variance));
            return (1 / (reciprocal + width), width < reciprocal ? 1 / (reciprocal - width) : null);
        }

        private double? ErrorOfRatio(int index, double ratio) =>
            Free.Contains(index)
                ? Math.Sqrt(Math.Max(0, Covariance[index, index] - 2 * ratio * Covariance[0, index] + ratio * ratio * Covariance[0, 0]))
                    / Coefficients[0]
                : null;

        private static double Explained(ScalabilityFit fit, IReadOnlyList<(double Callers, double PerSecond)> levels)
        {
            var mean = levels.Average(level => level.PerSecond);
            var total = levels.Sum(level => Math.Pow(level.PerSecond - mean, 2));
            var left = levels.Sum(level => Math.Pow(level.PerSecond - fit.ThroughputAt(level.Callers), 2));
            return total > 0 ? 1 - left / total : 1;
        }
    }
}
