namespace Serdica.Perf.Analysis.Reference;

/// <summary>Whether a scenario was run with the parameters that must be equal on every backend.</summary>
/// <param name="Scenario">The measurement; the typical one of several repeats.</param>
/// <param name="Reference">The reference's row of the same name; null when it has none.</param>
/// <param name="Differences">The differences, one phrase each, for instance <c>operations 20,000 instead of 16</c>.</param>
internal sealed record ConstantCheck(ScenarioResult Scenario, ReferenceScenario? Reference, IReadOnlyList<string> Differences)
{
    /// <summary>The reference states the workers of two scenarios; this project fixed those of the others, for all backends.</summary>
    private const int FixedWorkers = 8;

    public bool IsKept => Reference is not null && Differences.Count == 0;

    public static IReadOnlyList<ConstantCheck> Of(IReadOnlyList<ScenarioResult> scenarios, ReferenceBaseline reference)
    {
        var hashes = scenarios
            .Where(scenario => scenario.DefinitionHash is not null)
            .ToLookup(scenario => scenario.Scenario, scenario => scenario.DefinitionHash);
        return
        [
            .. TypicalRepeat
                .Of(scenarios)
                .Select(scenario =>
                {
                    var expected = reference.Find(scenario.Scenario);
                    return new ConstantCheck(
                        scenario,
                        expected,
                        [.. Parameters(scenario, expected), .. Definition(hashes[scenario.Scenario])]
                    );
                }),
        ];
    }

    private static IEnumerable<string> Parameters(ScenarioResult scenario, ReferenceScenario? expected)
    {
        if (expected is null)
            return [];

        var actual = scenario.Parameters;
        (string Name, int Expected, int Actual)[] numbers =
        [
            ("operations", expected.Operations, actual.Operations),
            ("concurrency", expected.Concurrency, actual.Concurrency),
            ("workers", expected.Workers ?? FixedWorkers, actual.Workers),
        ];
        return
        [
            .. numbers
                .Where(number => number.Expected != number.Actual)
                .Select(number => $"{number.Name} {number.Actual} instead of {number.Expected}"),
            .. actual
                .Engine.Where(setting => !IsDefault(setting) && !IsOfCallers(setting, actual))
                .Select(setting => $"{setting.Key} of the engine set to {setting.Value}"),
        ];
    }

    /// <summary>Recorded though nobody has set it; the reference shares no commits either.</summary>
    private static bool IsDefault(KeyValuePair<string, string> setting) =>
        setting is { Key: ScenarioParameters.DirectSetting or ScenarioParameters.OneByOneSetting, Value: "on" };

    /// <summary>Where commits are not shared, those side by side are those of the callers, as in the reference.</summary>
    private static bool IsOfCallers(KeyValuePair<string, string> setting, ScenarioParameters parameters) =>
        setting.Key == "submit-concurrency" && parameters.Engine.ContainsKey(ScenarioParameters.OneByOneSetting);

    private static IEnumerable<string> Definition(IEnumerable<string?> hashes) =>
        hashes.Distinct().Count() > 1 ? ["its definitions differ between measurements of this run"] : [];
}
