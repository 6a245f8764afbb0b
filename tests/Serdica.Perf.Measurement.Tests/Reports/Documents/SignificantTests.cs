namespace Serdica.Perf.Measurement.Tests.Reports.Documents;

public sealed class SignificantTests
{
    [Theory]
    [InlineData(8.4449996, 8.44499)]
    [InlineData(12_345.6789, 12_345.6)]
    [InlineData(0.29, 0.29)]
    [InlineData(0.3, 0.3)]
    [InlineData(-0.00123456789, -0.00123456)]
    [InlineData(4_000_000_000.7, 4_000_000_000)]
    [InlineData(2e20, 2e20)]
    [InlineData(double.NaN, 0)]
    public void What_a_curve_cannot_show_is_cut_off(double value, double shown) => Assert.Equal(shown, Significant.Of(value));

    /// <summary>With rounding in both places, 8.4449996 was 8.45 on the page and 8.44 in the summary.</summary>
    [Fact]
    public void A_point_of_a_curve_is_rounded_like_its_raw_value()
    {
        var random = new Random(7);
        foreach (var _ in Range(0, 10_000))
        {
            var raw = random.NextDouble() * 100;
            // One in ten lies just below a value that would be rounded up.
            var value = random.Next(10) == 0 ? Math.Floor(raw * 100) / 100 + 0.00499996 : raw;

            Assert.Equal(
                value.ToString("0.00", CultureInfo.InvariantCulture),
                Significant.Of(value).ToString("0.00", CultureInfo.InvariantCulture)
            );
        }
    }
}
