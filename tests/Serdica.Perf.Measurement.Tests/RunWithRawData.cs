namespace Serdica.Perf.Measurement.Tests;

/// <summary>Gives a run a folder with raw data, and the figures that they give.</summary>
internal static class RunWithRawData
{
    public static RunArtifacts Write(string root, RunResult run)
    {
        var folder = RunFolder.Create(root, "raw", "data", RunManifest.Of(run));
        var scenarios = run.Scenarios.Select(scenario => Write(folder, scenario)).ToArray();
        var whole = run with
        {
            RunId = folder.RunId,
            Scenarios = scenarios,
            Repeats = RepeatSummary.Of(scenarios),
            Ladders = CapacityLadders.Of(scenarios),
        };
        folder.Write(whole);
        return new(whole, folder.Path);
    }

    private static ScenarioResult Write(RunFolder folder, ScenarioResult scenario)
    {
        var (completed, repeat) = (scenario.Counts.Completed, scenario.Parameters.Repeat);
        var (histograms, window) = (new Dictionary<string, LatencyHistogram>(), FromMilliseconds(scenario.DurationMs));
        LatencySummary Latency(string phase, int microseconds)
        {
            histograms[phase] = new();
            for (var operation = 1; operation <= completed; operation++)
                histograms[phase].Record(FromMicroseconds(operation * microseconds));
            return histograms[phase].Summarize();
        }

        var timeline = new ThroughputTimeline();
        for (var operation = 1; operation <= completed; operation++)
            timeline.Record(window * operation / completed, FromMicroseconds(operation * 11));
        var measured = scenario with
        {
            ServiceTime = Latency(PhaseNames.ServiceTime, 10),
            ResponseTime = Latency(PhaseNames.ResponseTime, 11),
            LatencyToDrain = Latency(PhaseNames.LatencyToDrain, 12),
            GeneratorLag = Latency(PhaseNames.GeneratorLag, 1),
            Lateness = scenario.Lateness is null ? null : Latency(PhaseNames.Lateness, 3),
            Phases = scenario.Phases.ToDictionary(phase => phase.Key, phase => Latency(phase.Key, 5)),
            Timeline = timeline.Snapshot(window),
            CostPerOperation = scenario
                .DatabaseMetrics.Where(metric => metric.Value.Value is not null)
                .ToDictionary(metric => metric.Key, metric => metric.Value with { Value = metric.Value.Value / completed }),
        };
        return measured with
        {
            Histograms = histograms.ToDictionary(
                entry => entry.Key,
                entry => folder.WriteHistogram(scenario.Name, entry.Key, entry.Value, repeat)
            ),
            IntervalHistograms = folder.WriteIntervals(scenario.Name, timeline.Histograms(window), repeat),
        };
    }
}
