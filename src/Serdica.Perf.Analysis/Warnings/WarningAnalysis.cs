namespace Serdica.Perf.Analysis.Warnings;

/// <summary>Finds reasons to distrust a run's figures: the rules beside this file, one for each kind of warning. Pure.</summary>
internal static class WarningAnalysis
{
    /// <summary>All warnings, each once; those about the whole run first.</summary>
    public static IReadOnlyList<RunWarning> Of(
        EnvironmentFingerprint environment,
        IReadOnlyList<DatabaseDescription> databases,
        IReadOnlyList<ScenarioResult> scenarios
    )
    {
        // Beside a database, the in-memory backend only measures the harness, and nobody reads its percentiles.
        var inProcess = databases.Where(database => database.IsInProcess).Select(database => database.Backend).ToHashSet();
        var onDatabases = scenarios.Where(scenario => !inProcess.Contains(scenario.Backend)).ToArray();
        var reported = onDatabases.Length > 0 ? onDatabases : scenarios;
        ProcessorUse? Use(ScenarioResult scenario) => ProcessorUse.Of(environment, databases, scenario);

        RunWarning[] all =
        [
            .. DebugBuild.Of(environment.Runtime),
            .. DebuggerAttached.Of(environment.Runtime),
            .. BusyMachine.Before(environment),
            .. databases.SelectMany(WeakDurability.Of),
            .. databases.SelectMany(MemoryFileSystem.Of),
            .. reported.SelectMany(scenario => BusyMachine.During(scenario, Use(scenario))),
            .. reported.SelectMany(scenario => ProcessorsUndercounted.Of(scenario, Use(scenario))),
            .. scenarios.SelectMany(Unverified.Of),
            .. onDatabases.SelectMany(GeneratorLimited.Of),
            .. onDatabases.SelectMany(scenario => HarnessLimited.Of(scenario, Use(scenario))),
            .. HarnessOverhead.Of(databases, scenarios).SelectMany(HarnessLimited.Of),
            .. reported.SelectMany(StepDelay.Of),
            .. reported.SelectMany(FewSamples.Of),
            .. reported.SelectMany(NotWarm.Of),
            .. reported.SelectMany(NoSteadyState.Of),
            .. reported.SelectMany(SamplesMissing.Of),
            .. reported.SelectMany(UnwelcomeTrends.Of),
            .. reported.SelectMany(LoadNotHeld.Of),
            .. reported.SelectMany(EngineWarnings.Of),
        ];
        return [.. all.Distinct()];
    }
}
