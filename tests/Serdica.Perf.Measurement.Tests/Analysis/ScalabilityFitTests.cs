namespace Serdica.Perf.Measurement.Tests.Analysis;

public sealed class ScalabilityFitTests
{
    private static readonly int[] Ladder = [1, 4, 8, 16, 64, 256, 1024];

    private static readonly Gen<(double Lambda, double Sigma, double Kappa)> Laws =
        from lambda in Gen.Choose(1, 100_000)
        from sigma in Gen.Choose(0, 500)
        from kappa in Gen.Choose(0, 1_000)
        select (lambda / 10.0, sigma / 1_000.0, kappa / 1e6);

    [Fact]
    public void The_parameters_of_a_law_are_found_again_in_its_own_figures() => Hold(Prop.ForAll(Arb.From(Laws), law =>
            {
                var fit = ScalabilityLaw.Fit([.. Ladder.Select(callers => ((double)callers, Throughput(law, callers)))], out var refusal);

                return refusal is null
                    && Near(fit!.PerCallerPerSecond, law.Lambda, 1e-6 * law.Lambda)
                    && Near(fit.Contention, law.Sigma, 1e-6)
                    && Near(fit.Coherency, law.Kappa, 1e-9)
                    && fit.RelativeError < 1e-6
                    && fit.RSquared > 0.999999;
            }));

    [Fact]
    public void The_unit_of_throughput_changes_lambda_and_nothing_else() =>
        Hold(Prop.ForAll(Arb.From(Laws), Arb.From(Gen.Choose(1, int.MaxValue)), (law, seed) =>
            {
                var random = new Random(seed);
                var levels = Noisy(law, random, 0.05);

                var fit = ScalabilityLaw.Fit(levels, out _)!;
                var inMinutes = ScalabilityLaw.Fit([.. levels.Select(level => (level.Callers, level.PerSecond * 60))], out _)!;

                return Near(inMinutes.PerCallerPerSecond / fit.PerCallerPerSecond, 60, 1e-6)
                    && Near(inMinutes.Contention, fit.Contention, 1e-9)
                    && Near(inMinutes.Coherency, fit.Coherency, 1e-12);
            }));

    [Fact]
    public void With_noise_the_curve_stays_within_a_few_times_the_noise_of_the_true_one() =>
        Hold(Prop.ForAll(Arb.From(Laws), Arb.From(Gen.Choose(1, int.MaxValue)), (law, seed) =>
            {
                var fit = ScalabilityLaw.Fit(Noisy(law, new Random(seed), 0.02), out _)!;

                // Five standard deviations of one level, where the worst level of a fit with three parameters is as good as one.
                return Ladder.All(callers => Math.Abs(fit.ThroughputAt(callers) / Throughput(law, callers) - 1) < 0.10)
                    && fit is { Contention: >= 0, Coherency: >= 0, PerCallerPerSecond: > 0 };
            }));

    [Fact]
    public void Standard_errors_cover_the_true_parameters_about_as_often_as_they_should()
    {
        var random = new Random(7);
        var law = (Lambda: 500.0, Sigma: 0.05, Kappa: 0.0002);
        var covered = new int[3];

        for (var run = 0; run < 1_000; run++)
        {
            var fit = ScalabilityLaw.Fit(Noisy(law, random, 0.03), out _)!;

            // Student's t of four degrees of freedom: 95 % lie within 2.776 standard errors.
            covered[0] += Near(fit.PerCallerPerSecond, law.Lambda, 2.776 * fit.PerCallerPerSecondError!.Value) ? 1 : 0;
            covered[1] += Near(fit.Contention, law.Sigma, 2.776 * fit.ContentionError!.Value) ? 1 : 0;
            covered[2] += Near(fit.Coherency, law.Kappa, 2.776 * fit.CoherencyError!.Value) ? 1 : 0;
        }

        EachItem.Holds(covered, hits => Assert.InRange(hits, 920, 980));
    }

    /// <summary>Six levels and three parameters leave three degrees of freedom; the figures are those of another program.</summary>
    [Fact]
    public void Errors_and_interval_are_by_the_levels_that_the_parameters_leave()
    {
        var fit = ScalabilityLaw.Fit([(1, 100), (2, 190), (4, 330), (8, 500), (16, 560), (32, 420)], out _)!;

        double[] found = [fit.RelativeError, fit.PerCallerPerSecondError!.Value, fit.ContentionError!.Value, fit.CoherencyError!.Value];
        double[] expected = [0.014284636, 1.066450312, 0.0045649304, 0.00017876538];
        Assert.Equal(expected, found, (left, right) => Near(left, right, 1e-6 * left));
        Assert.Equal((541.0261, 575.6349), (Math.Round(fit.MostLow!.Value, 4), Math.Round(fit.MostHigh!.Value, 4)));
    }

    [Theory]
    [InlineData(0.05, 0.0002)]
    [InlineData(0.05, 0)]
    public void The_interval_of_the_highest_throughput_covers_the_true_one_about_as_often_as_it_should(double sigma, double kappa)
    {
        var random = new Random(11);
        var law = (Lambda: 500.0, Sigma: sigma, Kappa: kappa);
        var most = kappa > 0 ? Throughput(law, Math.Sqrt((1 - sigma) / kappa)) : law.Lambda / sigma;

        var fits = Range(0, 1_000)
            .Select(_ => ScalabilityLaw.Fit(Noisy(law, random, 0.03), out var _)!)
            .Where(fit => kappa > 0 ? fit.PeakPerSecond is not null : fit.AsymptotePerSecond is not null)
            .ToArray();

        Assert.InRange(
            (double)fits.Count(fit => fit.MostLow <= most && (fit.MostHigh ?? double.MaxValue) >= most) / fits.Length,
            0.90,
            0.99
        );
    }

    [Fact]
    public void The_peak_is_where_neighbours_are_lower()
    {
        var fit = ScalabilityLaw.Fit([.. Ladder.Select(callers => ((double)callers, Throughput((100, 0.02, 0.0001), callers)))], out _)!;

        Assert.Equal(Math.Sqrt(0.98 / 0.0001), fit.PeakConcurrency!.Value, 1e-3);
        Assert.True(fit.PeakPerSecond > fit.ThroughputAt(fit.PeakConcurrency.Value - 5));
        Assert.True(fit.PeakPerSecond > fit.ThroughputAt(fit.PeakConcurrency.Value + 5));
    }

    [Fact]
    public void Linear_scaling_has_no_peak_and_parameters_at_their_bounds()
    {
        var fit = ScalabilityLaw.Fit([(1, 10), (2, 20), (4, 40), (8, 80)], out _)!;

        Assert.Null(fit.PeakConcurrency);
        Assert.InRange(fit.Contention, 0, 1e-9);
        Assert.Equal(10, fit.PerCallerPerSecond, 1e-9);
    }

    [Fact]
    public void Three_levels_are_refused()
    {
        Assert.Null(ScalabilityLaw.Fit([(1, 10), (2, 19), (4, 35)], out var refusal));
        Assert.Equal("The scalability law has three parameters and needs 4 levels or more; 3 passed.", refusal);
    }

    [Fact]
    public void Throughput_that_grows_faster_than_the_callers_is_refused()
    {
        Assert.Null(ScalabilityLaw.Fit([(1, 10), (2, 40), (4, 160), (8, 640)], out var refusal));
        Assert.Contains("does not describe these levels", refusal);
    }

    [Fact]
    public void Throughput_that_falls_from_the_second_caller_on_is_refused()
    {
        Assert.Null(
            ScalabilityLaw.Fit(
                [.. new[] { 1, 2, 4, 8 }.Select(callers => ((double)callers, Throughput((100, 2, 0), callers)))],
                out var refusal
            )
        );
        Assert.Contains("a contention of 2.00", refusal);
    }

    private static (double Callers, double PerSecond)[] Noisy(
        (double Lambda, double Sigma, double Kappa) law,
        Random random,
        double noise
    ) => [.. Ladder.Select(callers => ((double)callers, Throughput(law, callers) * Math.Exp(noise * Noise.Normal(random))))];

    private static double Throughput((double Lambda, double Sigma, double Kappa) law, double callers) =>
        law.Lambda * callers / (1 + law.Sigma * (callers - 1) + law.Kappa * callers * (callers - 1));

    private static bool Near(double actual, double expected, double tolerance) => Math.Abs(actual - expected) <= tolerance;
}
