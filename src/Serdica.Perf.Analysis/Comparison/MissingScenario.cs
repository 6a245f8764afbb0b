namespace Serdica.Perf.Analysis.Comparison;

/// <summary>A scenario that runs of one side lack or failed: one rule for single runs and for blocks.</summary>
internal static class MissingScenario
{
    /// <summary>The scenario with one entry that says which runs lack it; null when every run of both sides has it.</summary>
    public static ScenarioDraft? Draft(
        string name,
        (IReadOnlyList<RunResult> Runs, ScenarioResult[] Repeats) before,
        (IReadOnlyList<RunResult> Runs, ScenarioResult[] Repeats) after
    )
    {
        var ofBase = Reason(name, "base", before, after.Repeats);
        var ofCandidate = Reason(name, "candidate", after, before.Repeats);
        return (ofBase ?? ofCandidate) is not { } reason
            ? null
            : new(
                new()
                {
                    Name = name,
                    IsExpected = IsExpected(before.Repeats),
                    Lacking = Lacking(before.Repeats, after.Repeats, ofCandidate),
                    Metrics = [],
                },
                [
                    new(
                        new MetricComparison
                        {
                            Metric = ComparedMetric.Throughput,
                            HigherIsBetter = true,
                            Verdict = Verdict.NotMeasured,
                            Reason = reason,
                        }
                    ),
                ]
            );
    }

    /// <summary>See <see cref="ScenarioComparison.IsExpected"/>.</summary>
    public static bool IsExpected(IReadOnlyList<ScenarioResult> before) => before.Any(repeat => !repeat.IsTrial);

    /// <summary>A trial of a search for the highest rate is not expected, and may miss its rate; a wrong answer fails that too.</summary>
    /// <param name="missing">Which runs of the candidate lack the scenario; null when each has it.</param>
    /// <returns>See <see cref="ScenarioComparison.Lacking"/>.</returns>
    public static string? Lacking(IReadOnlyList<ScenarioResult> before, IReadOnlyList<ScenarioResult> after, string? missing = null)
    {
        if (missing is not null)
            return IsExpected(before) ? missing : null;
        return Failed(after, "candidate");
    }

    /// <summary>How many repeats of a side did not pass, and why the first did not; null when there is none.</summary>
    public static string? Failed(IReadOnlyList<ScenarioResult> repeats, string side)
    {
        var failed = repeats.Where(repeat => repeat.ThroughputPerSecond is null && (!repeat.IsTrial || repeat.FailsTheRun)).ToArray();
        return failed.Length == 0
            ? null
            : $"{failed.Length} of {repeats.Count} repeats of the {side} did not pass: "
                + $"{failed[0].FailureReasons.FirstOrDefault() ?? failed[0].Status.ToString().ToLowerInvariant()}";
    }

    private static string? Reason(
        string name,
        string side,
        (IReadOnlyList<RunResult> Runs, ScenarioResult[] Repeats) of,
        ScenarioResult[] others
    )
    {
        var lacking = of.Runs.Count - of.Repeats.Length;
        if (lacking <= 0)
            return null;
        if (of.Repeats.Length > 0)
            return $"{lacking} of {of.Runs.Count} runs of the {side} {(lacking == 1 ? "has" : "have")} no {name}.";

        var why = of
            .Runs.SelectMany(run => run.NotMeasured)
            .FirstOrDefault(missing =>
                others.Any(other => missing.Backend == other.Backend && (missing.Scenario is null || missing.Scenario == other.Name))
            );
        return why is null ? $"The {side} has no {name}." : $"The {side} has no {name}: {why.Reason}";
    }
}
