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
        var measured = speed.Measured;
        var database = run.Databases.FirstOrDefault(database => database.Backend == (measured?.Backend ?? speed.Label));
        string?[] parts =
        [
            Invariant($"{speed.PerSecond:#,0} {Unit(measured)}/s"),
            database is null ? null : $"{database.Product} {database.Version}".TrimEnd(),
            measured is null or { Parameters.Load: LoadModel.Open } ? null : Callers(measured.Parameters.Concurrency),
        ];
        return string.Join(", ", parts.OfType<string>());
    }

    private static string Unit(ScenarioResult? scenario) =>
        scenario?.Family == ScenarioFamilies.SignalRoundtrip ? "round trips" : "operations";

    private static string Callers(int callers) => Invariant($"{callers:#,0} caller{(callers == 1 ? "" : "s")}");
}
