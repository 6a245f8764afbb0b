using System.Globalization;
using Serdica.Perf.Reports.Summary;
using Serdica.Perf.Results.Runs;

namespace Serdica.Perf.Measurement.Tests.Comparison;

public sealed class BackendComparisonMarkdownTests
{
    [Fact]
    public void Two_backends_beside_the_reference()
    {
        var other = SampleRun.Passed with
        {
            RunId = "20260317T110000Z-mongodb-smoke",
            Databases =
            [
                SampleRun.Database with { Backend = "mongodb", Product = "MongoDB", Version = "8.0.4", Source = "external", Durability = Durability.LossOnCrash },
            ],
            Scenarios =
            [
                .. SampleRun.Passed.Scenarios.Take(2).Select(scenario => scenario with
                {
                    Name = $"mongodb-{scenario.Scenario}",
                    Backend = "mongodb",
                    DurationMs = 128,
                    Parameters = scenario.Parameters with { Workers = 4 },
                }),
            ],
        };

        using var text = new StringWriter(CultureInfo.InvariantCulture);
        BackendComparisonMarkdown.Write(text, [SampleRun.Passed, other]);
        Golden.Matches("tests/Serdica.Perf.Measurement.Tests/Golden/backends.md", text.ToString());
    }
}
