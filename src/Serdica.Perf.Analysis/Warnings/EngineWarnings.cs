namespace Serdica.Perf.Analysis.Warnings;

/// <summary>The engine had trouble with the database and went on.</summary>
internal static class EngineWarnings
{
    public static IEnumerable<RunWarning> Of(ScenarioResult scenario) =>
        scenario.EngineWarnings.Select(sentence => new RunWarning(
            WarningCodes.EngineWarning,
            $"{scenario.Name} passed, but: {sentence}",
            scenario.Name
        ));
}
