namespace Serdica.Perf.Reports.Text;

/// <summary>The cells of a scenario that more than one table has.</summary>
internal static class ScenarioCells
{
    private const string ThroughTheQueue = "through the queue";

    /// <summary>The way that the signals of a scenario took; null where its work or its backend has one way only.</summary>
    public static string? Way(ScenarioResult scenario) =>
        scenario.Parameters.Engine.GetValueOrDefault(ScenarioParameters.DirectSetting) switch
        {
            "on" => "decided directly",
            "off" => ThroughTheQueue,
            _ => IsOneByOne(scenario) ? $"{ThroughTheQueue}, one by one" : null,
        };

    /// <summary>Each start, signal and message had a transaction of its own.</summary>
    public static bool IsOneByOne(ScenarioResult scenario) => scenario.Parameters.Engine.ContainsKey(ScenarioParameters.OneByOneSetting);

    /// <summary>
    /// The ways of one scenario on several backends: where one of them can decide signals directly, another one stores them.
    /// Dashes where the scenario has no such signals.
    /// </summary>
    public static IReadOnlyList<string> Ways(IEnumerable<ScenarioResult> backends)
    {
        var ways = backends.Select(Way).ToArray();
        return [.. ways.Select(way => way ?? (ways.Any(other => other is not null) ? ThroughTheQueue : Figure.None))];
    }

    /// <summary>The figure, or in its place what became of the scenario.</summary>
    public static string Throughput(ScenarioResult scenario) =>
        scenario.Status == ScenarioStatus.Passed ? Figure.Of(scenario.ShownPerSecond) : Outcome(scenario);

    public static string Outcome(ScenarioResult scenario) =>
        scenario.Status switch
        {
            ScenarioStatus.Passed when scenario.Unverified is not null => "passed, UNVERIFIED",
            ScenarioStatus.Passed => "passed",
            ScenarioStatus.Failed when !scenario.FailsTheRun => "did not hold",
            ScenarioStatus.Failed => "FAILED",
            ScenarioStatus.Aborted => "ABORTED",
            _ => "not measured",
        };

    /// <summary>What became of all repeats of a scenario; where they differ, for instance <c>1 of 3 passed</c>.</summary>
    public static string Outcome(IReadOnlyCollection<ScenarioResult> repeats)
    {
        string[] outcomes = [.. repeats.Select(Outcome).Distinct()];
        return outcomes is [var same]
            ? same
            : $"{Figure.Of(repeats.Count(repeat => repeat.Status == ScenarioStatus.Passed))} of {Figure.Of(repeats.Count)} passed"
                + (repeats.Any(repeat => repeat.Unverified is not null) ? ", UNVERIFIED" : "");
    }

    /// <summary>What did not pass has no figures, however much of it was recorded, and no percentile has too few samples.</summary>
    public static LatencySummary Trusted(ScenarioResult scenario, LatencySummary? latency) =>
        scenario.Status == ScenarioStatus.Passed ? (latency ?? LatencySummary.Empty).Shown() : LatencySummary.Empty;

    /// <summary>
    /// Milliseconds in which the engine's sessions were active in the database: what the server counts, else the sum of what
    /// they were sampled to do. Null when it does not tell either.
    /// </summary>
    public static double? DatabaseTimeMs(ScenarioResult scenario)
    {
        if (scenario.Status != ScenarioStatus.Passed)
            return null;
        if (scenario.DatabaseMetrics.GetValueOrDefault(MetricNames.DatabaseTime)?.Value is { } counted)
            return counted;
        var active = WaitCategories.Active(scenario);
        return active.Count == 0 ? null : active.Sum(wait => wait.Microseconds) / 1_000;
    }

    /// <summary>
    /// What the database did for the operations of the scenario once; null when the server does not report it or the scenario did
    /// not pass.
    /// </summary>
    public static double? Database(ScenarioResult scenario, string metric) =>
        scenario.Status == ScenarioStatus.Passed ? scenario.DatabaseMetrics.GetValueOrDefault(metric)?.Value / scenario.Rounds : null;

    /// <summary>Mean, percentiles and maximum in milliseconds.</summary>
    public static IEnumerable<string> Latencies(LatencySummary of) =>
        ((double?[])[of.AverageMs, of.P50Ms, of.P90Ms, of.P95Ms, of.P99Ms, of.P99Point9Ms, of.MaxMs]).Select(Figure.Of);

    /// <summary>Commits, writing commits, logical reads and bytes of log of <see cref="Database"/>.</summary>
    public static IEnumerable<string> Work(ScenarioResult scenario) =>
        ((string[])[MetricNames.Commits, MetricNames.WritingCommits, MetricNames.LogicalReads, MetricNames.WalBytes]).Select(metric =>
            Figure.Count(Database(scenario, metric))
        );

    public static double? PerOperation(ScenarioResult scenario, string metric) =>
        scenario.Status == ScenarioStatus.Passed ? scenario.CostPerOperation.GetValueOrDefault(metric)?.Value : null;

    /// <summary>The longest wait that is one.</summary>
    public static string TopWait(ScenarioResult scenario) =>
        scenario.Status == ScenarioStatus.Passed && WaitCategories.Top(scenario) is { } wait ? Words(wait) : Figure.None;

    public static string Words(ServerWait wait) => $"{wait.Class}:{wait.Name}";
}
