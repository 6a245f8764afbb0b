namespace Serdica.Perf.Reports.Documents;

/// <summary>The first screen of a run's report in a few figures, for a list of runs.</summary>
/// <param name="Outcome">Whether it passed, and why not, in a sentence.</param>
/// <param name="Scenario">The scenario or step of the figures; null when the run has none.</param>
/// <param name="PerSecond">Operations a second.</param>
/// <param name="P99Ms">Of the response time; null when too few operations were measured.</param>
/// <param name="Limit">What limited it; null when that is unknown.</param>
/// <param name="IsLoadTest">Whether it is a load test, whose rate somebody chose.</param>
internal sealed record RunHeadline(
    string Outcome,
    bool Passed,
    string? Scenario,
    double? PerSecond,
    double? P99Ms,
    string? Limit,
    string? Series,
    bool IsLoadTest
)
{
    /// <exception cref="BaselineException">A file of its folder cannot be read.</exception>
    public static RunHeadline Of(RunArtifacts artifacts)
    {
        var (run, load) = (artifacts.Run, LoadOverview.Of(artifacts));
        var answers = AnswersBuilder.Build([(run, load)], comparison: null);
        var speed = answers.Speeds.Count > 0 ? answers.Speeds[0] : null;
        return new(
            answers.Outcome,
            answers.Passed,
            speed?.Scenario,
            speed?.PerSecond,
            speed?.P99Ms,
            answers.Limits.Count > 0 ? answers.Limits[0].Limit : null,
            speed?.Measured is { } measured ? HistoryLine.SeriesOf(run, measured) : null,
            load is not null
        );
    }
}
