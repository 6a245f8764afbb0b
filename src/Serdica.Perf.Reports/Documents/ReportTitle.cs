namespace Serdica.Perf.Reports.Documents;

/// <summary>The title of the report of a run: its figure, for instance <c>5,955 round trips/s, PostgreSQL 15.18, 64 callers</c>.</summary>
internal static class ReportTitle
{
    /// <summary>The run's name where there is no figure.</summary>
    public static string Of(RunResult run, ReportAnswers answers)
    {
        if (answers.Speeds.Count == 0)
            return ReportBuilder.Name(run);

        var speed = answers.Speeds[0];
        var measured = Measured(run, speed);
        var database = run.Databases.FirstOrDefault(database => database.Backend == (measured?.Backend ?? speed.Label));
        string?[] parts =
        [
            Invariant($"{speed.PerSecond:#,0} {Unit(measured)}/s"),
            database is null ? null : $"{database.Product} {database.Version}".TrimEnd(),
            measured is null or { Parameters.Load: LoadModel.Open } ? null : Callers(measured.Parameters.Concurrency),
        ];
        return string.Join(", ", parts.OfType<string>());
    }

    /// <summary>The measurement of a speed; null when the run does not have it.</summary>
    public static ScenarioResult? Measured(RunResult run, ReportSpeed speed) =>
        run.Scenarios.FirstOrDefault(scenario =>
            // A step of a load test goes by its name alone.
            scenario.Name == speed.Scenario
            || scenario.Name.EndsWith($"-{speed.Scenario}", StringComparison.Ordinal)
        );

    private static string Unit(ScenarioResult? scenario) =>
        scenario?.Family == ScenarioFamilies.SignalRoundtrip ? "round trips" : "operations";

    private static string Callers(int callers) => Invariant($"{callers:#,0} caller{(callers == 1 ? "" : "s")}");
}
