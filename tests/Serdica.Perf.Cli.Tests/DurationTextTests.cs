using Serdica.Perf.Measurement.Measuring;
using Serdica.Perf.Measurement.Running;

namespace Serdica.Perf.Cli.Tests;

public sealed class DurationTextTests
{
    [Theory]
    [InlineData(0, "0s")]
    [InlineData(0.25, "0.25s")]
    [InlineData(1.5, "1.5s")]
    [InlineData(90, "90s")]
    [InlineData(600, "10m")]
    [InlineData(600.5, "600.5s")]
    [InlineData(7_200, "2h")]
    public void A_duration_has_one_form_everywhere(double seconds, string text)
    {
        var progress = new ScenarioProgress(
            "in-memory-load",
            new() { Operations = 0, DurationSeconds = seconds, Concurrency = 4, Workers = 2, Load = LoadModel.Closed }
        );

        Assert.Equal(text, Quantity.Text(FromSeconds(seconds)));
        Assert.Equal($"in-memory-load: for {text}, concurrency 4, 2 workers, closed", ProgressText.Started(progress));
    }
}
