namespace Serdica.Perf.Reports.Text;

/// <summary>
/// A run as the tables of a report show it. Where a database was measured, the in-memory backend only measures the harness
/// and has no rows. Repeats are one row, the typical one with the medians of all percentiles, except in the summary.
/// </summary>
internal sealed class ReportView
{
    private readonly HashSet<string> _repeated;

    public ReportView(RunResult run)
    {
        Run = run;
        _repeated = [.. run.Repeats.Select(repeat => repeat.Name)];
        var inProcess = run.Databases.Where(database => database.IsInProcess).Select(database => database.Backend).ToHashSet();
        var databases = run.Scenarios.Where(scenario => !inProcess.Contains(scenario.Backend)).ToArray();
        Scenarios = databases.Length > 0 ? databases : run.Scenarios;
        Typical = TypicalRepeat.WithMedianLatencies(Scenarios);
        Overheads = HarnessOverhead.Of(run.Databases, run.Scenarios);
        HasDatabase = databases.Length > 0;
    }

    public RunResult Run { get; }

    /// <summary>Every measurement, repeats too.</summary>
    public IReadOnlyList<ScenarioResult> Scenarios { get; }

    /// <summary>One for each scenario.</summary>
    public IReadOnlyList<ScenarioResult> Typical { get; }

    /// <summary>Those of <see cref="Typical"/> that have figures.</summary>
    public IEnumerable<ScenarioResult> Passed => Typical.Where(scenario => scenario.Status == ScenarioStatus.Passed);

    public IReadOnlyList<HarnessOverhead> Overheads { get; }

    public bool HasDatabase { get; }

    /// <summary>All measurements of the scenario that a row of <see cref="Typical"/> stands for.</summary>
    public IReadOnlyList<ScenarioResult> Repeats(ScenarioResult typical) => [.. Scenarios.Where(scenario => scenario.Name == typical.Name)];

    /// <summary>The name, with the number of the repeat where there are several.</summary>
    public string Name(ScenarioResult scenario) =>
        _repeated.Contains(scenario.Name) ? $"{scenario.Name} #{scenario.Parameters.Repeat}" : scenario.Name;
}
