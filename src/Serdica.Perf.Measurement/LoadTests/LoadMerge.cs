namespace Serdica.Perf.Measurement.LoadTests;

/// <summary>
/// Merges the load test of several generators into one: counts and intended rates are added, histograms are merged bucket by
/// bucket without loss, and the merged figures are judged again.
/// </summary>
internal static class LoadMerge
{
    /// <param name="parts">The results, each with its run folder, of the same steps in the same order.</param>
    public static LoadTestResult Of(
        IReadOnlyList<(LoadTestResult Result, string Folder)> parts,
        RunFolder whole,
        LoadProfile profile,
        string command
    )
    {
        var first = parts[0].Result;
        var steps = first
            .Steps.Select((_, index) => Step([.. parts.Select(part => (part.Result.Steps[index], part.Folder))], whole, profile))
            .ToArray();
        return first with
        {
            RunId = whole.RunId,
            Profile = profile,
            Generators = parts.Count,
            GeneratorCeilingPerSecond = parts.Sum(part => part.Result.GeneratorCeilingPerSecond),
            MaximumPerSecond = first.MaximumPerSecond is null ? null : parts.Sum(part => part.Result.MaximumPerSecond ?? 0),
            Steps = steps,
            Verdict = steps.Max(step => step.Verdict),
            Command = command,
        };
    }

    private static StepResult Step(IReadOnlyList<(StepResult Result, string Folder)> parts, RunFolder whole, LoadProfile profile)
    {
        var first = parts[0].Result;
        var results = parts.Select(part => part.Result).ToArray();
        var histograms = results
            .SelectMany(step => step.Histograms.Keys)
            .Distinct()
            .ToDictionary(
                phase => phase,
                phase =>
                    Merge(
                        from part in parts
                        where part.Result.Histograms.ContainsKey(phase)
                        select Path.Combine(part.Folder, part.Result.Histograms[phase])
                    )
            );
        LatencySummary Latency(string phase) => histograms.GetValueOrDefault(phase)?.Summarize() ?? LatencySummary.Empty;

        // Over the time of the whole, as everywhere: a sum of rates over different times is not a rate.
        var seconds = results.Max(step => Math.Max(step.PlannedSeconds, step.ElapsedSeconds));
        var completedPerSecond = seconds > 0 ? results.Sum(step => step.Counts.Completed) / seconds : 0;
        var summed = results.Sum(step => step.CompletedPerSecond);
        var figures = first with
        {
            TargetPerSecond = Sum(results, step => step.TargetPerSecond),
            OfferedPerSecond = Sum(results, step => step.OfferedPerSecond),
            StartedPerSecond = results.Sum(step => step.StartedPerSecond),
            CompletedPerSecond = completedPerSecond,
            BytesPerSecond = Sum(results, step => step.BytesPerSecond) * (summed > 0 ? completedPerSecond / summed : 1),
            PlannedSeconds = results.Max(step => step.PlannedSeconds),
            ElapsedSeconds = results.Max(step => step.ElapsedSeconds),
            DrainSeconds = results.Max(step => step.DrainSeconds),
            DrainLimitReached = results.Any(step => step.DrainLimitReached),
            Counts = StepCounts.Sum([.. results.Select(step => step.Counts)]),
            Response = Latency(PhaseNames.ResponseTime),
            Service = Latency(PhaseNames.ServiceTime),
            UntilFailure = Latency(PhaseNames.UntilFailure),
            ScheduleLag = Latency(PhaseNames.ScheduleLag),
            GeneratorLag = Latency(PhaseNames.GeneratorLag),
            QueueTime = Latency(PhaseNames.QueueTime),
            MinUsers = results.Sum(step => step.MinUsers),
            MaxUsers = results.Sum(step => step.MaxUsers),
            PeakUsers = results.Sum(step => step.PeakUsers),
            Contamination = results.Sum(step => step.Contamination),
            Oscillation = first.Oscillation is null
                ? null
                : new(results.Sum(step => step.Oscillation!.Cycles), results.Sum(step => step.Oscillation!.PeakBacklog)),
            Backlog = BacklogPoint.Sum([.. results.Select(step => step.Backlog)]),
            GivenUp = results.Any(step => step.GivenUp),
            Unverified = results.Select(step => step.Unverified).FirstOrDefault(reason => reason is not null),
            UsedUp = results.Any(step => step.UsedUp),
            Errors =
            [
                .. results
                    .SelectMany(step => step.Errors)
                    .GroupBy(error => (error.Operation, error.Class, error.Kind))
                    .Select(Errors)
                    .OrderByDescending(error => error.Count),
            ],
            Kinds =
            [
                .. first.Kinds.Select(
                    (kind, index) =>
                    {
                        var parts = results.Select(step => step.Kinds[index]).ToArray();
                        var completed = parts.Sum(part => part.Completed);
                        return new KindFigures(
                            kind.Name,
                            kind.Weight,
                            parts.Sum(part => part.Started),
                            completed,
                            parts.Sum(part => part.Failed),
                            seconds > 0 ? completed / seconds : 0,
                            Latency(OperationKind.PhaseOf(kind.Name, PhaseNames.ResponseTime)),
                            Latency(OperationKind.PhaseOf(kind.Name, PhaseNames.ServiceTime))
                        );
                    }
                ),
            ],
            CommitsPerOperation = CommitsPerOperation(results),
            ConflictsPerOperation = PerOperation(results, step => step.ConflictsPerOperation),
            EmptyClaimsPerOperation = PerOperation(results, step => step.EmptyClaimsPerOperation),
            Debt = StepDebt.Of(results.Select(step => step.Debt)),
            Resources = ResourceFigures.OfReplicas(results.Select(step => step.Resources)),
            Reads = first.Reads is null
                ? null
                : new(
                    results.Sum(step => step.Reads!.TargetPerSecond),
                    results.Sum(step => step.Reads!.AchievedPerSecond),
                    results.Sum(step => step.Reads!.Completed),
                    results.Sum(step => step.Reads!.Failed),
                    Latency(PhaseNames.Read),
                    results.Sum(step => step.Reads!.Offered)
                ),
            Histograms = histograms.ToDictionary(
                entry => entry.Key,
                entry => whole.WriteHistogram(first.Scenario, entry.Key, entry.Value, first.Repeat)
            ),
        };

        // What one generator has verified and found wrong stays wrong; its other reasons are derived again from the whole.
        var checks = results.SelectMany(step => step.FailedChecks).Distinct().ToArray();
        var judged = StepJudge.Judge(
            figures with { GeneratorLimited = GeneratorLimit.IsOf(figures) },
            profile.Thresholds,
            checks,
            StepData.None with { Histograms = histograms }
        );
        var limited = results.FirstOrDefault(step => step.LimitedBy is not null);
        return judged.Verdict == StepVerdict.Passed
            ? judged with { LimitedBy = null, LimitEvidence = null }
            : judged with { LimitedBy = limited?.LimitedBy, LimitEvidence = limited?.LimitEvidence };
    }

    /// <summary>Commits of the server. Each generator has seen those of all, so the figure of the longest observation counts.</summary>
    private static double? CommitsPerOperation(StepResult[] parts)
    {
        var seen = parts.MaxBy(step => step.ElapsedSeconds + step.DrainSeconds)!;
        return parts.Sum(step => step.Counts.Completed) is > 0 and var completed
            ? seen.CommitsPerOperation * seen.Counts.Completed / completed
            : null;
    }

    /// <summary>What each generator counted of its own, by the operations of those that counted; null when none of them had any.</summary>
    private static double? PerOperation(StepResult[] parts, Func<StepResult, double?> figure)
    {
        var counted = parts.Where(step => figure(step) is not null && step.Counts.Completed > 0).ToArray();
        return counted.Length == 0
            ? null
            : counted.Sum(step => figure(step) * step.Counts.Completed) / counted.Sum(step => step.Counts.Completed);
    }

    private static OperationError Errors(IEnumerable<OperationError> alike)
    {
        var all = alike.ToArray();
        return all.MinBy(error => error.FirstAtSeconds)! with { Count = all.Sum(error => error.Count) };
    }

    private static double? Sum(IEnumerable<StepResult> steps, Func<StepResult, double?> figure) =>
        steps.Select(figure).Aggregate((double?)0, (sum, value) => sum + value);

    /// <summary>The sum of histograms that were written to files.</summary>
    internal static LatencyHistogram Merge(IEnumerable<string> files)
    {
        var merged = new LatencyHistogram();
        foreach (var file in files)
            merged.Merge(
                LatencyHistogram.FromDocument(
                    JsonSerializer.Deserialize<HistogramDocument>(File.ReadAllText(file), MeasurementJson.Compact)!
                )
            );
        return merged;
    }
}
