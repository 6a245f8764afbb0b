namespace Serdica.Perf.Measurement.Tests.Comparison;

public sealed class BackendComparisonMarkdownTests
{
    [Theory]
    [InlineData("16.2", "Host=old", "postgresql B compared with postgresql A: database version: 16.2 against ")]
    [InlineData(null, "Host=new", "postgresql B compared with postgresql A: another server, described in the same way")]
    public void Two_servers_of_one_backend_are_two_rows_with_what_differs(string? version, string connection, string difference)
    {
        RunResult On(string? version, string connection) =>
            SampleRun.Passed with
            {
                Databases =
                [
                    SampleRun.Database with
                    {
                        Source = "external",
                        Version = version ?? SampleRun.Database.Version,
                        Connection = connection,
                    },
                ],
            };

        var page = Page(On(null, "Host=old"), On(version, connection));

        Assert.Contains("| postgresql A | PostgreSQL |", Narrow(page));
        Assert.Contains("| postgresql B | PostgreSQL |", Narrow(page));
        Assert.Contains(difference, page);
        Assert.Contains("| signal-roundtrip-latency-serial | postgresql A |", Narrow(page));
        Assert.Contains("| signal-roundtrip-latency-serial | postgresql B |", Narrow(page));
    }

    [Fact]
    public void Two_runs_on_one_server_stay_one_row()
    {
        Assert.DoesNotContain("postgresql A", Page(SampleRun.Passed, SampleRun.Passed));
    }

    [Fact]
    public void A_repeat_that_failed_is_in_the_outcome_with_its_reason()
    {
        var page = Page(SampleRun.OneRepeatFailed);

        Assert.Contains("| parallel | postgresql | 1 of 2 passed | 31 | 1 | 1 | 0 | 0 |", Narrow(page));
        Assert.Contains("**postgresql-parallel #2**\n\n- One signal was dead-lettered.\n", page);
        Assert.Contains($"- `{SampleRun.OneRepeatFailed.RunId}`: FAILED. 1 of 2 scenarios failed: postgresql-parallel.\n", page);
        Assert.Contains("- **few-samples**: ", page);
    }

    [Theory]
    [InlineData("on", null, "decided directly", "through the queue")]
    [InlineData("on", "off", "decided directly", "through the queue")]
    [InlineData("off", null, null, null)]
    [InlineData(null, null, null, null)]
    [InlineData("one-by-one", null, "through the queue, one by one", "through the queue")]
    public void Ways_of_signals_are_named_where_they_differ(string? one, string? other, string? ofOne, string? ofOther)
    {
        RunResult On(string backend, string? way) =>
            SampleRun.Passed with
            {
                Databases = [SampleRun.Database with { Backend = backend }],
                Scenarios =
                [
                    SampleRun.Serial with
                    {
                        Backend = backend,
                        Name = $"{backend}-{SampleRun.Serial.Scenario}",
                        Parameters = SampleRun.Serial.Parameters with
                        {
                            Engine = way is null
                                ? new Dictionary<string, string>()
                                : new Dictionary<string, string> { [way == "one-by-one" ? way : ScenarioParameters.DirectSetting] = way },
                        },
                    },
                ],
            };

        var page = Narrow(Page(On("postgresql", one), On("documentdb", other)));

        if (ofOne is null)
        {
            Assert.DoesNotContain("| Signals |", page);
            return;
        }

        Assert.Contains("| Scenario | Backend | Signals |", page);
        Assert.Contains("Figures that these differences affect cannot be compared", page);
        Assert.Contains($"| {SampleRun.Serial.Scenario} | postgresql | {ofOne} |", page);
        Assert.Contains($"| {SampleRun.Serial.Scenario} | documentdb | {ofOther} |", page);
    }

    /// <summary>Without the widths of columns.</summary>
    private static string Narrow(string page) => string.Join(' ', page.Split(' ', RemoveEmptyEntries));

    private static string Page(params RunResult[] runs) => Written.By(text => BackendComparisonMarkdown.Write(text, runs));

    [Fact]
    public void Two_backends_beside_the_reference()
    {
        var other = SampleRun.Passed with
        {
            RunId = "20260317T110000Z-mongodb-smoke",
            Databases =
            [
                SampleRun.Database with
                {
                    Backend = "mongodb",
                    Product = "MongoDB",
                    Version = "8.0.4",
                    Source = "external",
                    Durability = Durability.LossOnCrash,
                },
            ],
            Scenarios =
            [
                .. SampleRun
                    .Passed.Scenarios.Take(2)
                    .Select(scenario =>
                        scenario with
                        {
                            Name = $"mongodb-{scenario.Scenario}",
                            Backend = "mongodb",
                            DurationMs = 128,
                            Parameters = scenario.Parameters with { Workers = 4 },
                        }
                    ),
            ],
        };

        Golden.Matches("tests/Serdica.Perf.Measurement.Tests/Golden/backends.md", Page(SampleRun.Passed, other));
    }
}
